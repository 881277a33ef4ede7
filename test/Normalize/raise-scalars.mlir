// Scalars between the operations of a function are computed by their readers.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @captured
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<2xf32>)
// CHECK-NOT: arith.addf
// CHECK-DAG: %[[B:.*]] = tensor.extract_slice %[[S]][1] [1] [1] : tensor<2xf32> to tensor<f32>
// CHECK-DAG: %[[A:.*]] = tensor.extract_slice %[[S]][0] [1] [1] : tensor<2xf32> to tensor<f32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]], %[[B]], %[[A]]
// CHECK: arith.addf
func.func @captured(%x: tensor<4xf32>, %s: tensor<2xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %s[%c0] : tensor<2xf32>
  %b = tensor.extract %s[%c1] : tensor<2xf32>
  %sum = arith.addf %a, %b : f32
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A scalar argument is a tensor of rank 0, and so is a scalar result.
// CHECK-LABEL: func.func @signature
// CHECK-SAME: (%[[S:.*]]: tensor<f64>) -> tensor<f64>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[S]] : tensor<f64>)
// CHECK: return %{{.*}} : tensor<f64>
func.func @signature(%s: f64) -> f64 {
  %0 = arith.mulf %s, %s : f64
  return %0 : f64
}

// CHECK-LABEL: func.func @constructors
// CHECK-NOT: tensor.from_elements
// CHECK-NOT: tensor.splat
// CHECK-NOT: tensor.generate
// CHECK-NOT: tensor.insert %
// CHECK-DAG: linalg.generic
// CHECK-DAG: tensor.concat
// CHECK-DAG: tensor.insert_slice
func.func @constructors(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = tensor.extract %x[%c0] : tensor<4xf32>
  %b = tensor.extract %x[%c3] : tensor<4xf32>
  %list = tensor.from_elements %a, %b : tensor<2xf32>
  %splat = tensor.splat %a : tensor<4xf32>
  %made = tensor.generate {
  ^bb0(%i: index):
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.addf %1, %b : f32
    tensor.yield %2 : f32
  } : tensor<4xf32>
  %inserted = tensor.insert %a into %x[%c3] : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%b : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%splat, %filled : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %0 = arith.mulf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %list, %y, %made, %inserted : tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
