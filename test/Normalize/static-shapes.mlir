// torch.roll: slices cast to a dynamic size and joined to a static one.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s

// CHECK-LABEL: func.func @roll
// CHECK-NOT: ?
// CHECK: tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<3x8xf32>, tensor<5x8xf32>) -> tensor<8x8xf32>
func.func @roll(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = tensor.extract_slice %x[5, 0] [3, 8] [1, 1] : tensor<8x8xf32> to tensor<3x8xf32>
  %b = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<8x8xf32> to tensor<5x8xf32>
  %ca = tensor.cast %a : tensor<3x8xf32> to tensor<?x8xf32>
  %cb = tensor.cast %b : tensor<5x8xf32> to tensor<?x8xf32>
  %c = tensor.concat dim(0) %ca, %cb : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @unknown_result
// CHECK-NOT: ?
// CHECK: tensor.concat
func.func @unknown_result(%x: tensor<3xf32>, %y: tensor<5xf32>) -> tensor<8xf32> {
  %cx = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %cy = tensor.cast %y : tensor<5xf32> to tensor<?xf32>
  %c = tensor.concat dim(0) %cx, %cy : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.cast %c : tensor<?xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
