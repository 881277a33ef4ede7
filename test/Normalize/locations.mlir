// Source locations survive the rewrites.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @linear
// CHECK: linalg.generic
// CHECK: arith.mulf {{.*}}loc("model.py":7:0)
// CHECK: } -> tensor<4x8xf32> loc("model.py":7:0)
// CHECK: arith.mulf {{.*}}loc("model.py":8:0)
// CHECK: } -> tensor<4x8xf32> loc("model.py":8:0)
func.func @linear(%x: tensor<4x16xf32>, %w: tensor<8x16xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : i64
  %et = tensor.empty() : tensor<16x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x16xf32>) outs(%et : tensor<16x8xf32>) permutation = [1, 0] loc("model.py":6:0)
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %t : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32> loc("model.py":7:0)
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.fpowi %in, %two : f32, i64 loc("model.py":8:0)
    linalg.yield %0 : f32
  } -> tensor<4x8xf32> loc("model.py":8:0)
  return %z : tensor<4x8xf32>
}
