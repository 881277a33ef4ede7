#loc1 = loc("cases.py":95:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<6x37xbf16> loc("cases.py":95:0), %arg1: tensor<37xbf16> loc("cases.py":95:0)) -> tensor<6x37xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16 loc(#loc1)
    %cst_0 = arith.constant 1.000000e-05 : f64 loc(#loc1)
    %cst_1 = arith.constant 3.700000e+01 : bf16 loc(#loc)
    %0 = tensor.empty() : tensor<6x37xbf16> loc(#loc1)
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<6x37xbf16>, tensor<6x37xbf16>) outs(%0 : tensor<6x37xbf16>) {
    ^bb0(%in: bf16 loc("cases.py":95:0), %in_2: bf16 loc("cases.py":95:0), %out: bf16 loc("cases.py":95:0)):
      %10 = arith.mulf %in, %in_2 : bf16 loc(#loc1)
      linalg.yield %10 : bf16 loc(#loc1)
    } -> tensor<6x37xbf16> loc(#loc1)
    %2 = tensor.empty() : tensor<6x1xbf16> loc(#loc1)
    %3 = linalg.fill ins(%cst : bf16) outs(%2 : tensor<6x1xbf16>) -> tensor<6x1xbf16> loc(#loc1)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<6x37xbf16>) outs(%3 : tensor<6x1xbf16>) {
    ^bb0(%in: bf16 loc("cases.py":95:0), %out: bf16 loc("cases.py":95:0)):
      %10 = arith.addf %in, %out : bf16 loc(#loc1)
      linalg.yield %10 : bf16 loc(#loc1)
    } -> tensor<6x1xbf16> loc(#loc1)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6x1xbf16>) outs(%2 : tensor<6x1xbf16>) {
    ^bb0(%in: bf16 loc("cases.py":95:0), %out: bf16 loc("cases.py":95:0)):
      %10 = arith.divf %in, %cst_1 : bf16 loc(#loc1)
      linalg.yield %10 : bf16 loc(#loc1)
    } -> tensor<6x1xbf16> loc(#loc1)
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x1xbf16>) outs(%2 : tensor<6x1xbf16>) {
    ^bb0(%in: bf16 loc("cases.py":95:0), %out: bf16 loc("cases.py":95:0)):
      %10 = arith.truncf %cst_0 : f64 to bf16 loc(#loc1)
      %11 = arith.addf %in, %10 : bf16 loc(#loc1)
      linalg.yield %11 : bf16 loc(#loc1)
    } -> tensor<6x1xbf16> loc(#loc1)
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x1xbf16>) outs(%2 : tensor<6x1xbf16>) {
    ^bb0(%in: bf16 loc("cases.py":95:0), %out: bf16 loc("cases.py":95:0)):
      %10 = math.rsqrt %in : bf16 loc(#loc1)
      linalg.yield %10 : bf16 loc(#loc1)
    } -> tensor<6x1xbf16> loc(#loc1)
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %7 : tensor<6x37xbf16>, tensor<6x1xbf16>) outs(%0 : tensor<6x37xbf16>) {
    ^bb0(%in: bf16 loc("cases.py":95:0), %in_2: bf16 loc("cases.py":95:0), %out: bf16 loc("cases.py":95:0)):
      %10 = arith.mulf %in, %in_2 : bf16 loc(#loc1)
      linalg.yield %10 : bf16 loc(#loc1)
    } -> tensor<6x37xbf16> loc(#loc1)
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg1 : tensor<6x37xbf16>, tensor<37xbf16>) outs(%0 : tensor<6x37xbf16>) {
    ^bb0(%in: bf16 loc("cases.py":95:0), %in_2: bf16 loc("cases.py":95:0), %out: bf16 loc("cases.py":95:0)):
      %10 = arith.mulf %in, %in_2 : bf16 loc(#loc1)
      linalg.yield %10 : bf16 loc(#loc1)
    } -> tensor<6x37xbf16> loc(#loc1)
    return %9 : tensor<6x37xbf16> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

