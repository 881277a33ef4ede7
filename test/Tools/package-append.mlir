// One export with an open dimension serves several sizes: a package takes a
// program for each, and the runtime chooses by the shapes of the arguments.
// RUN: rm -rf %t && mkdir %t
// RUN: %ks-opt %s --ks-specialize=sizes=batch=2 --ks-lower-to-cubin="cuda=false host=true package=%t/a.ksp" -o /dev/null
// RUN: %ks-opt %s --ks-specialize=sizes=batch=3 --ks-lower-to-cubin="cuda=false host=true package=%t/a.ksp package-append=true" -o /dev/null
// RUN: %python %S/Inputs/arrays.py %t/2.npz x='<f4:2x4:1.5' out0='<f4:2x4:3'
// RUN: %python %S/Inputs/arrays.py %t/3.npz x='<f4:3x4:2.5' out0='<f4:3x4:5'
// RUN: %python %S/Inputs/arrays.py %t/5.npz x='<f4:5x4:2.5'
// RUN: %ks-run %t/a.ksp --device host --args %t/2.npz --expect %t/2.npz 2>/dev/null | FileCheck %s --check-prefix=TWO
// RUN: %ks-run %t/a.ksp --device host --args %t/3.npz --expect %t/3.npz 2>/dev/null | FileCheck %s --check-prefix=THREE
// RUN: not %ks-run %t/a.ksp --device host --args %t/5.npz 2>&1 | FileCheck %s --check-prefix=FIVE
// TWO: output 0: 2x4xf32 max error 0 allowed {{.*}} ok
// THREE: output 0: 3x4xf32 max error 0 allowed {{.*}} ok
// FIVE: error: no variant of the package takes arguments of these shapes

// The same shapes again replace their program; without the option all go.
// RUN: %ks-opt %s --ks-specialize=sizes=batch=3 --ks-lower-to-cubin="cuda=false host=true package=%t/a.ksp package-append=true" -o /dev/null
// RUN: %ks-run %t/a.ksp --device host --args %t/2.npz --expect %t/2.npz
// RUN: %ks-opt %s --ks-specialize=sizes=batch=3 --ks-lower-to-cubin="cuda=false host=true package=%t/a.ksp" -o /dev/null
// RUN: not %ks-run %t/a.ksp --device host --args %t/2.npz

// What is no package is told before the work, and stays as it is.
// RUN: cp %s %t/text
// RUN: not %ks-opt %s --ks-specialize=sizes=batch=3 --ks-lower-to-cubin="cuda=false host=true package=%t/text package-append=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: cmp %s %t/text
// TEXT: error: package: {{.*}}text

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<?x4xf32> {ks.name = "x", ks.dims = ["batch", ""]}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%batch) : tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
