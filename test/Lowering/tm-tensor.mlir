// RUN: ks-run %s --random 5 --device host | FileCheck %s
// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s --check-prefix=CODE

// Scan, sort and scatter, each against the reference: scans run along lines, sorts
// merge runs (seven launches for 100 records), a scatter with rows that may meet
// sorts its rows and folds them in order. No atomics anywhere.

func.func @main(%x: tensor<3x100xf32>, %i: tensor<40x1xi64>, %u: tensor<40xf32>)
    -> (tensor<3x100xf32>, tensor<3x100xf32>, tensor<3x100xi64>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x100xf32>
  %s = tensor.empty() : tensor<3xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%s : tensor<3xf32>) -> tensor<3xf32>
  %scan:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<3x100xf32>) outs(%e, %s0 : tensor<3x100xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<3x100xf32>, tensor<3xf32>
  %j = tensor.empty() : tensor<3x100xi64>
  %iota = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%j : tensor<3x100xi64>) {
  ^bb0(%out: i64):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  } -> tensor<3x100xi64>
  %sort:2 = tm_tensor.sort dimension(1) outs(%x, %iota : tensor<3x100xf32>, tensor<3x100xi64>) {
  ^bb0(%a: f32, %b: f32, %p: i64, %q: i64):
    %0 = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<3x100xf32>, tensor<3x100xi64>
  %t = tensor.empty() : tensor<64xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<64xf32>) -> tensor<64xf32>
  %scatter = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
      ins(%u, %i : tensor<40xf32>, tensor<40x1xi64>) outs(%t0 : tensor<64xf32>) {
  ^bb0(%new: f32, %old: f32):
    %0 = arith.addf %old, %new : f32
    tm_tensor.yield %0 : f32
  } -> tensor<64xf32>
  return %scan#0, %sort#0, %sort#1, %scatter : tensor<3x100xf32>, tensor<3x100xf32>, tensor<3x100xi64>, tensor<64xf32>
}

// CHECK: output 0: 3x100xf32 {{.*}}ok
// CHECK: output 1: 3x100xf32 max error 0 {{.*}}ok
// CHECK: output 2: 3x100xi64 max error 0 {{.*}}ok
// CHECK: output 3: 64xf32 {{.*}}ok

// CODE-NOT: atomic
