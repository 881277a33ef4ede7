// A loop carries what it starts with in its own size, through one loop to the next.
// RUN: ks-opt %s --ks-specialize=sizes=batch=3 | FileCheck %s
// RUN: ks-opt %s --ks-specialize=sizes=batch=3 --ks-normalize | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    -> (tensor<3x4xf32>, tensor<5x3x4xf32>, tensor<3x4xf32>)
// CHECK-NOT:     ?
// CHECK:         scf.for
// CHECK-NOT:     ?
// CHECK:         scf.for
// CHECK-NOT:     ?
// CHECK:         return
func.func @main(%xs: tensor<5x?x4xf32> {ks.dims = ["", "batch", ""]})
    -> (tensor<?x4xf32>, tensor<5x?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %xs, %c1 : tensor<5x?x4xf32>
  %e = tensor.empty(%n) : tensor<5x?x4xf32>
  %z = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %zeros, %all = %e) -> (tensor<?x4xf32>, tensor<5x?x4xf32>) {
    %m = tensor.dim %h, %c0 : tensor<?x4xf32>
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, %m, 4] [1, 1, 1] : tensor<5x?x4xf32> to tensor<?x4xf32>
    %f = tensor.empty(%m) : tensor<?x4xf32>
    %q = linalg.add ins(%h, %x : tensor<?x4xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
    %all1 = tensor.insert_slice %q into %all[%t, 0, 0] [1, %m, 4] [1, 1, 1] : tensor<?x4xf32> into tensor<5x?x4xf32>
    scf.yield %q, %all1 : tensor<?x4xf32>, tensor<5x?x4xf32>
  }
  %s = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %r#0) -> tensor<?x4xf32> {
    %m = tensor.dim %h, %c0 : tensor<?x4xf32>
    %x = tensor.extract_slice %r#1[%t, 0, 0] [1, %m, 4] [1, 1, 1] : tensor<5x?x4xf32> to tensor<?x4xf32>
    %f = tensor.empty(%m) : tensor<?x4xf32>
    %q = linalg.sub ins(%h, %x : tensor<?x4xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %q : tensor<?x4xf32>
  }
  return %r#0, %r#1, %s : tensor<?x4xf32>, tensor<5x?x4xf32>, tensor<?x4xf32>
}
