// Constants met across a conversion.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0) -> (d0)>

// 1e-5 is no float32, but rounds to one; the root of 2 in half precision likewise.
// CHECK-LABEL: func.func @truncate
// CHECK-DAG: arith.constant 9.99999974E-6 : f32
// CHECK-DAG: arith.constant 1.414060e+00 : f16
// CHECK-NOT: truncf
// CHECK-NOT: sqrt
func.func @truncate(%x: tensor<4xf32>, %h: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf16>) {
  %eps = arith.constant 1.0e-5 : f64
  %two = arith.constant 2.0 : f16
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.truncf %eps : f64 to f32
    %a = arith.addf %in, %t : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  %eh = tensor.empty() : tensor<4xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%h : tensor<4xf16>) outs(%eh : tensor<4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %t = math.sqrt %two : f16
    %a = arith.divf %in, %t : f16
    linalg.yield %a : f16
  } -> tensor<4xf16>
  return %y, %z : tensor<4xf32>, tensor<4xf16>
}

// x < 0.7 in float64 is x < the float32 above 0.7; x >= 0.7 the same bound; x <= 0.7
// the float32 below it. An equality with 0.7 stays as it is: it never holds.
// CHECK-LABEL: func.func @compare
// CHECK-DAG: %[[UP:.*]] = arith.constant 0.700000048 : f32
// CHECK-DAG: %[[DOWN:.*]] = arith.constant 0.699999988 : f32
// CHECK-DAG: arith.cmpf olt, %{{.*}}, %[[UP]] : f32
// CHECK-DAG: arith.cmpf uge, %{{.*}}, %[[UP]] : f32
// CHECK-DAG: arith.cmpf ole, %{{.*}}, %[[DOWN]] : f32
// CHECK-DAG: arith.cmpf oeq, %{{.*}}, %{{.*}} : f64
func.func @compare(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %c = arith.constant 0.7 : f64
  %e = tensor.empty() : tensor<4xi1>
  %y:4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e, %e, %e, %e : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  ^bb0(%in: f32, %o0: i1, %o1: i1, %o2: i1, %o3: i1):
    %w = arith.extf %in : f32 to f64
    %0 = arith.cmpf olt, %w, %c : f64
    %1 = arith.cmpf uge, %w, %c : f64
    %2 = arith.cmpf ole, %w, %c : f64
    %3 = arith.cmpf oeq, %w, %c : f64
    linalg.yield %0, %1, %2, %3 : i1, i1, i1, i1
  } -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
