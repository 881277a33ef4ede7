// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s
// RUN: ks-run %s --random 3 --device host | FileCheck %s --check-prefix=VALUES

// Many terms and few results: parts, one a thread, and their combination, in two
// launches without a barrier. An index beside an extremum goes along.

#in = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>
func.func @main(%x: tensor<70001xf32>) -> (tensor<f32>, tensor<f32>, tensor<i64>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<f32>
  %i = tensor.empty() : tensor<i64>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %m = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %n = linalg.fill ins(%none : i64) outs(%i : tensor<i64>) -> tensor<i64>
  %sum = linalg.generic {indexing_maps = [#in, #all], iterator_types = ["reduction"]}
      ins(%x : tensor<70001xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %max:2 = linalg.generic {indexing_maps = [#in, #all, #all], iterator_types = ["reduction"]}
      ins(%x : tensor<70001xf32>) outs(%m, %n : tensor<f32>, tensor<i64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.maximumf %in, %out : f32
    %3 = arith.cmpf ogt, %in, %out : f32
    %4 = arith.select %3, %1, %at : i64
    linalg.yield %2, %4 : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %sum, %max#0, %max#1 : tensor<f32>, tensor<f32>, tensor<i64>
}

// CHECK-COUNT-4: gpu.func
// CHECK-NOT: gpu.func

// VALUES: output 0: f32 max error {{.*}} ok
// VALUES: output 1: f32 max error 0 {{.*}}ok
// VALUES: output 2: i64 max error 0 {{.*}}ok
