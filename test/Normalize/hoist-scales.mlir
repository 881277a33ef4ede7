// Constant factors of half-precision operands come out of a product.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#swap = affine_map<(d0, d1, d2) -> (d0, d2, d1)>

// As attention scales queries and keys.
// CHECK-LABEL: func.func @attention
// CHECK-SAME: (%[[Q:.*]]: tensor<2x4x16xf16>, %[[K:.*]]: tensor<2x8x16xf16>)
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[K]] : tensor<2x4x16xf16>, tensor<2x8x16xf16>)
// CHECK-COUNT-2: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<2x4x8xf32>)
// CHECK: arith.mulf %{{.*}}, %[[C:.*]] : f32
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<2x4x8xf32>)
// CHECK: arith.mulf %{{.*}}, %[[C]] : f32
func.func @attention(%q: tensor<2x4x16xf16>, %k: tensor<2x8x16xf16>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 0.3 : f32
  %qe_e = tensor.empty() : tensor<2x4x16xf32>
  %qe = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x4x16xf16>) outs(%qe_e : tensor<2x4x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %qs_e = tensor.empty() : tensor<2x4x16xf32>
  %qs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%qe : tensor<2x4x16xf32>) outs(%qs_e : tensor<2x4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %ke_e = tensor.empty() : tensor<2x8x16xf32>
  %ke = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k : tensor<2x8x16xf16>) outs(%ke_e : tensor<2x8x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x8x16xf32>
  %ks_e = tensor.empty() : tensor<2x16x8xf32>
  %ks = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ke : tensor<2x8x16xf32>) outs(%ks_e : tensor<2x16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x16x8xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.batch_matmul ins(%qs, %ks : tensor<2x4x16xf32>, tensor<2x16x8xf32>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// Factors of float32 stay, for nothing would be narrower; so do they where the sum
// starts from something.
// CHECK-LABEL: func.func @stays
// CHECK: arith.mulf
// CHECK: %[[P:.*]] = linalg.batch_matmul
// CHECK-NEXT: return %[[P]]
func.func @stays(%q: tensor<2x4x16xf32>, %ks: tensor<2x16x8xf16>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 0.3 : f32
  %qs_e = tensor.empty() : tensor<2x4x16xf32>
  %qs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x4x16xf32>) outs(%qs_e : tensor<2x4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.batch_matmul ins(%qs, %ks : tensor<2x4x16xf32>, tensor<2x16x8xf16>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @starts
// CHECK: arith.mulf
// CHECK: %[[P:.*]] = linalg.batch_matmul
// CHECK-NEXT: return %[[P]]
func.func @starts(%q: tensor<2x4x16xf16>, %k: tensor<2x16x8xf16>, %f: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %c = arith.constant 0.3 : f32
  %qe_e = tensor.empty() : tensor<2x4x16xf32>
  %qe = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x4x16xf16>) outs(%qe_e : tensor<2x4x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %qs_e = tensor.empty() : tensor<2x4x16xf32>
  %qs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%qe : tensor<2x4x16xf32>) outs(%qs_e : tensor<2x4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %c : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16xf32>
  %y = linalg.batch_matmul ins(%qs, %k : tensor<2x4x16xf32>, tensor<2x16x8xf16>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}
