// Unit dimensions of linalg.generic are dropped, and with them the constant zeros
// of broadcasting maps.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s

// CHECK-LABEL: func.func @keepdim
// CHECK: linalg.generic {{.*}}ins(%{{.*}} : tensor<4x9xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<4x9xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<4x9xf32>)
// CHECK-NOT: tensor<4x1x
func.func @keepdim(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1xf32>) -> tensor<4x1xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x9xf32>) outs(%f : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %ey = tensor.empty() : tensor<4x9xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x9xf32>, tensor<4x1xf32>) outs(%ey : tensor<4x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}
