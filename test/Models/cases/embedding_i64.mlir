#loc1 = loc("torch/nn/modules/sparse.py":189:0)
#loc2 = loc("cases.py":60:0)
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#loc3 = loc(callsite(#loc1 at #loc2))
module {
  func.func @main(%arg0: tensor<3x5xi64> loc(callsite(#loc1 at #loc2)), %arg1: tensor<19x11xf32> loc(callsite(#loc1 at #loc2))) -> tensor<3x5x11xf32> {
    %c19 = arith.constant 19 : index loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %0 = tensor.empty() : tensor<3x5x11xf32> loc(#loc3)
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x5xi64>) outs(%0 : tensor<3x5x11xf32>) {
    ^bb0(%in: i64 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %2 = arith.index_cast %in : i64 to index loc(#loc3)
      %3 = linalg.index 2 : index loc(#loc3)
      %4 = arith.cmpi slt, %2, %c19 : index loc(#loc3)
      cf.assert %4, "index must be smaller than dim size" loc(#loc3)
      %5 = arith.cmpi sge, %in, %c0_i64 : i64 loc(#loc3)
      cf.assert %5, "index must be larger or equal to 0" loc(#loc3)
      %extracted = tensor.extract %arg1[%2, %3] : tensor<19x11xf32> loc(#loc3)
      linalg.yield %extracted : f32 loc(#loc3)
    } -> tensor<3x5x11xf32> loc(#loc3)
    return %1 : tensor<3x5x11xf32> loc(#loc3)
  } loc(#loc3)
} loc(#loc)
#loc = loc(unknown)

