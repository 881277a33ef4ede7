#loc1 = loc("cases.py":18:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<5x37xf32> loc("cases.py":18:0)) -> tensor<5x37xf32> {
    %c0_i64 = arith.constant 0 : i64 loc(#loc1)
    %cst = arith.constant 0xFF800000 : f32 loc(#loc1)
    %cst_0 = arith.constant 0.000000e+00 : f32 loc(#loc1)
    %0 = tensor.empty() : tensor<5xi64> loc(#loc1)
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<5xi64>) -> tensor<5xi64> loc(#loc1)
    %2 = tensor.empty() : tensor<5xf32> loc(#loc1)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5xf32>) -> tensor<5xf32> loc(#loc1)
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<5x37xf32>) outs(%3, %1 : tensor<5xf32>, tensor<5xi64>) {
    ^bb0(%in: f32 loc("cases.py":18:0), %out: f32 loc("cases.py":18:0), %out_1: i64 loc("cases.py":18:0)):
      %12 = linalg.index 1 : index loc(#loc1)
      %13 = arith.index_cast %12 : index to i64 loc(#loc1)
      %14 = arith.maximumf %in, %out : f32 loc(#loc1)
      %15 = arith.cmpf ogt, %in, %out : f32 loc(#loc1)
      %16 = arith.select %15, %13, %out_1 : i64 loc(#loc1)
      linalg.yield %14, %16 : f32, i64 loc(#loc1)
    } -> (tensor<5xf32>, tensor<5xi64>) loc(#loc1)
    %expanded = tensor.expand_shape %4#0 [[0, 1]] output_shape [5, 1] : tensor<5xf32> into tensor<5x1xf32> loc(#loc1)
    %5 = tensor.empty() : tensor<5x37xf32> loc(#loc1)
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<5x37xf32>, tensor<5x1xf32>) outs(%5 : tensor<5x37xf32>) {
    ^bb0(%in: f32 loc("cases.py":18:0), %in_1: f32 loc("cases.py":18:0), %out: f32 loc("cases.py":18:0)):
      %12 = arith.subf %in, %in_1 : f32 loc(#loc1)
      linalg.yield %12 : f32 loc(#loc1)
    } -> tensor<5x37xf32> loc(#loc1)
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<5x37xf32>) outs(%5 : tensor<5x37xf32>) {
    ^bb0(%in: f32 loc("cases.py":18:0), %out: f32 loc("cases.py":18:0)):
      %12 = math.exp %in : f32 loc(#loc1)
      linalg.yield %12 : f32 loc(#loc1)
    } -> tensor<5x37xf32> loc(#loc1)
    %8 = tensor.empty() : tensor<5x1xf32> loc(#loc1)
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<5x1xf32>) -> tensor<5x1xf32> loc(#loc1)
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<5x37xf32>) outs(%9 : tensor<5x1xf32>) {
    ^bb0(%in: f32 loc("cases.py":18:0), %out: f32 loc("cases.py":18:0)):
      %12 = arith.addf %in, %out : f32 loc(#loc1)
      linalg.yield %12 : f32 loc(#loc1)
    } -> tensor<5x1xf32> loc(#loc1)
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %10 : tensor<5x37xf32>, tensor<5x1xf32>) outs(%5 : tensor<5x37xf32>) {
    ^bb0(%in: f32 loc("cases.py":18:0), %in_1: f32 loc("cases.py":18:0), %out: f32 loc("cases.py":18:0)):
      %12 = arith.divf %in, %in_1 : f32 loc(#loc1)
      linalg.yield %12 : f32 loc(#loc1)
    } -> tensor<5x37xf32> loc(#loc1)
    return %11 : tensor<5x37xf32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

