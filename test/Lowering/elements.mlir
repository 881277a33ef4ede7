// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s

// One thread an element: the thread's number, a guard, a load, the body, a store. A
// count that fills the blocks needs no guard.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<7x130xf32>) -> tensor<7x130xf32> {
  %e = tensor.empty() : tensor<7x130xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x130xf32>) outs(%e : tensor<7x130xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.tanh %in : f32
    linalg.yield %0 : f32
  } -> tensor<7x130xf32>
  return %y : tensor<7x130xf32>
}

// CHECK: gpu.func @{{.*}}_0(%[[IN:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[OUT:.*]]: !llvm.ptr {llvm.noalias}) kernel
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[BLOCK:.*]] = gpu.block_id  x
// CHECK: %[[THREAD:.*]] = gpu.thread_id  x
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ID:.*]], %{{.*}} : i32
// CHECK: scf.if %[[INSIDE]]
// The row and the column cancel out: the element's offset is the thread's number.
// CHECK-NOT: rem
// CHECK: llvm.getelementptr %[[IN]][%[[ID]]]
// CHECK: math.tanh
// CHECK: llvm.getelementptr %[[OUT]][%[[ID]]]
// CHECK: llvm.store
