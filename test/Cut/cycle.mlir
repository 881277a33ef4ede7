// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s

// The sum at the end reads the first matmul and the second, which depends on the
// first: it joins the second, for with the first it would make a cycle.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[A:.*]] = call @matmul(%arg0, %arg1)
// CHECK-NEXT:    %[[B:.*]] = call @matmul_add(%[[A]], %arg1)
// CHECK-NEXT:    return %[[B]]
func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %n = linalg.matmul ins(%m, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %x = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %n : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %0 = arith.addf %in, %in2 : f32
    linalg.yield %0 : f32
  } -> tensor<32x32xf32>
  return %x : tensor<32x32xf32>
}
