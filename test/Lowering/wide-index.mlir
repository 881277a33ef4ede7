// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s

// 2^31 elements and more are counted in 64 bits, without being asked.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<65536x40000xf32>) -> tensor<65536x40000xf32> {
  %e = tensor.empty() : tensor<65536x40000xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<65536x40000xf32>) outs(%e : tensor<65536x40000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<65536x40000xf32>
  return %y : tensor<65536x40000xf32>
}

// CHECK: arith.index_cast %{{.*}} : index to i64
// CHECK-NOT: i32
