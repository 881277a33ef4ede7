// Integer division by way of float64, exact where both are below 2^52.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @known
// CHECK-NOT: f64
// CHECK: arith.floordivsi
func.func @known() -> tensor<100xi64> {
  %d = arith.constant dense<8> : tensor<i64>
  %e = tensor.empty() : tensor<100xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, #id], iterator_types = ["parallel"]} ins(%d : tensor<i64>) outs(%e : tensor<100xi64>) {
  ^bb0(%by: i64, %out: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.sitofp %1 : i64 to f64
    %3 = arith.sitofp %by : i64 to f64
    %4 = arith.divf %2, %3 : f64
    %5 = math.floor %4 : f64
    %6 = arith.fptosi %5 : f64 to i64
    linalg.yield %6 : i64
  } -> tensor<100xi64>
  return %y : tensor<100xi64>
}

// CHECK-LABEL: func.func @unknown
// CHECK: math.floor
func.func @unknown(%x: tensor<4xi64>) -> tensor<4xi64> {
  %d = arith.constant 8.0 : f64
  %e = tensor.empty() : tensor<4xi64>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%e : tensor<4xi64>) {
  ^bb0(%in: i64, %out: i64):
    %2 = arith.sitofp %in : i64 to f64
    %4 = arith.divf %2, %d : f64
    %5 = math.floor %4 : f64
    %6 = arith.fptosi %5 : f64 to i64
    linalg.yield %6 : i64
  } -> tensor<4xi64>
  return %y : tensor<4xi64>
}
