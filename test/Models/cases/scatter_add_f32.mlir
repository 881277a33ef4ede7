#loc1 = loc("cases.py":80:0)
#map = affine_map<(d0) -> (d0, 0)>
#map1 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<6x9xf32> loc("cases.py":80:0), %arg1: tensor<13x9xi64> loc("cases.py":80:0), %arg2: tensor<13x9xf32> loc("cases.py":80:0)) -> tensor<6x9xf32> {
    %c13 = arith.constant 13 : index loc(#loc)
    %c9 = arith.constant 9 : index loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc1)
    %0 = tensor.empty() : tensor<117x1xi64> loc(#loc1)
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<117x1xi64>) -> tensor<117x1xi64> loc(#loc1)
    %2 = tensor.empty() : tensor<117xf32> loc(#loc1)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<117xf32>) -> tensor<117xf32> loc(#loc1)
    %4:3 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["parallel"]} outs(%1, %1, %3 : tensor<117x1xi64>, tensor<117x1xi64>, tensor<117xf32>) {
    ^bb0(%out: i64 loc("cases.py":80:0), %out_1: i64 loc("cases.py":80:0), %out_2: f32 loc("cases.py":80:0)):
      %8 = linalg.index 0 : index loc(#loc1)
      %9 = arith.remsi %8, %c9 : index loc(#loc1)
      %10 = arith.divsi %8, %c9 : index loc(#loc1)
      %11 = arith.remsi %10, %c13 : index loc(#loc1)
      %extracted = tensor.extract %arg1[%11, %9] : tensor<13x9xi64> loc(#loc1)
      %extracted_3 = tensor.extract %arg2[%11, %9] : tensor<13x9xf32> loc(#loc1)
      %12 = arith.index_cast %9 : index to i64 loc(#loc1)
      linalg.yield %extracted, %12, %extracted_3 : i64, i64, f32 loc(#loc1)
    } -> (tensor<117x1xi64>, tensor<117x1xi64>, tensor<117xf32>) loc(#loc1)
    %5 = tensor.empty() : tensor<117x2xi64> loc(#loc1)
    %6 = linalg.fill ins(%c0_i64 : i64) outs(%5 : tensor<117x2xi64>) -> tensor<117x2xi64> loc(#loc1)
    %inserted_slice = tensor.insert_slice %4#0 into %6[0, 0] [117, 1] [1, 1] : tensor<117x1xi64> into tensor<117x2xi64> loc(#loc1)
    %inserted_slice_0 = tensor.insert_slice %4#1 into %inserted_slice[0, 1] [117, 1] [1, 1] : tensor<117x1xi64> into tensor<117x2xi64> loc(#loc1)
    %7 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%4#2, %inserted_slice_0 : tensor<117xf32>, tensor<117x2xi64>) outs(%arg0 : tensor<6x9xf32>) {
    ^bb0(%arg3: f32 loc("cases.py":80:0), %arg4: f32 loc("cases.py":80:0)):
      %8 = arith.addf %arg4, %arg3 : f32 loc(#loc1)
      tm_tensor.yield %8 : f32 loc(#loc1)
    } -> tensor<6x9xf32> loc(#loc1)
    return %7 : tensor<6x9xf32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

