// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s

// A scan takes the elementwise operations before it. A sort takes nothing, and
// what is done with either comes after.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[S:.*]] = call @scan(%arg0)
// CHECK-NEXT:    %[[N:.*]] = call @neg(%[[S]])
// CHECK-NEXT:    %[[T:.*]] = call @sort(%[[N]])
// CHECK-NEXT:    return %[[T]]
// CHECK:       func.func private @scan(
// CHECK:         math.exp
// CHECK:         tm_tensor.scan
func.func @main(%x: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %r = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  %c = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %s:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%y : tensor<4x32xf32>) outs(%f, %c : tensor<4x32xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<4x32xf32>, tensor<4xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s#0 : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %t = tm_tensor.sort dimension(1) outs(%n : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<4x32xf32>
  return %t : tensor<4x32xf32>
}
