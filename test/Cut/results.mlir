// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s

// Every result is a kernel's own: arguments, constants, views and a value that is
// returned twice are copied. A view of what a kernel computes is computed there.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @main(
// CHECK-DAG:     %[[A:.*]] = call @copy(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-DAG:     %[[V:.*]] = call @reshape(%arg0) : (tensor<8xf32>) -> tensor<2x4xf32>
// CHECK-DAG:     %[[C:.*]] = call @copy_2() : () -> tensor<3xi64>
// CHECK-DAG:     %[[X:.*]] = call @exp(%arg0) : (tensor<8xf32>) -> tensor<2x4xf32>
// CHECK-DAG:     %[[Y:.*]]:2 = call @neg(%arg0)
// CHECK:         return %[[A]], %[[V]], %[[C]], %[[X]], %[[Y]]#0, %[[Y]]#1
func.func @main(%a: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<2x4xf32>, tensor<3xi64>, tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi64>
  %e = tensor.empty() : tensor<8xf32>
  %v = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %w = tensor.expand_shape %x [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %a, %v, %c, %w, %y, %y : tensor<8xf32>, tensor<2x4xf32>, tensor<3xi64>, tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>
}
