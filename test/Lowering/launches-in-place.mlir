// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s
// RUN: ks-run %s --random 1 --device host | FileCheck %s --check-prefix=VALUES

// What reads a result element by element shares the launch that computes it and
// takes it from there, a copy too. What reads it elsewhere has to wait for it.

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
func.func @main(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>)
    -> (tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>) {
  %0:4 = call @cell(%a, %b) : (tensor<5x5xf32>, tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>
}
func.func private @cell(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>)
    -> (tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>) attributes {ks.kernel} {
  %e = tensor.empty() : tensor<5x5xf32>
  %c = linalg.mul ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  %t = linalg.tanh ins(%c : tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  %h = linalg.add ins(%t, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  %i = linalg.copy ins(%h : tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %c : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.subf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<5x5xf32>
  return %c, %h, %i, %r : tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>
}

// CHECK:         gpu.func @cell_0(
// CHECK:           %[[C:.*]] = arith.mulf
// CHECK:           llvm.store %[[C]]
// CHECK:           math.tanh %[[C]]
// CHECK:           %[[H:.*]] = arith.addf
// CHECK-COUNT-2:   llvm.store %[[H]]
// CHECK:         gpu.func @cell_1(
// CHECK-COUNT-2:   llvm.load
// CHECK:           arith.subf
// CHECK-NOT:     gpu.func

// VALUES-COUNT-4: ok
