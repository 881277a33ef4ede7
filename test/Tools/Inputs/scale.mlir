// y = 2 x + s, of which the last row sums.
#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<3x5xf32>, %s: tensor<f32>)
    -> (tensor<3x5xf32>, tensor<3xf32>) {
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %y = linalg.generic {indexing_maps = [#id, #none, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<3x5xf32>, tensor<f32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %two : f32
    %r = arith.addf %m, %b : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %f = tensor.empty() : tensor<3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  %t = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<3x5xf32>) outs(%z : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %y, %t : tensor<3x5xf32>, tensor<3xf32>
}
