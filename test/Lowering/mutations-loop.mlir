// RUN: ks-opt %s --ks-lower-to-cubin="host=true" -o %t.mlir
// RUN: ks-run %t.mlir --random 1 --device host | FileCheck %s
// RUN: ks-opt %s --agent-optimize="device=host budget=2 out-dir=%t.out package=%t.ksp" -o %t.best.mlir 2>&1 | FileCheck %s --check-prefix=AGENT
// RUN: ks-run %t.best.mlir --random 1 --device host | FileCheck %s
// RUN: ks-run %t.ksp --reference %s --random 1 --device host | FileCheck %s

// Mutated arguments that are swapped, that get what a loop carries to its end, and
// rows that it collects. The gate compares new values as it does results.

#id = affine_map<(d0) -> (d0)>
func.func @main(%xs: tensor<3x4xf32>, %state: tensor<4xf32>, %log: tensor<3x4xf32>, %a: tensor<5xf32>, %b: tensor<5xf32>)
    -> (tensor<4xf32>, tensor<3x4xf32>, tensor<5xf32>, tensor<5xf32>)
    attributes {ks.mutations = array<i64: 0, 1, 1, 2, 2, 4, 3, 3>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%s = %state, %rows = %log) -> (tensor<4xf32>, tensor<3x4xf32>) {
    %x = tensor.extract_slice %xs[%t, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
    %n:2 = func.call @cell(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %w = tensor.insert_slice %n#1 into %rows[%t, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<3x4xf32>
    scf.yield %n#0, %w : tensor<4xf32>, tensor<3x4xf32>
  }
  %a1 = call @copy(%a) : (tensor<5xf32>) -> tensor<5xf32>
  %b1 = call @copy(%b) : (tensor<5xf32>) -> tensor<5xf32>
  return %r#0, %r#1, %a1, %b1 : tensor<4xf32>, tensor<3x4xf32>, tensor<5xf32>, tensor<5xf32>
}
func.func private @cell(%x: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {ks.kernel} {
  %e = tensor.empty() : tensor<4xf32>
  %n:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<4xf32>, tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%u: f32, %v: f32, %o0: f32, %o1: f32):
    %0 = arith.addf %u, %v : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %u : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %n#0, %n#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @copy(%x: tensor<5xf32>) -> tensor<5xf32> attributes {ks.kernel} {
  %e = tensor.empty() : tensor<5xf32>
  %y = linalg.copy ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// CHECK: output 0 (new value of argument 1): 4xf32 max error {{.*}}ok
// CHECK: output 1 (new value of argument 2): 3x4xf32 max error {{.*}}ok
// CHECK: output 2 (new value of argument 4): 5xf32 max error 0 {{.*}}ok
// CHECK: output 3 (new value of argument 3): 5xf32 max error 0 {{.*}}ok

// AGENT: unverified: 0
// AGENT: whole program: {{passed|better|not better|inconclusive}}
