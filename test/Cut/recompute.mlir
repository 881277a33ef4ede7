// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s

// What is cheap is computed again for every element that reads it (rsqrt, once a
// column); what is dear is computed before.

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
#vec = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[P:.*]] = call @pow(%arg2)
// CHECK-NEXT:    %[[R:.*]] = call @elementwise_rsqrt_mul(%arg1, %arg0, %[[P]])
// CHECK-NEXT:    return %[[R]]
func.func @main(%x: tensor<64x8xf32>, %v: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<64x8xf32> {
  %e = tensor.empty() : tensor<64x8xf32>
  %r = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]}
      ins(%w : tensor<8xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.powf %in, %in : f32
    %1 = math.powf %0, %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]}
      ins(%v : tensor<8xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.rsqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %p : tensor<64x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%in: f32, %in2: f32, %in3: f32, %out: f32):
    %0 = arith.mulf %in, %in2 : f32
    %1 = arith.mulf %0, %in3 : f32
    linalg.yield %1 : f32
  } -> tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}
