// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s
// RUN: ks-run %s --random 1 --device host | FileCheck %s --check-prefix=VALUES

// A softmax: what every element of a row reads, its maximum and its sum, takes a
// launch each; the exponential is computed again rather than stored.

#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<33x100xf32>) -> tensor<33x100xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<33x100xf32>
  %r = tensor.empty() : tensor<33xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %max = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<33x100xf32>) outs(%m0 : tensor<33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<33xf32>
  %exp = linalg.generic {indexing_maps = [#in, #row, #in], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<33x100xf32>, tensor<33xf32>) outs(%e : tensor<33x100xf32>) {
  ^bb0(%in: f32, %top: f32, %out: f32):
    %0 = arith.subf %in, %top : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<33x100xf32>
  %sum = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<33x100xf32>) outs(%s0 : tensor<33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<33xf32>
  %y = linalg.generic {indexing_maps = [#in, #row, #in], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<33x100xf32>, tensor<33xf32>) outs(%e : tensor<33x100xf32>) {
  ^bb0(%in: f32, %all: f32, %out: f32):
    %0 = arith.divf %in, %all : f32
    linalg.yield %0 : f32
  } -> tensor<33x100xf32>
  return %y : tensor<33x100xf32>
}

// CHECK: gpu.func @{{.*}}_0(
// CHECK: gpu.func @{{.*}}_1(
// CHECK: math.exp
// CHECK: gpu.func @{{.*}}_2(
// CHECK: math.exp
// CHECK: arith.divf
// CHECK-NOT: gpu.func

// VALUES: output 0: 33x100xf32 max error {{.*}} ok
