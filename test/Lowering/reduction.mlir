// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s

// A sum: blocks of 16 plain additions, and a two-sum (six additions and
// subtractions) that takes the block's sum, its error kept apart.

#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<9000x1000xf32>) -> tensor<9000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9000xf32>) -> tensor<9000xf32>
  %y = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9000x1000xf32>) outs(%f : tensor<9000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<9000xf32>
  return %y : tensor<9000xf32>
}

// CHECK: gpu.func
// CHECK: scf.for %[[START:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[LOST:.*]] = %{{.*}}) -> (f32, f32)
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: %[[BLOCK:.*]] = scf.for %{{.*}} = %[[START]] to %[[END]] step %{{.*}} iter_args(%{{.*}}) -> (f32)
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: %[[S:.*]] = arith.addf %[[SUM]], %[[BLOCK]] : f32
// CHECK-COUNT-4: arith.subf
// CHECK: arith.addf
// CHECK: arith.addf %[[LOST]]
// CHECK: scf.yield %[[S]]
// The end: sum and compensation, unless that is NaN.
// CHECK: arith.cmpf uno
// CHECK: arith.select
