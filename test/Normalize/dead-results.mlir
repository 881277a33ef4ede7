// Results that nothing reads vanish: the argmax of a softmax's maximum.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @maximum
// CHECK-NOT: i64
// CHECK: %[[M:.*]] = linalg.generic
// CHECK: arith.maximumf
// CHECK-NOT: i64
func.func @maximum(%x: tensor<4x9xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i64
  %min = arith.constant 0xFF800000 : f32
  %ef = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %ff = linalg.fill ins(%min : f32) outs(%ef : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%c0 : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %m:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x9xf32>) outs(%ff, %fi : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.maximumf %in, %best : f32
    %3 = arith.cmpf ogt, %in, %best : f32
    %4 = arith.select %3, %1, %at : i64
    linalg.yield %2, %4 : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %m#0 : tensor<4xf32>
}
