// RUN: ks-opt %s --ks-normalize | FileCheck %s

// Reshapes to and from rank 0 have no groups, and are as good as others.

func.func @main(%x: tensor<f32>, %y: tensor<1x1xf32>) -> (tensor<1xf32>, tensor<f32>) {
  %a = tensor.expand_shape %x [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %b = tensor.collapse_shape %y [] : tensor<1x1xf32> into tensor<f32>
  return %a, %b : tensor<1xf32>, tensor<f32>
}

// CHECK: tensor.expand_shape %{{.*}} [] output_shape [1] : tensor<f32> into tensor<1xf32>
// CHECK: tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
