#loc1 = loc("cases.py":106:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<() -> ()>
module {
  func.func @main(%arg0: tensor<19x3xf64> loc("cases.py":106:0)) -> (tensor<3xf64>, tensor<f64>) {
    %c2_i64 = arith.constant 2 : i64 loc(#loc1)
    %c0_i64 = arith.constant 0 : i64 loc(#loc1)
    %cst = arith.constant 0xFFF0000000000000 : f64 loc(#loc1)
    %cst_0 = arith.constant 0.000000e+00 : f64 loc(#loc)
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f64> loc(#loc1)
    %cst_2 = arith.constant 0x7FF0000000000000 : f64 loc(#loc1)
    %cst_3 = arith.constant 5.700000e+01 : f64 loc(#loc)
    %0 = tensor.empty() : tensor<3xi64> loc(#loc1)
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<3xi64>) -> tensor<3xi64> loc(#loc1)
    %2 = tensor.empty() : tensor<3xf64> loc(#loc1)
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<3xf64>) -> tensor<3xf64> loc(#loc1)
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<19x3xf64>) outs(%3, %1 : tensor<3xf64>, tensor<3xi64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0), %out_4: i64 loc("cases.py":106:0)):
      %25 = linalg.index 0 : index loc(#loc1)
      %26 = arith.index_cast %25 : index to i64 loc(#loc1)
      %27 = arith.maximumf %in, %out : f64 loc(#loc1)
      %28 = arith.cmpf ogt, %in, %out : f64 loc(#loc1)
      %29 = arith.select %28, %26, %out_4 : i64 loc(#loc1)
      linalg.yield %27, %29 : f64, i64 loc(#loc1)
    } -> (tensor<3xf64>, tensor<3xi64>) loc(#loc1)
    %expanded = tensor.expand_shape %4#0 [[0, 1]] output_shape [1, 3] : tensor<3xf64> into tensor<1x3xf64> loc(#loc1)
    %5 = tensor.empty() : tensor<1x3xf64> loc(#loc1)
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<1x3xf64>) outs(%5 : tensor<1x3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = math.absf %in : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<1x3xf64> loc(#loc1)
    %7 = tensor.empty() : tensor<1x3xi1> loc(#loc1)
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<1x3xf64>) outs(%7 : tensor<1x3xi1>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: i1 loc("cases.py":106:0)):
      %25 = arith.cmpf oeq, %in, %cst_2 : f64 loc(#loc1)
      linalg.yield %25 : i1 loc(#loc1)
    } -> tensor<1x3xi1> loc(#loc1)
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %cst_1, %expanded : tensor<1x3xi1>, tensor<f64>, tensor<1x3xf64>) outs(%5 : tensor<1x3xf64>) {
    ^bb0(%in: i1 loc("cases.py":106:0), %in_4: f64 loc("cases.py":106:0), %in_5: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.select %in, %in_4, %in_5 : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<1x3xf64> loc(#loc1)
    %collapsed = tensor.collapse_shape %9 [[0, 1]] : tensor<1x3xf64> into tensor<3xf64> loc(#loc1)
    %10 = tensor.empty() : tensor<19x3xf64> loc(#loc1)
    %11 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %9 : tensor<19x3xf64>, tensor<1x3xf64>) outs(%10 : tensor<19x3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %in_4: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.subf %in, %in_4 : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<19x3xf64> loc(#loc1)
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<19x3xf64>) outs(%10 : tensor<19x3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = math.exp %in : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<19x3xf64> loc(#loc1)
    %13 = linalg.fill ins(%cst_0 : f64) outs(%2 : tensor<3xf64>) -> tensor<3xf64> loc(#loc1)
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%12 : tensor<19x3xf64>) outs(%13 : tensor<3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.addf %in, %out : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<3xf64> loc(#loc1)
    %15 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%14 : tensor<3xf64>) outs(%2 : tensor<3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = math.log %in : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<3xf64> loc(#loc1)
    %16 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%15, %collapsed : tensor<3xf64>, tensor<3xf64>) outs(%2 : tensor<3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %in_4: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.addf %in, %in_4 : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<3xf64> loc(#loc1)
    %17 = tensor.empty() : tensor<f64> loc(#loc1)
    %18 = linalg.fill ins(%cst_0 : f64) outs(%17 : tensor<f64>) -> tensor<f64> loc(#loc1)
    %19 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<19x3xf64>) outs(%18 : tensor<f64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.addf %in, %out : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<f64> loc(#loc1)
    %20 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%19 : tensor<f64>) outs(%17 : tensor<f64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.divf %in, %cst_3 : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<f64> loc(#loc1)
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %20 : tensor<19x3xf64>, tensor<f64>) outs(%10 : tensor<19x3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %in_4: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.subf %in, %in_4 : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<19x3xf64> loc(#loc1)
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<19x3xf64>) outs(%10 : tensor<19x3xf64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = math.fpowi %in, %c2_i64 : f64, i64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<19x3xf64> loc(#loc1)
    %23 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction"]} ins(%22 : tensor<19x3xf64>) outs(%18 : tensor<f64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.addf %in, %out : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<f64> loc(#loc1)
    %24 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%23 : tensor<f64>) outs(%17 : tensor<f64>) {
    ^bb0(%in: f64 loc("cases.py":106:0), %out: f64 loc("cases.py":106:0)):
      %25 = arith.divf %in, %cst_3 : f64 loc(#loc1)
      linalg.yield %25 : f64 loc(#loc1)
    } -> tensor<f64> loc(#loc1)
    return %16, %24 : tensor<3xf64>, tensor<f64> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

