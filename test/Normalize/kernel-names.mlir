// A kernel is named after the model's own line, not after PyTorch's; where only
// PyTorch's is known, after that.
// RUN: ks-opt %s --ks-cut-kernels | FileCheck %s

// CHECK: call @relu_model_7(
// CHECK: call @exp_activation_133(
#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.maximumf %in, %zero : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32> loc(callsite("/lib/torch/nn/activation.py":133:0 at "src/model.py":7:0))
  %2 = tensor.empty() : tensor<5xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%y : tensor<5xf32>) outs(%2 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = math.exp %in : f32
    linalg.yield %4 : f32
  } -> tensor<5xf32> loc("torch/nn/activation.py":133:0)
  return %1, %3 : tensor<4xf32>, tensor<5xf32>
}
