// Powers with constant exponents are products and roots.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @powers
// CHECK: ^bb0(%[[X:[a-z0-9_]+]]: f32,
// CHECK-DAG: %[[X2:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-DAG: %[[X3:.*]] = arith.mulf %[[X]], %[[X2]] : f32
// CHECK-DAG: %[[INV:.*]] = arith.divf %{{.*}}, %[[X2]] : f32
// CHECK-DAG: %[[ROOT:.*]] = math.sqrt %[[X]] : f32
// CHECK-DAG: %[[POW:.*]] = math.powf %[[X]], %{{.*}} : f32
// CHECK: linalg.yield %[[X2]], %[[X3]], %[[INV]], %[[ROOT]], %[[POW]]
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %cm2 = arith.constant -2 : i64
  %half = arith.constant 5.0e-01 : f32
  %third = arith.constant 0.3 : f32
  %e = tensor.empty() : tensor<4xf32>
  %y:5 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e, %e, %e, %e, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32):
    %0 = math.fpowi %in, %c2 : f32, i64
    %1 = math.fpowi %in, %c3 : f32, i64
    %2 = math.fpowi %in, %cm2 : f32, i64
    %3 = math.powf %in, %half : f32
    %4 = math.powf %in, %third : f32
    linalg.yield %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %y#0, %y#1, %y#2, %y#3, %y#4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
