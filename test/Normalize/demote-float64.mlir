// Statistics on a float64 copy become float32; what else is float64 stays.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#keep = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @variance
// CHECK-NOT: f64
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK-NOT: f64
// CHECK-LABEL: func.func @one_pass
func.func @variance(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 8.0 : f64
  %e = tensor.empty() : tensor<4x8xf64>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    linalg.yield %0 : f64
  } -> tensor<4x8xf64>
  %er = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%er : tensor<4xf64>) -> tensor<4xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<4x8xf64>) outs(%f : tensor<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %in, %out : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %m = linalg.generic {indexing_maps = [#keep, #keep], iterator_types = ["parallel"]} ins(%s : tensor<4xf64>) outs(%er : tensor<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.divf %in, %n : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %m : tensor<4x8xf64>, tensor<4xf64>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%in: f64, %mean: f64, %out: f64):
    %0 = arith.subf %in, %mean : f64
    linalg.yield %0 : f64
  } -> tensor<4x8xf64>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<4x8xf64>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.mulf %in, %in : f64
    linalg.yield %0 : f64
  } -> tensor<4x8xf64>
  %v = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<4x8xf64>) outs(%f : tensor<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %in, %out : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %eo = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#keep, #keep], iterator_types = ["parallel"]} ins(%v : tensor<4xf64>) outs(%eo : tensor<4xf32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.divf %in, %n : f64
    %1 = arith.truncf %0 : f64 to f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The mean of squares less the square of the mean cancels: it stays.
// CHECK: arith.subf %{{.*}}, %{{.*}} : f64
func.func @one_pass(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 8.0 : f64
  %er = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%er : tensor<4xf64>) -> tensor<4xf64>
  %s:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f, %f : tensor<4xf64>, tensor<4xf64>) {
  ^bb0(%in: f32, %sum: f64, %squares: f64):
    %w = arith.extf %in : f32 to f64
    %0 = arith.addf %w, %sum : f64
    %1 = arith.mulf %w, %w : f64
    %2 = arith.addf %1, %squares : f64
    linalg.yield %0, %2 : f64, f64
  } -> (tensor<4xf64>, tensor<4xf64>)
  %eo = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#keep, #keep, #keep], iterator_types = ["parallel"]} ins(%s#0, %s#1 : tensor<4xf64>, tensor<4xf64>) outs(%eo : tensor<4xf32>) {
  ^bb0(%sum: f64, %squares: f64, %out: f32):
    %0 = arith.divf %sum, %n : f64
    %1 = arith.mulf %0, %0 : f64
    %2 = arith.divf %squares, %n : f64
    %3 = arith.subf %2, %1 : f64
    %4 = arith.truncf %3 : f64 to f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A float64 argument is the user's.
// CHECK-LABEL: func.func @argument
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
func.func @argument(%x: tensor<4xf32>, %y: tensor<4xf64>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#keep, #keep, #keep], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf64>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f64, %out: f32):
    %0 = arith.extf %a : f32 to f64
    %1 = arith.mulf %0, %b : f64
    %2 = arith.truncf %1 : f64 to f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// So is a product of matrices.
// CHECK-LABEL: func.func @product
// CHECK: linalg.matmul {{.*}} tensor<4x4xf64>
func.func @product(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4x4xf64>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.mulf %0, %0 : f64
    linalg.yield %1 : f64
  } -> tensor<4x4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4x4xf64>) -> tensor<4x4xf64>
  %p = linalg.matmul ins(%w, %w : tensor<4x4xf64>, tensor<4x4xf64>) outs(%f : tensor<4x4xf64>) -> tensor<4x4xf64>
  %eo = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x4xf64>) outs(%eo : tensor<4x4xf32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.truncf %in : f64 to f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// A constant that float32 cannot hold keeps the computation where it is.
// CHECK-LABEL: func.func @out_of_range
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
func.func @out_of_range(%x: tensor<4xf32>) -> tensor<4xf32> {
  %tiny = arith.constant 1.0e-60 : f64
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#keep, #keep], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.extf %a : f32 to f64
    %1 = arith.mulf %0, %tiny : f64
    %2 = arith.divf %1, %tiny : f64
    %3 = arith.truncf %2 : f64 to f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// So is a dot product, though nobody calls it one.
// CHECK-LABEL: func.func @dot
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
func.func @dot(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %s = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%f : tensor<4xf64>) {
  ^bb0(%a: f32, %b: f32, %out: f64):
    %0 = arith.extf %a : f32 to f64
    %1 = arith.extf %b : f32 to f64
    %2 = arith.mulf %0, %1 : f64
    %3 = arith.addf %out, %2 : f64
    linalg.yield %3 : f64
  } -> tensor<4xf64>
  %eo = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#keep, #keep], iterator_types = ["parallel"]} ins(%s : tensor<4xf64>) outs(%eo : tensor<4xf32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.truncf %in : f64 to f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Integers that float32 cannot hold keep it, a loop's index does not.
// CHECK-LABEL: func.func @integers
// CHECK: arith.sitofp %{{.*}} : i64 to f64
// CHECK: arith.sitofp %{{.*}} : i64 to f32
func.func @integers(%i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %third = arith.constant 3.0 : f64
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#keep, #keep], iterator_types = ["parallel"]} ins(%i : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.sitofp %in : i64 to f64
    %1 = arith.subf %0, %third : f64
    %2 = arith.truncf %1 : f64 to f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#keep], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %at = linalg.index 0 : index
    %in = arith.index_cast %at : index to i64
    %0 = arith.sitofp %in : i64 to f64
    %1 = arith.divf %0, %third : f64
    %2 = arith.truncf %1 : f64 to f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %r, %q : tensor<4xf32>, tensor<4xf32>
}
