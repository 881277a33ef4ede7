// A half-precision Linear with a bias: the product reads the narrow operands.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<4x16xf16>, %[[W:.*]]: tensor<8x16xf16>)
// CHECK: linalg.generic {{.*}}ins(%[[X]], %[[W]] : tensor<4x16xf16>, tensor<8x16xf16>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-COUNT-2: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK-NOT: arith.extf
func.func @linear(%x: tensor<4x16xf16>, %w: tensor<8x16xf16>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<4x16xf32>
  %xe = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xf16>) outs(%ex : tensor<4x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %et = tensor.empty() : tensor<16x8xf16>
  %t = linalg.transpose ins(%w : tensor<8x16xf16>) outs(%et : tensor<16x8xf16>) permutation = [1, 0]
  %ew = tensor.empty() : tensor<16x8xf32>
  %we = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<16x8xf16>) outs(%ew : tensor<16x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<16x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%xe, %we : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @one_side
// CHECK: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<2x4x16xf32>, tensor<2x16x8xbf16>)
func.func @one_side(%x: tensor<2x4x16xf32>, %w: tensor<2x16x8xbf16>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<2x16x8xf32>
  %we = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x16x8xbf16>) outs(%ew : tensor<2x16x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x16x8xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.batch_matmul ins(%x, %we : tensor<2x4x16xf32>, tensor<2x16x8xf32>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}
