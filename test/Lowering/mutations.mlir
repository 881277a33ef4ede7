// RUN: rm -rf %t && mkdir %t
// RUN: ks-opt %s --ks-lower-to-cubin="host=true package=%t/a.ksp" -o %t/a.mlir
// RUN: FileCheck %s < %t/a.mlir
// RUN: ks-run %t/a.mlir --random 1 --device host | FileCheck %s --check-prefix=VALUES
// RUN: unzip -p %t/a.ksp 0/plan.json | FileCheck %s --check-prefix=PLAN
// RUN: ks-opt %s --ks-normalize | FileCheck %s --check-prefix=NORMAL
// RUN: ks-opt %s --ks-lower-to-cubin="cuda=false host=true reference=true" | FileCheck %s --check-prefix=REFERENCE

// A result that is the new value of an argument is computed in the workspace and
// copied over it when nothing reads the old value any more; what an exporter says
// of arguments and results goes along. A reference keeps value semantics.

#id = affine_map<(d0) -> (d0)>
module attributes {ks.python = "{\"tree\": 1}"} {
func.func @main(%x: tensor<8xf32> {ks.name = "x"},
                %mean: tensor<8xf32> {ks.kind = "buffer", ks.name = "norm.mean"},
                %count: i64 {ks.kind = "buffer", ks.name = "norm.count"})
    -> (tensor<8xf32>, tensor<8xf32>, i64, tensor<8xf32>)
    attributes {ks.mutations = array<i64: 2, 2, 1, 1>,
                ks.results = [{result = 3}, {argument = 0, sizes = array<i64: 2, 3>, strides = array<i64: 4, 1>, offset = 1 : i64}, {result = 0}, {result = 1}]} {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<8xf32>
  %new = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %mean : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %half : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  // Reads the old value, after the new one was computed.
  %y = linalg.sub ins(%new, %mean : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %z = linalg.add ins(%y, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %n = arith.addi %count, %one : i64
  return %y, %new, %n, %z : tensor<8xf32>, tensor<8xf32>, i64, tensor<8xf32>
}
}

// NORMAL: module attributes {ks.python = "{\22tree\22: 1}"}
// NORMAL: func.func @main(%{{.*}}: tensor<8xf32> {ks.name = "x"}, %{{.*}}: tensor<8xf32> {ks.kind = "buffer", ks.name = "norm.mean"}, %{{.*}}: tensor<i64> {ks.kind = "buffer", ks.name = "norm.count"})
// NORMAL-SAME: ks.mutations = array<i64: 2, 2, 1, 1>, ks.results = [

// CHECK: ks.python
// CHECK: func.func @main(%{{.*}}: memref<8xf32> {ks.name = "x"}, %[[MEAN:.*]]: memref<8xf32> {ks.kind = "buffer", ks.name = "norm.mean"}, %[[COUNT:.*]]: memref<i64> {ks.kind = "buffer", ks.name = "norm.count"}, %{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: memref<{{.*}}xi8>, %{{.*}}: !llvm.ptr)
// CHECK-SAME: ks.mutations = array<i64: 2, 2, 1, 1>
// CHECK: gpu.launch_func
// CHECK: gpu.memcpy %[[MEAN]], %{{.*}} : memref<8xf32>, memref<8xf32>
// CHECK: gpu.memcpy %[[COUNT]], %{{.*}} : memref<i64>, memref<i64>
// CHECK-NOT: gpu.launch_func
// CHECK: return

// VALUES: output 0: 8xf32 max error {{.*}}ok
// VALUES: output 1 (new value of argument 1, norm.mean): 8xf32 max error {{.*}}ok
// VALUES: output 2 (new value of argument 2, norm.count): i64 max error 0 {{.*}}ok
// VALUES: output 3: 8xf32 max error {{.*}}ok

// PLAN: "python": "{\"tree\": 1}",
// PLAN: {"dtype": "f32", "shape": [8], "name": "x", "kind": "input"},
// PLAN: {"dtype": "i64", "shape": [], "name": "norm.count", "kind": "buffer"}],
// PLAN: "mutated": [
// PLAN-NEXT: {"result": 1, "input": 1},
// PLAN-NEXT: {"result": 2, "input": 2}],
// PLAN-NEXT: "results": [
// PLAN-NEXT: {"output": 1},
// PLAN-NEXT: {"input": 0, "sizes": [2, 3], "strides": [4, 1], "offset": 1},
// PLAN-NEXT: {"output": 0},
// PLAN-NEXT: {"input": 1}],
// PLAN: "copies": [
// PLAN-NEXT: {"from": {"space": "workspace"{{.*}}}, "to": {"space": "input", "index": 1}, "bytes": 32},
// PLAN-NEXT: {"from": {"space": "workspace"{{.*}}}, "to": {"space": "input", "index": 2}, "bytes": 8}]}

// REFERENCE: {{^}}  func.func @main({{.*}}: memref<i64>, %{{[a-z0-9]*}}: memref<f64>, {{.*}}attributes {ks.inputs = 3 : i64} {
// REFERENCE-NOT: gpu.memcpy
// REFERENCE: return
