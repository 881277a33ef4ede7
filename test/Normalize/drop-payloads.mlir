// Operands of a sort that nothing reads, and that do not decide its order, go.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK-SAME: (%[[X:.*]]: tensor<4x9xf32>
// CHECK-NOT: linalg.index
// CHECK: %[[S:.*]] = tm_tensor.sort dimension(1) outs(%[[X]] : tensor<4x9xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: arith.cmpf oge, %[[A]], %[[B]]
// CHECK: tensor.extract_slice %[[S]]
func.func @values(%x: tensor<4x9xf32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x9xi64>
  %i = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x9xi64>) {
  ^bb0(%out: i64):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  } -> tensor<4x9xi64>
  %s:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<4x9xf32>, tensor<4x9xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: i64):
    %0 = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<4x9xf32>, tensor<4x9xi64>
  %y = tensor.extract_slice %s#0[0, 0] [4, 3] [1, 1] : tensor<4x9xf32> to tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// The keys stay, though only positions are read.
// CHECK-LABEL: func.func @positions
// CHECK: tm_tensor.sort dimension(0) outs(%{{.*}}, %{{.*}} : tensor<9xf32>, tensor<9xi64>)
func.func @positions(%x: tensor<9xf32>, %i: tensor<9xi64>) -> tensor<9xi64> {
  %s:2 = tm_tensor.sort dimension(0) outs(%x, %i : tensor<9xf32>, tensor<9xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: i64):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<9xf32>, tensor<9xi64>
  return %s#1 : tensor<9xi64>
}
