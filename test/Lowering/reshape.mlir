// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s
// RUN: ks-run %s --random 1 --device host | FileCheck %s --check-prefix=VALUES

// Reshapes are index arithmetic, and none where the order of elements stays.

#in = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#swap = affine_map<(d0, d1, d2) -> (d2, d1, d0)>
func.func @main(%x: tensor<6x35xf32>) -> (tensor<2x3x35xf32>, tensor<7x5x6xf32>) {
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 35] : tensor<6x35xf32> into tensor<2x3x35xf32>
  %e = tensor.empty() : tensor<2x3x35xf32>
  %y = linalg.generic {indexing_maps = [#in, #in], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<2x3x35xf32>) outs(%e : tensor<2x3x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.absf %in : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x35xf32>
  %b = tensor.expand_shape %x [[0], [1, 2]] output_shape [6, 5, 7] : tensor<6x35xf32> into tensor<6x5x7xf32>
  %f = tensor.empty() : tensor<7x5x6xf32>
  %z = linalg.generic {indexing_maps = [#swap, #in], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<6x5x7xf32>) outs(%f : tensor<7x5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<7x5x6xf32>
  return %y, %z : tensor<2x3x35xf32>, tensor<7x5x6xf32>
}

// CHECK: gpu.func
// CHECK-NOT: arith.rem
// CHECK: math.absf
// CHECK: gpu.func
// CHECK: arith.rem
// CHECK: math.sqrt

// VALUES: output 0: 2x3x35xf32 {{.*}}ok
// VALUES: output 1: 7x5x6xf32 {{.*}}ok
