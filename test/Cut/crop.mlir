// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s

// What reads a part of a contraction's result joins it: the rest is computed by
// nobody. If something else reads all of it, the part is read from memory.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[R:.*]] = call @matmul_relu(%arg0, %arg1)
// CHECK-NEXT:    %[[M:.*]] = call @matmul(%arg0, %arg2)
// CHECK-NEXT:    %[[S:.*]] = call @relu(%[[M]])
// CHECK-NEXT:    return %[[R]], %[[M]], %[[S]]
func.func @main(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<16x64xf32>) -> (tensor<30x64xf32>, tensor<32x64xf32>, tensor<30x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %er = tensor.empty() : tensor<30x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  %p = tensor.extract_slice %m[1, 0] [30, 64] [1, 1] : tensor<32x64xf32> to tensor<30x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<30x64xf32>) outs(%er : tensor<30x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<30x64xf32>
  %n = linalg.matmul ins(%a, %c : tensor<32x16xf32>, tensor<16x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  %q = tensor.extract_slice %n[1, 0] [30, 64] [1, 1] : tensor<32x64xf32> to tensor<30x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<30x64xf32>) outs(%er : tensor<30x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<30x64xf32>
  return %r, %n, %s : tensor<30x64xf32>, tensor<32x64xf32>, tensor<30x64xf32>
}
