// The dialect in torch-mlir's custom and generic forms.
// RUN: ks-opt %s | ks-opt | FileCheck %s
// RUN: ks-opt %s --mlir-print-op-generic | ks-opt | FileCheck %s

// CHECK-LABEL: func.func @scan
// CHECK: tm_tensor.scan dimension(1) inclusive(true) ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4xf32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT: tm_tensor.yield %[[S]] : f32
// CHECK-NEXT: } -> tensor<4x8xf32>, tensor<4xf32>
func.func @scan(%x: tensor<4x8xf32>, %out: tensor<4x8xf32>, %acc: tensor<4xf32>) -> tensor<4x8xf32> {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%out, %acc : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tm_tensor.yield %s : f32
  } -> tensor<4x8xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK: tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%{{.*}}, %{{.*}} : tensor<6x1x3xf16>, tensor<6x1xi64>) outs(%{{.*}} : tensor<5x3xf16>) {
func.func @scatter(%u: tensor<6x1x3xf16>, %i: tensor<6x1xi64>, %o: tensor<5x3xf16>) -> tensor<5x3xf16> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<6x1x3xf16>, tensor<6x1xi64>) outs(%o : tensor<5x3xf16>) {
  ^bb0(%a: f16, %b: f16):
    %s = arith.addf %b, %a : f16
    tm_tensor.yield %s : f16
  } -> tensor<5x3xf16>
  return %0 : tensor<5x3xf16>
}

// CHECK-LABEL: func.func @sort
// CHECK: tm_tensor.sort dimension(1) outs(%{{.*}}, %{{.*}} : tensor<3x9xf32>, tensor<3x9xi64>) {
// CHECK: tm_tensor.yield %{{.*}} : i1
func.func @sort(%x: tensor<3x9xf32>, %p: tensor<3x9xi64>) -> (tensor<3x9xf32>, tensor<3x9xi64>) {
  %0:2 = "tm_tensor.sort"(%x, %p) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 2>}> ({
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %c = "arith.cmpf"(%a, %b) <{fastmath = #arith.fastmath<none>, predicate = 3 : i64}> : (f32, f32) -> i1
    "tm_tensor.yield"(%c) : (i1) -> ()
  }) : (tensor<3x9xf32>, tensor<3x9xi64>) -> (tensor<3x9xf32>, tensor<3x9xi64>)
  return %0#0, %0#1 : tensor<3x9xf32>, tensor<3x9xi64>
}
