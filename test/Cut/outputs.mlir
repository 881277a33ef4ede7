// RUN: %ks-opt %s --ks-cut-kernels --split-input-file | FileCheck %s

// Elementwise results of one index space come from one kernel, as do reductions
// of one input over the same rows.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @update(
// CHECK-NEXT:    %[[R:.*]]:2 = call @elementwise_mul_sub(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1
func.func @update(%m: tensor<64xf32>, %p: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %beta = arith.constant 0.9 : f32
  %e = tensor.empty() : tensor<64xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %beta : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%p, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %0 = arith.subf %in, %in2 : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %x, %y : tensor<64xf32>, tensor<64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @siblings(
// CHECK-NEXT:    %[[R:.*]]:2 = call @min_max(%arg0)
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1
func.func @siblings(%x: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<64xf32>
  %l = linalg.fill ins(%low : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %h = linalg.fill ins(%high : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %min = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x32xf32>) outs(%h : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.minimumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x32xf32>) outs(%l : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %min, %max : tensor<64xf32>, tensor<64xf32>
}
