// RUN: ks-opt %s --ks-normalize --split-input-file | FileCheck %s
// RUN: ks-opt %s --ks-normalize --ks-cut-kernels --split-input-file | FileCheck %s --check-prefix=CUT

// Scalars that a loop carries become tensors of rank 0; its counter, where it is
// computed with, a row of a table. The exponential does not change in the loop, nor
// does the transpose: they go before it. A full accumulator starts from
// nothing. The carried %dead is not: no result needs it. Rows have no leading
// dimension.

// CHECK-LABEL: func.func @forms(
// CHECK-SAME:    %[[XS:.*]]: tensor<5x1x4xf32>, %[[S:.*]]: tensor<f32>, %[[V:.*]]: tensor<4xf32>, %{{.*}}: tensor<4x4xf32>) -> (tensor<f32>, tensor<5x1x4xf32>, tensor<i64>)
// CHECK-DAG:     %[[E:.*]] = tensor.empty() : tensor<5x1x4xf32>
// CHECK-DAG:     %[[W:.*]] = linalg.exp ins(%[[V]]
// CHECK-DAG:     %[[TABLE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<5xi64>)
// CHECK:         %[[R:.*]]:4 = scf.for %[[T:.*]] = %c0 to %c5 step %c1
// CHECK-SAME:      iter_args(%{{.*}} = %[[V]], %{{.*}} = %[[S]], %{{.*}} = %[[E]], %{{.*}} = %{{.*}}) -> (tensor<4xf32>, tensor<f32>, tensor<5x1x4xf32>, tensor<i64>)
// CHECK-DAG:       tensor.extract_slice %[[TABLE]][%[[T]]] [1] [1] : tensor<5xi64> to tensor<i64>
// CHECK-DAG:       tensor.extract_slice %[[XS]][%[[T]], 0, 0] [1, 1, 4] [1, 1, 1] : tensor<5x1x4xf32> to tensor<1x4xf32>
// CHECK-NOT:       linalg.exp
// CHECK-NOT:       linalg.transpose
// CHECK:           tensor.insert_slice %{{.*}}[%[[T]], 0, 0] [1, 1, 4] [1, 1, 1] : tensor<1x4xf32> into tensor<5x1x4xf32>
// CHECK:           scf.yield
// CHECK:         return %[[R]]#1, %[[R]]#2, %

// CUT-LABEL: func.func @forms(
// CUT:         scf.for
// CUT-NOT:       linalg
// CUT:         return
#id = affine_map<(d0) -> (d0)>
func.func @forms(%xs: tensor<5x1x4xf32>, %s: f32, %v: tensor<4xf32>, %m: tensor<4x4xf32>) -> (f32, tensor<5x1x4xf32>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %eo = tensor.empty() : tensor<5x1x4xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x1x4xf32>) -> tensor<5x1x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %r:5 = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %v, %sum = %s, %all = %fo, %dead = %v, %n = %c0)
      -> (tensor<4xf32>, f32, tensor<5x1x4xf32>, tensor<4xf32>, index) {
    %x0 = tensor.extract_slice %xs[%t, 0, 0] [1, 1, 4] [1, 1, 1] : tensor<5x1x4xf32> to tensor<1x1x4xf32>
    %x = tensor.collapse_shape %x0 [[0, 1, 2]] : tensor<1x1x4xf32> into tensor<4xf32>
    %ti = arith.index_cast %t : index to i64
    %tf = arith.sitofp %ti : i64 to f32
    %n1 = arith.addi %n, %t : index
    %w = linalg.exp ins(%v : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %mt = linalg.transpose ins(%m : tensor<4x4xf32>) outs(%e2 : tensor<4x4xf32>) permutation = [1, 0]
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %mh = linalg.matvec ins(%mt, %h : tensor<4x4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    %h1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%x, %mh, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
      %0 = arith.mulf %i, %sum : f32
      %1 = arith.addf %0, %j : f32
      %2 = arith.addf %1, %tf : f32
      %3 = arith.addf %2, %k : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    %d1 = linalg.add ins(%dead, %h1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %el = tensor.extract %h1[%c1] : tensor<4xf32>
    %s1 = arith.addf %sum, %el : f32
    %row = tensor.expand_shape %h1 [[0, 1, 2]] output_shape [1, 1, 4] : tensor<4xf32> into tensor<1x1x4xf32>
    %all1 = tensor.insert_slice %row into %all[%t, 0, 0] [1, 1, 4] [1, 1, 1] : tensor<1x1x4xf32> into tensor<5x1x4xf32>
    scf.yield %h1, %s1, %all1, %d1, %n1 : tensor<4xf32>, f32, tensor<5x1x4xf32>, tensor<4xf32>, index
  }
  %n5 = arith.index_cast %r#4 : index to i64
  return %r#1, %r#2, %n5 : f32, tensor<5x1x4xf32>, i64
}

// -----

// A loop that never runs, and one that runs once, are no loops.

// CHECK-LABEL: func.func @trivial(
// CHECK-NOT:     scf.for
// CHECK:         linalg.exp
// CHECK-NOT:     linalg.exp
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @trivial(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %never = scf.for %t = %c0 to %c0 step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    %0 = linalg.exp ins(%h : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  %once = scf.for %t = %c0 to %c1 step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    %0 = linalg.exp ins(%h : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %never, %once : tensor<4xf32>, tensor<4xf32>
}

// -----

// Statistics in float64 inside of a loop become float32; what the loop carries in
// float64 stays.

// CHECK-LABEL: func.func @float64(
// CHECK:         scf.for {{.*}} -> (tensor<f32>, tensor<f64>)
// CHECK:           arith.addf %{{.*}} : f32
// CHECK:           arith.divf %{{.*}} : f32
// CHECK:           arith.addf %{{.*}} : f64
func.func @float64(%x: tensor<4xf32>, %a: tensor<f32>, %b: tensor<f64>) -> (tensor<f32>, tensor<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %four = arith.constant 4.0 : f64
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%m = %a, %s = %b) -> (tensor<f32>, tensor<f64>) {
    %e = tensor.empty() : tensor<f64>
    %f = linalg.fill ins(%zero : f64) outs(%e : tensor<f64>) -> tensor<f64>
    %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%x, %m : tensor<4xf32>, tensor<f32>) outs(%f : tensor<f64>) {
    ^bb0(%i: f32, %j: f32, %o: f64):
      %0 = arith.mulf %i, %j : f32
      %1 = arith.extf %0 : f32 to f64
      %2 = arith.addf %1, %o : f64
      linalg.yield %2 : f64
    } -> tensor<f64>
    %n = tensor.empty() : tensor<f32>
    %mean = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%sum : tensor<f64>) outs(%n : tensor<f32>) {
    ^bb0(%i: f64, %o: f32):
      %0 = arith.divf %i, %four : f64
      %1 = arith.truncf %0 : f64 to f32
      linalg.yield %1 : f32
    } -> tensor<f32>
    %s1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%mean, %s : tensor<f32>, tensor<f64>) outs(%e : tensor<f64>) {
    ^bb0(%i: f32, %j: f64, %o: f64):
      %0 = arith.extf %i : f32 to f64
      %1 = arith.addf %0, %j : f64
      linalg.yield %1 : f64
    } -> tensor<f64>
    scf.yield %mean, %s1 : tensor<f32>, tensor<f64>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f64>
}
