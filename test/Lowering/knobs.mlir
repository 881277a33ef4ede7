// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s
// RUN: ks-run %s --random 1 --device host | FileCheck %s --check-prefix=VALUES

// The knobs of a kernel: threads a block, elements a thread, index width, and how
// often the innermost reduction loop is unrolled.

func.func @main(%a: tensor<24x32xf32>, %b: tensor<32x40xf32>) -> tensor<24x40xf32> {
  %0 = call @product(%a, %b) : (tensor<24x32xf32>, tensor<32x40xf32>) -> tensor<24x40xf32>
  return %0 : tensor<24x40xf32>
}

func.func private @product(%a: tensor<24x32xf32>, %b: tensor<32x40xf32>) -> tensor<24x40xf32>
    attributes {ks.kernel, ks.knobs = {block_size = 64 : i64, elements_per_thread = 2 : i64,
                                       index_bits = 64 : i64, unroll = 4 : i64}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %y = linalg.matmul ins(%a, %b : tensor<24x32xf32>, tensor<32x40xf32>)
      outs(%f : tensor<24x40xf32>) -> tensor<24x40xf32>
  return %y : tensor<24x40xf32>
}

// CHECK: known_block_size = array<i32: 64, 1, 1>
// 960 elements for 8 blocks of 64 threads: the second element is 512 further on.
// CHECK: %[[STRIDE:.*]] = arith.constant 512 : i64
// CHECK: scf.if
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32)  : i64
// CHECK-COUNT-4: arith.mulf

// VALUES: output 0: 24x40xf32 max error {{.*}} ok
