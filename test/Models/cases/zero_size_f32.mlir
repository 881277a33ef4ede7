#loc1 = loc("cases.py":111:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<4x0xf32> loc("cases.py":111:0), %arg1: tensor<4x3xf32> loc("cases.py":111:0)) -> (tensor<4x3xf32>, tensor<4xf32>, tensor<4x0xf32>) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc1)
    %cst_0 = arith.constant 2.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<4xf32> loc(#loc1)
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32> loc(#loc1)
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x0xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32 loc("cases.py":111:0), %out: f32 loc("cases.py":111:0)):
      %5 = arith.addf %in, %out : f32 loc(#loc1)
      linalg.yield %5 : f32 loc(#loc1)
    } -> tensor<4xf32> loc(#loc1)
    %3 = tensor.empty() : tensor<4x0xf32> loc(#loc1)
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x0xf32>) outs(%3 : tensor<4x0xf32>) {
    ^bb0(%in: f32 loc("cases.py":111:0), %out: f32 loc("cases.py":111:0)):
      %5 = arith.mulf %in, %cst_0 : f32 loc(#loc1)
      linalg.yield %5 : f32 loc(#loc1)
    } -> tensor<4x0xf32> loc(#loc1)
    return %arg1, %2, %4 : tensor<4x3xf32>, tensor<4xf32>, tensor<4x0xf32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

