// RUN: ks-opt %s --ks-lower-to-cubin -o %t.mlir
// RUN: %mlir-opt %t.mlir | FileCheck %s
// RUN: %mlir-opt %t.mlir -o %t.again.mlir
// RUN: ks-run %t.again.mlir --random 1 --device host | FileCheck %s --check-prefix=VALUES

// What is written is upstream IR: stock mlir-opt reads it, and ks-run takes what
// stock mlir-opt wrote. A bool is a byte there.

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<10xf32>, %m: tensor<10xi1>) -> (tensor<10xf32>, tensor<10xi1>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %f = tensor.empty() : tensor<10xi1>
  %y:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %m : tensor<10xf32>, tensor<10xi1>) outs(%e, %f : tensor<10xf32>, tensor<10xi1>) {
  ^bb0(%in: f32, %on: i1, %o0: f32, %o1: i1):
    %0 = arith.select %on, %in, %zero : f32
    %1 = arith.cmpf ogt, %0, %zero : f32
    linalg.yield %0, %1 : f32, i1
  } -> (tensor<10xf32>, tensor<10xi1>)
  return %y#0, %y#1 : tensor<10xf32>, tensor<10xi1>
}

// CHECK: gpu.container_module
// CHECK-SAME: ks.source
// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a">, bin = "
// CHECK-SAME: #gpu.object<#nvvm.target<O = 3, chip = "sm_90a">, assembly = "
// CHECK: func.func @main(%{{.*}}: memref<10xf32>, %{{.*}}: memref<10xi8>, %{{.*}}: memref<10xf32>, %{{.*}}: memref<10xi8>, %{{.*}}: memref<256xi8>, %[[STREAM:.*]]: !llvm.ptr)
// CHECK: gpu.launch_func <%[[STREAM]] : !llvm.ptr> @kernels::@

// VALUES: output 0: 10xf32 max error 0 {{.*}}ok
// VALUES: output 1: 10xi1 max error 0 {{.*}}ok
