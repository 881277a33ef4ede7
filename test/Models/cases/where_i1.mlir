#loc1 = loc("cases.py":85:0)
#loc2 = loc("cases.py":86:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<7x9xi1> loc("cases.py":85:0), %arg1: tensor<7x9xf32> loc("cases.py":85:0), %arg2: tensor<7x1xf32> loc("cases.py":85:0)) -> (tensor<7x9xf32>, tensor<7x9xi1>) {
    %0 = tensor.empty() : tensor<7x9xi1> loc(#loc1)
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg2 : tensor<7x9xf32>, tensor<7x1xf32>) outs(%0 : tensor<7x9xi1>) {
    ^bb0(%in: f32 loc("cases.py":85:0), %in_0: f32 loc("cases.py":85:0), %out: i1 loc("cases.py":85:0)):
      %5 = arith.cmpf ogt, %in, %in_0 : f32 loc(#loc1)
      linalg.yield %5 : i1 loc(#loc1)
    } -> tensor<7x9xi1> loc(#loc1)
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<7x9xi1>, tensor<7x9xi1>) outs(%0 : tensor<7x9xi1>) {
    ^bb0(%in: i1 loc("cases.py":85:0), %in_0: i1 loc("cases.py":85:0), %out: i1 loc("cases.py":85:0)):
      %5 = arith.andi %in, %in_0 : i1 loc(#loc1)
      linalg.yield %5 : i1 loc(#loc1)
    } -> tensor<7x9xi1> loc(#loc1)
    %3 = tensor.empty() : tensor<7x9xf32> loc(#loc2)
    %4 = linalg.generic {indexing_maps = [#map, #map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg1, %arg2 : tensor<7x9xi1>, tensor<7x9xf32>, tensor<7x1xf32>) outs(%3 : tensor<7x9xf32>) {
    ^bb0(%in: i1 loc("cases.py":85:0), %in_0: f32 loc("cases.py":85:0), %in_1: f32 loc("cases.py":85:0), %out: f32 loc("cases.py":86:0)):
      %5 = arith.select %in, %in_0, %in_1 : f32 loc(#loc2)
      linalg.yield %5 : f32 loc(#loc2)
    } -> tensor<7x9xf32> loc(#loc2)
    return %4, %2 : tensor<7x9xf32>, tensor<7x9xi1> loc(#loc2)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

