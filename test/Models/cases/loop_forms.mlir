// Written by hand; recurrent.py computes the answers. Of the first loop (7
// iterations): integers from row to row (Fibonacci numbers), a running sum that is
// a scalar, two tensors that change places, one value that goes to two places, one
// that stays, the counter in a computation, an accumulator that is not filled. The
// second (4) starts from the first one's results and reads its rows.
#id = affine_map<(d0) -> (d0)>
func.func @main(%xs: tensor<7x3xf32>, %p0: tensor<3xf32>, %q0: tensor<3xf32>, %s0: f32)
    -> (tensor<i64>, f32, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<9x3xf32>, tensor<7xi64>, tensor<3xf32>, tensor<4x1x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %a0 = arith.constant dense<0> : tensor<i64>
  %b0 = arith.constant dense<1> : tensor<i64>
  %e = tensor.empty() : tensor<3xf32>
  %ei = tensor.empty() : tensor<i64>
  %el = tensor.empty() : tensor<7xi64>
  %ones = arith.constant dense<1.0> : tensor<9x3xf32>
  %r:9 = scf.for %t = %c0 to %c7 step %c1
      iter_args(%a = %a0, %b = %b0, %s = %s0, %p = %p0, %q = %q0, %h = %p0, %k = %q0, %all = %ones, %fib = %el)
      -> (tensor<i64>, tensor<i64>, f32, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<9x3xf32>, tensor<7xi64>) {
    %x = tensor.extract_slice %xs[%t, 0] [1, 3] [1, 1] : tensor<7x3xf32> to tensor<3xf32>
    %n = linalg.add ins(%a, %b : tensor<i64>, tensor<i64>) outs(%ei : tensor<i64>) -> tensor<i64>
    %ti = arith.index_cast %t : index to i64
    %tf = arith.sitofp %ti : i64 to f32
    %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%x, %h : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %0 = arith.mulf %i, %tf : f32
      %1 = arith.addf %0, %j : f32
      %2 = math.tanh %1 : f32
      linalg.yield %2 : f32
    } -> tensor<3xf32>
    %first = tensor.extract %m[%c0] : tensor<3xf32>
    %s1 = arith.addf %s, %first : f32
    %all1 = tensor.insert_slice %m into %all[%t, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<9x3xf32>
    %fib1 = tensor.insert_slice %a into %fib[%t] [1] [1] : tensor<i64> into tensor<7xi64>
    scf.yield %b, %n, %s1, %q, %p, %m, %k, %all1, %fib1
        : tensor<i64>, tensor<i64>, f32, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<9x3xf32>, tensor<7xi64>
  }
  %rows = tensor.empty() : tensor<4x1x3xf32>
  %u:2 = scf.for %t = %c0 to %c4 step %c1 iter_args(%h = %r#5, %all = %rows) -> (tensor<3xf32>, tensor<4x1x3xf32>) {
    %y = tensor.extract_slice %r#7[%t, 0] [1, 3] [1, 1] : tensor<9x3xf32> to tensor<3xf32>
    %n = linalg.sub ins(%y, %h : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %row = tensor.expand_shape %n [[0, 1, 2]] output_shape [1, 1, 3] : tensor<3xf32> into tensor<1x1x3xf32>
    %all1 = tensor.insert_slice %row into %all[%t, 0, 0] [1, 1, 3] [1, 1, 1] : tensor<1x1x3xf32> into tensor<4x1x3xf32>
    scf.yield %n, %all1 : tensor<3xf32>, tensor<4x1x3xf32>
  }
  return %r#0, %r#2, %r#3, %r#4, %r#6, %r#7, %r#8, %u#0, %u#1
      : tensor<i64>, f32, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<9x3xf32>, tensor<7xi64>, tensor<3xf32>, tensor<4x1x3xf32>
}
