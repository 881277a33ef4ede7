// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s

// Views between kernels are cloned into each reader, so that host values are
// arguments and results alone.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[A:.*]] = call @matmul(%arg0, %arg1) : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
// CHECK-NEXT:    %[[B:.*]] = call @sum(%[[A]]) : (tensor<32x64xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[C:.*]] = call @max(%[[A]]) : (tensor<32x64xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    return %[[B]], %[[C]]
// CHECK:       func.func private @sum(
// CHECK-NEXT:    tensor.expand_shape %arg0
// CHECK:       func.func private @max(
// CHECK-NEXT:    %[[E:.*]] = tensor.expand_shape %arg0
// CHECK-NEXT:    tensor.extract_slice %[[E]]
func.func @main(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>) -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  %x = tensor.expand_shape %m [[0, 1], [2]] output_shape [4, 8, 64] : tensor<32x64xf32> into tensor<4x8x64xf32>
  %r = tensor.empty() : tensor<4x8xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%r : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x8x64xf32>) outs(%rz : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %v = tensor.extract_slice %x[0, 2, 0] [4, 4, 64] [1, 1, 1] : tensor<4x8x64xf32> to tensor<4x4x64xf32>
  %q = tensor.empty() : tensor<4x4xf32>
  %ql = linalg.fill ins(%low : f32) outs(%q : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v : tensor<4x4x64xf32>) outs(%ql : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  return %s, %t : tensor<4x8xf32>, tensor<4x4xf32>
}
