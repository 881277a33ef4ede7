// RUN: %ks-opt %s --ks-cut-kernels --mlir-print-debuginfo | FileCheck %s

// A kernel carries the Python line of its main operation, and the call those of
// all. Kernels that differ in lines alone are one, named after the first.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[A:.*]] = call @elementwise_neg_exp_model_8(%{{.*}}) : {{.*}} loc(#[[BOTH:.*]])
// CHECK-NEXT:    %[[B:.*]] = call @elementwise_neg_exp_model_8(%{{.*}})
// CHECK-NEXT:    return
// CHECK:       func.func private @elementwise_neg_exp_model_8(
// CHECK-DAG:   #[[SEVEN:.*]] = loc("net/model.py":7:0)
// CHECK-DAG:   #[[EIGHT:.*]] = loc("net/model.py":8:0)
// CHECK:       #[[SITE:.*]] = loc(callsite(#[[EIGHT]] at
// CHECK:       #[[BOTH]] = loc(fused[#[[SEVEN]], #[[SITE]]])
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32> loc("net/model.py":7:0)
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32> loc(callsite("net/model.py":8:0 at "main.py":1:0))
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32> loc("net/model.py":9:0)
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%z : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32> loc("net/model.py":10:0)
  return %y, %w : tensor<8xf32>, tensor<8xf32>
}
