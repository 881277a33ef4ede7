// RUN: %ks-opt %s --ks-cut-kernels="max-ops=2" | FileCheck %s

// A kernel holds at most max-ops operations.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[A:.*]] = call @neg(%arg0)
// CHECK-NEXT:    %[[B:.*]] = call @elementwise_exp_abs(%[[A]])
// CHECK-NEXT:    return %[[B]]
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.absf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}
