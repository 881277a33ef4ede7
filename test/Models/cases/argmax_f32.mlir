#loc1 = loc("cases.py":65:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<5x31xf32> loc("cases.py":65:0)) -> tensor<5xi64> {
    %c0_i64 = arith.constant 0 : i64 loc(#loc1)
    %cst = arith.constant 0xFF800000 : f32 loc(#loc1)
    %0 = tensor.empty() : tensor<5xi64> loc(#loc1)
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<5xi64>) -> tensor<5xi64> loc(#loc1)
    %2 = tensor.empty() : tensor<5xf32> loc(#loc1)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5xf32>) -> tensor<5xf32> loc(#loc1)
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<5x31xf32>) outs(%3, %1 : tensor<5xf32>, tensor<5xi64>) {
    ^bb0(%in: f32 loc("cases.py":65:0), %out: f32 loc("cases.py":65:0), %out_0: i64 loc("cases.py":65:0)):
      %5 = linalg.index 1 : index loc(#loc1)
      %6 = arith.index_cast %5 : index to i64 loc(#loc1)
      %7 = arith.maximumf %in, %out : f32 loc(#loc1)
      %8 = arith.cmpf ogt, %in, %out : f32 loc(#loc1)
      %9 = arith.select %8, %6, %out_0 : i64 loc(#loc1)
      linalg.yield %7, %9 : f32, i64 loc(#loc1)
    } -> (tensor<5xf32>, tensor<5xi64>) loc(#loc1)
    return %4#1 : tensor<5xi64> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

