// RUN: ks-opt %s --ks-lower-to-cubin="cuda=false reference=true" | FileCheck %s
// RUN: ks-opt %s --ks-lower-to-cubin="cuda=false host=true reference=true" | FileCheck %s --check-prefix=HOST

// The reference: float64 values beside float64 bounds. A product adds u|y| with
// u = 2^-24; the operands are exact inputs, so nothing else.

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<100xf32>, %y: tensor<100xf32>) -> tensor<100xf32> {
  %e = tensor.empty() : tensor<100xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<100xf32>, tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<100xf32>
  return %z : tensor<100xf32>
}

// CHECK: gpu.func @{{.*}}(%{{.*}}: !llvm.ptr {{.*}}, %{{.*}}: !llvm.ptr {{.*}}, %[[VALUE:.*]]: !llvm.ptr {llvm.noalias}, %[[BOUND:.*]]: !llvm.ptr {llvm.noalias})
// CHECK-COUNT-2: arith.extf %{{.*}} : f32 to f64
// CHECK: arith.mulf %{{.*}} : f64
// CHECK: arith.constant 5.9604644775390625E-8 : f64
// CHECK: llvm.store %{{.*}} : f64
// CHECK: llvm.store %{{.*}} : f64

// HOST: func.func @main(%{{.*}}: memref<100xf32>, %{{.*}}: memref<100xf32>, %{{.*}}: memref<100xf64>, %{{.*}}: memref<100xf64>,
