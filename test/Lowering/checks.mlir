// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s
// RUN: ks-opt %s --ks-lower-to-cubin="cuda=false host=true" | FileCheck %s --check-prefix=OUT
// RUN: %python %S/Inputs/gather.py %t.good.npz 3 0 4
// RUN: ks-run %s --args %t.good.npz --check --device host | FileCheck %s --check-prefix=GOOD
// RUN: %python %S/Inputs/gather.py %t.bad.npz 3 5 4
// RUN: not ks-run %s --args %t.bad.npz --device host 2>&1 | FileCheck %s --check-prefix=BAD

// What can't be proved is checked at run time: a failed check is noted in the status
// word, the index is kept inside, and the run ends with the check's message.

func.func @main(%x: tensor<5x2xf32>, %i: tensor<3xi64>) -> tensor<3x2xf32> {
  %zero = arith.constant 0 : i64
  %size = arith.constant 5 : index
  %e = tensor.empty() : tensor<3x2xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<3xi64>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.index_cast %in : i64 to index
    %1 = arith.cmpi slt, %0, %size : index
    cf.assert %1, "index must be smaller than dim size"
    %2 = arith.cmpi sge, %in, %zero : i64
    cf.assert %2, "index must be larger or equal to 0"
    %3 = linalg.index 1 : index
    %4 = tensor.extract %x[%0, %3] : tensor<5x2xf32>
    linalg.yield %4 : f32
  } -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// CHECK: gpu.func
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr
// CHECK: arith.maxsi
// CHECK: arith.minsi

// OUT: ks.checks = ["index must be smaller than dim size at {{.*}}checks.mlir:{{[0-9]+}}", "index must be larger or equal to 0 at

// GOOD: output 0: 3x2xf32 max error 0 {{.*}}ok
// BAD: error: {{.*}}index must be smaller than dim size at {{.*}}checks.mlir
