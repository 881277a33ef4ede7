// RUN: %ks-opt %s --ks-cut-kernels | FileCheck %s
// RUN: %ks-opt %s --ks-cut-kernels --ks-cut-kernels | FileCheck %s

// The body of a loop is cut as a function is, and nothing is fused across its
// border: %w is computed once, before. Equal kernels are one, in and out of the
// loop. Of what the body yields, each is a kernel's own result: an argument, as
// in the swap of %p and %q, and a value that goes to two places are copied, the
// latter by the kernel that computes it. Views outside of the loop are read
// through.

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[XS:.*]]: tensor<15x4xf32>, %[[W0:.*]]: tensor<3x4xf32>, %[[H0:.*]]: tensor<4x3xf32>)
// CHECK-DAG:     %[[W:.*]] = call @exp(%[[W0]])
// CHECK-DAG:     %[[ONES:.*]] = call @copy() : () -> tensor<4x3xf32>
// CHECK-DAG:     %[[ROWS:.*]] = tensor.expand_shape %[[XS]] {{.*}} into tensor<5x3x4xf32>
// CHECK-DAG:     %[[E:.*]] = tensor.empty() : tensor<5x1x4x3xf32>
// CHECK:         %[[R:.*]]:4 = scf.for %[[T:.*]] = %c0 to %c5 step %c1 iter_args(%[[H:.*]] = %[[H0]], %[[P:.*]] = %[[ONES]], %[[Q:.*]] = %[[H0]], %[[ALL:.*]] = %[[E]])
// CHECK:           %[[X:.*]] = tensor.extract_slice %[[ROWS]][%[[T]], 0, 0] [1, 3, 4] [1, 1, 1]
// CHECK:           %[[N:.*]]:2 = func.call @elementwise_add_tanh(%[[X]], %[[W]], %[[H]])
// CHECK:           %[[P1:.*]] = func.call @copy_2(%[[Q]])
// CHECK:           %[[Q1:.*]] = func.call @copy_2(%[[P]])
// CHECK:           %[[ROW:.*]] = tensor.expand_shape %[[N]]#1 {{.*}} into tensor<1x4x3xf32>
// CHECK:           %[[A:.*]] = tensor.insert_slice %[[ROW]] into %[[ALL]][%[[T]], 0, 0, 0]
// CHECK:           scf.yield %[[N]]#0, %[[P1]], %[[Q1]], %[[A]]
// CHECK:         %[[Y:.*]] = call @exp_2(%[[R]]#0)
// CHECK:         return %[[R]]#3, %[[Y]], %[[R]]#1
// CHECK-COUNT-5: func.func private
// CHECK-NOT:     func.func private
func.func @main(%xs: tensor<15x4xf32>, %w0: tensor<3x4xf32>, %h0: tensor<4x3xf32>)
    -> (tensor<5x1x4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = tensor.empty() : tensor<3x4xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %all0 = tensor.empty() : tensor<5x1x4x3xf32>
  %w = linalg.exp ins(%w0 : tensor<3x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  %wt = linalg.transpose ins(%w : tensor<3x4xf32>) outs(%e : tensor<4x3xf32>) permutation = [1, 0]
  %rows = tensor.expand_shape %xs [[0, 1], [2]] output_shape [5, 3, 4] : tensor<15x4xf32> into tensor<5x3x4xf32>
  %r:4 = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %h0, %p = %ones, %q = %h0, %all = %all0)
      -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<5x1x4x3xf32>) {
    %x = tensor.extract_slice %rows[%t, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<5x3x4xf32> to tensor<3x4xf32>
    %s = linalg.generic {indexing_maps = [#tr, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %wt : tensor<3x4xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<4x3xf32>
    %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s, %h : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %0 = arith.addf %a, %b : f32
      %1 = math.tanh %0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x3xf32>
    %row = tensor.expand_shape %n [[0, 1], [2]] output_shape [1, 4, 3] : tensor<4x3xf32> into tensor<1x4x3xf32>
    %all1 = tensor.insert_slice %row into %all[%t, 0, 0, 0] [1, 1, 4, 3] [1, 1, 1, 1] : tensor<1x4x3xf32> into tensor<5x1x4x3xf32>
    scf.yield %n, %q, %p, %all1 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<5x1x4x3xf32>
  }
  %y = linalg.exp ins(%r#0 : tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r#3, %y, %r#1 : tensor<5x1x4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}
