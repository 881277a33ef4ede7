// Private functions take their calls' place; kernels are named after `ks.op`.
// RUN: ks-opt %s --ks-normalize | FileCheck %s
// RUN: ks-opt %s --ks-normalize --ks-cut-kernels | FileCheck %s --check-prefix=NAMES

// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: math.exp
// CHECK-NOT: call
// CHECK-NOT: math.exp

// Equal kernels are one, named after the first.
// NAMES-COUNT-2: call @attention_exp_functional_5(
// NAMES: func.func private @attention_exp_functional_5(
#map = affine_map<(d0) -> (d0)>
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.exp %in : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>, %y: f32) -> (f32, tensor<4xf32>, tensor<4xf32>) attributes {ks.op = "attention"} {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("functional.py":5:0)
  return %y, %0, %x : f32, tensor<4xf32>, tensor<4xf32>
}
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, f32) {
  %0:3 = call @outer(%x, %s) : (tensor<4xf32>, f32) -> (f32, tensor<4xf32>, tensor<4xf32>)
  %1 = call @inner(%y) : (tensor<4xf32>) -> tensor<4xf32> loc("model.py":3:0)
  return %0#1, %0#2, %1, %0#0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, f32
}
