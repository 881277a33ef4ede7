// Constants that are read where they are needed: complex ones, splats or not,
// as an operand, an initial value or in a body, and bools kept as a resource,
// a byte each. Both hold in float64 too.
// RUN: ks-opt %s --ks-lower-to-cubin=cuda=false | ks-opt -o /dev/null
// RUN: ks-run %s --random 1 --device host | FileCheck %s

// CHECK: output 0: complex<f32> max error {{.*}} ok
// CHECK-NEXT: output 1: 3xcomplex<f32> max error {{.*}} ok
// CHECK-NEXT: output 2: 10xi1 max error 0 {{.*}} ok
#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
module {
  func.func @main(%x: tensor<3xcomplex<f32>>, %b: tensor<10xi1>) -> (tensor<complex<f32>>, tensor<3xcomplex<f32>>, tensor<10xi1>) {
    %start = arith.constant dense<(-1.0, 1.0)> : tensor<complex<f32>>
    %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%x : tensor<3xcomplex<f32>>) outs(%start : tensor<complex<f32>>) {
    ^bb0(%in: complex<f32>, %acc: complex<f32>):
      %0 = complex.add %in, %acc : complex<f32>
      linalg.yield %0 : complex<f32>
    } -> tensor<complex<f32>>
    %table = arith.constant dense<[(1.0, 2.0), (3.0, 4.0), (5.0, -6.0)]> : tensor<3xcomplex<f32>>
    %factor = complex.constant [0.5 : f32, 2.0 : f32] : complex<f32>
    %e = tensor.empty() : tensor<3xcomplex<f32>>
    %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %table : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) outs(%e : tensor<3xcomplex<f32>>) {
    ^bb0(%in: complex<f32>, %t: complex<f32>, %out: complex<f32>):
      %0 = complex.mul %in, %factor : complex<f32>
      %1 = complex.add %0, %t : complex<f32>
      linalg.yield %1 : complex<f32>
    } -> tensor<3xcomplex<f32>>
    %bools = arith.constant dense_resource<mask> : tensor<10xi1>
    %eb = tensor.empty() : tensor<10xi1>
    %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%b, %bools : tensor<10xi1>, tensor<10xi1>) outs(%eb : tensor<10xi1>) {
    ^bb0(%in: i1, %m: i1, %out: i1):
      %0 = arith.xori %in, %m : i1
      linalg.yield %0 : i1
    } -> tensor<10xi1>
    return %sum, %y, %z : tensor<complex<f32>>, tensor<3xcomplex<f32>>, tensor<10xi1>
  }
}
{-#
  dialect_resources: { builtin: { mask: "0x0100000001000100000101000001" } }
#-}
