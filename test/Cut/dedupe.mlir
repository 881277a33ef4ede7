// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s

// Equal kernels are one function, however their arguments are called; one with
// another constant is a function of its own.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[A:.*]] = call @matmul(%arg0, %arg1)
// CHECK-NEXT:    %[[B:.*]] = call @matmul(%arg1, %[[A]])
// CHECK-NEXT:    %[[C:.*]] = call @mul(%arg2)
// CHECK-NEXT:    %[[D:.*]] = call @mul_2(%arg2)
// CHECK-NEXT:    return %[[B]], %[[C]], %[[D]]
// CHECK-COUNT-3: func.func private
// CHECK-NOT:     func.func
func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<8xf32>)
    -> (tensor<32x32xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %v = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %n = linalg.matmul ins(%b, %m : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%c : tensor<8xf32>) outs(%v : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %two : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%c : tensor<8xf32>) outs(%v : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %three : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %n, %x, %y : tensor<32x32xf32>, tensor<8xf32>, tensor<8xf32>
}
