// Uniform operands become scalars in the body; unread initial values are forgotten.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func.func @splats
// CHECK-DAG: %[[A:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG: %[[B:.*]] = arith.constant 3.000000e+00 : f32
// CHECK-DAG: %[[C:.*]] = arith.constant 4.000000e+00 : f32
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NOT: linalg.fill
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xf32>) outs(%[[E]] : tensor<4x8xf32>)
// CHECK-DAG: arith.mulf %{{.*}}, %[[A]]
// CHECK-DAG: arith.addf %{{.*}}, %[[B]]
// CHECK-DAG: arith.divf %{{.*}}, %[[C]]
func.func @splats(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = arith.constant dense<2.0> : tensor<f32>
  %b = arith.constant dense<3.0> : tensor<8xf32>
  %cst = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %c = linalg.fill ins(%cst : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #none, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %a, %b, %c : tensor<4x8xf32>, tensor<f32>, tensor<8xf32>, tensor<4x8xf32>) outs(%c : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %t: f32, %u: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %0, %t : f32
    %2 = arith.divf %1, %u : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The start of a sum is read.
// CHECK-LABEL: func.func @sum
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[F]] : tensor<4xf32>)
func.func @sum(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// An inclusive scan reads neither of its initial values, an exclusive one the
// accumulator's.
// CHECK-LABEL: func.func @scans
// CHECK: %[[A:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4xf32>)
// CHECK-NOT: linalg.fill
// CHECK: tm_tensor.scan dimension(1) inclusive(true)
// CHECK: tm_tensor.scan dimension(1) inclusive(false) ins(%{{.*}}) outs(%{{.*}}, %[[A]] :
func.func @scans(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %ea = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%one : f32) outs(%ea : tensor<4xf32>) -> tensor<4xf32>
  %y:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%f, %a : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.mulf %p, %q : f32
    tm_tensor.yield %0 : f32
  } -> tensor<4x8xf32>, tensor<4xf32>
  %z:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%x : tensor<4x8xf32>) outs(%f, %a : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.mulf %p, %q : f32
    tm_tensor.yield %0 : f32
  } -> tensor<4x8xf32>, tensor<4xf32>
  return %y#0, %z#0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A splat that no body reads is filled in, not kept in the program.
// CHECK-LABEL: func.func @joined
// CHECK-NOT: dense
// CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x8xf32>)
// CHECK: tensor.concat dim(0) %[[F]], %{{.*}}
func.func @joined(%x: tensor<4x8xf32>) -> tensor<5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x8xf32>
  %y = tensor.concat dim(0) %z, %x : (tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}
