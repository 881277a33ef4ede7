// RUN: ks-run %s --random 1 --device host | FileCheck %s

// A loop carries and accumulates bools, bytes, half and complex numbers, and what
// has no elements.

#id = affine_map<(d0) -> (d0)>
func.func @main(%xb: tensor<4x3xi1>, %xi: tensor<4x3xi8>, %xh: tensor<4x3xbf16>, %xc: tensor<4x3xcomplex<f32>>,
                %b0: tensor<3xi1>, %i0: tensor<3xi8>, %h0: tensor<3xbf16>, %z0: tensor<3xcomplex<f32>>, %n0: tensor<0x3xf32>)
    -> (tensor<3xi1>, tensor<3xi8>, tensor<3xbf16>, tensor<3xcomplex<f32>>, tensor<0x3xf32>, tensor<4x3xi1>, tensor<4x3xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %eb = tensor.empty() : tensor<3xi1>
  %ei = tensor.empty() : tensor<3xi8>
  %eh = tensor.empty() : tensor<3xbf16>
  %ec = tensor.empty() : tensor<3xcomplex<f32>>
  %en = tensor.empty() : tensor<0x3xf32>
  %ab0 = tensor.empty() : tensor<4x3xi1>
  %ac0 = tensor.empty() : tensor<4x3xcomplex<f32>>
  %r:7 = scf.for %t = %c0 to %c4 step %c1 iter_args(%b = %b0, %i = %i0, %h = %h0, %z = %z0, %n = %n0, %ab = %ab0, %ac = %ac0)
      -> (tensor<3xi1>, tensor<3xi8>, tensor<3xbf16>, tensor<3xcomplex<f32>>, tensor<0x3xf32>, tensor<4x3xi1>, tensor<4x3xcomplex<f32>>) {
    %rb = tensor.extract_slice %xb[%t, 0] [1, 3] [1, 1] : tensor<4x3xi1> to tensor<3xi1>
    %ri = tensor.extract_slice %xi[%t, 0] [1, 3] [1, 1] : tensor<4x3xi8> to tensor<3xi8>
    %rh = tensor.extract_slice %xh[%t, 0] [1, 3] [1, 1] : tensor<4x3xbf16> to tensor<3xbf16>
    %rc = tensor.extract_slice %xc[%t, 0] [1, 3] [1, 1] : tensor<4x3xcomplex<f32>> to tensor<3xcomplex<f32>>
    %b1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%b, %rb : tensor<3xi1>, tensor<3xi1>) outs(%eb : tensor<3xi1>) {
    ^bb0(%p: i1, %q: i1, %o: i1):
      %0 = arith.xori %p, %q : i1
      linalg.yield %0 : i1
    } -> tensor<3xi1>
    %i1 = linalg.add ins(%i, %ri : tensor<3xi8>, tensor<3xi8>) outs(%ei : tensor<3xi8>) -> tensor<3xi8>
    %h1 = linalg.add ins(%h, %rh : tensor<3xbf16>, tensor<3xbf16>) outs(%eh : tensor<3xbf16>) -> tensor<3xbf16>
    %z1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%z, %rc : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) outs(%ec : tensor<3xcomplex<f32>>) {
    ^bb0(%p: complex<f32>, %q: complex<f32>, %o: complex<f32>):
      %0 = complex.mul %p, %q : complex<f32>
      linalg.yield %0 : complex<f32>
    } -> tensor<3xcomplex<f32>>
    %n1 = linalg.exp ins(%n : tensor<0x3xf32>) outs(%en : tensor<0x3xf32>) -> tensor<0x3xf32>
    %ab1 = tensor.insert_slice %b1 into %ab[%t, 0] [1, 3] [1, 1] : tensor<3xi1> into tensor<4x3xi1>
    %ac1 = tensor.insert_slice %z1 into %ac[%t, 0] [1, 3] [1, 1] : tensor<3xcomplex<f32>> into tensor<4x3xcomplex<f32>>
    scf.yield %b1, %i1, %h1, %z1, %n1, %ab1, %ac1
        : tensor<3xi1>, tensor<3xi8>, tensor<3xbf16>, tensor<3xcomplex<f32>>, tensor<0x3xf32>, tensor<4x3xi1>, tensor<4x3xcomplex<f32>>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6
      : tensor<3xi1>, tensor<3xi8>, tensor<3xbf16>, tensor<3xcomplex<f32>>, tensor<0x3xf32>, tensor<4x3xi1>, tensor<4x3xcomplex<f32>>
}

// CHECK: output 0: 3xi1 max error 0 allowed 0 ok
// CHECK: output 1: 3xi8 max error 0 allowed 0 ok
// CHECK: output 2: 3xbf16 max error {{.*}} ok
// CHECK: output 3: 3xcomplex<f32> max error {{.*}} ok
// CHECK: output 4: 0x3xf32 max error 0 {{.*}} ok
// CHECK: output 5: 4x3xi1 max error 0 allowed 0 ok
// CHECK: output 6: 4x3xcomplex<f32> max error {{.*}} ok
