#loc1 = loc("torch/nn/modules/linear.py":134:0)
#loc2 = loc("cases.py":36:0)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#loc3 = loc(callsite(#loc1 at #loc2))
module {
  func.func @main(%arg0: tensor<17x33xf16> loc(callsite(#loc1 at #loc2)), %arg1: tensor<29x33xf16> loc(callsite(#loc1 at #loc2)), %arg2: tensor<29xf16> loc(callsite(#loc1 at #loc2))) -> tensor<17x29xf16> {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc3)
    %c3_i64 = arith.constant 3 : i64 loc(#loc)
    %cst_0 = arith.constant 4.470830e-02 : f16 loc(#loc)
    %cst_1 = arith.constant 7.978520e-01 : f16 loc(#loc)
    %cst_2 = arith.constant 1.000000e+00 : f16 loc(#loc)
    %cst_3 = arith.constant 5.000000e-01 : f16 loc(#loc)
    %0 = tensor.empty() : tensor<33x29xf16> loc(#loc3)
    %transposed = linalg.transpose ins(%arg1 : tensor<29x33xf16>) outs(%0 : tensor<33x29xf16>) permutation = [1, 0]  loc(#loc3)
    %1 = tensor.empty() : tensor<29xf32> loc(#loc3)
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<29xf16>) outs(%1 : tensor<29xf32>) {
    ^bb0(%in: f16 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %14 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %14 : f32 loc(#loc3)
    } -> tensor<29xf32> loc(#loc3)
    %3 = tensor.empty() : tensor<17x33xf32> loc(#loc3)
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<17x33xf16>) outs(%3 : tensor<17x33xf32>) {
    ^bb0(%in: f16 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %14 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %14 : f32 loc(#loc3)
    } -> tensor<17x33xf32> loc(#loc3)
    %5 = tensor.empty() : tensor<33x29xf32> loc(#loc3)
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<33x29xf16>) outs(%5 : tensor<33x29xf32>) {
    ^bb0(%in: f16 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %14 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %14 : f32 loc(#loc3)
    } -> tensor<33x29xf32> loc(#loc3)
    %7 = tensor.empty() : tensor<17x29xf32> loc(#loc3)
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<17x29xf32>) -> tensor<17x29xf32> loc(#loc3)
    %9 = linalg.matmul ins(%4, %6 : tensor<17x33xf32>, tensor<33x29xf32>) outs(%8 : tensor<17x29xf32>) -> tensor<17x29xf32> loc(#loc3)
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<17x29xf32>, tensor<29xf32>) outs(%7 : tensor<17x29xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_4: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %14 = arith.addf %in, %in_4 : f32 loc(#loc3)
      linalg.yield %14 : f32 loc(#loc3)
    } -> tensor<17x29xf32> loc(#loc3)
    %11 = tensor.empty() : tensor<17x29xf16> loc(#loc3)
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<17x29xf32>) outs(%11 : tensor<17x29xf16>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f16 loc(callsite(#loc1 at #loc2))):
      %14 = arith.truncf %in : f32 to f16 loc(#loc3)
      linalg.yield %14 : f16 loc(#loc3)
    } -> tensor<17x29xf16> loc(#loc3)
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<17x29xf16>) outs(%11 : tensor<17x29xf16>) {
    ^bb0(%in: f16 loc(callsite(#loc1 at #loc2)), %out: f16 loc("cases.py":36:0)):
      %14 = math.fpowi %in, %c3_i64 : f16, i64 loc(#loc2)
      %15 = arith.mulf %14, %cst_0 : f16 loc(#loc2)
      %16 = arith.addf %in, %15 : f16 loc(#loc2)
      %17 = arith.mulf %16, %cst_1 : f16 loc(#loc2)
      %18 = math.tanh %17 : f16 loc(#loc2)
      %19 = arith.addf %18, %cst_2 : f16 loc(#loc2)
      %20 = arith.mulf %19, %cst_3 : f16 loc(#loc2)
      %21 = arith.mulf %in, %20 : f16 loc(#loc2)
      linalg.yield %21 : f16 loc(#loc2)
    } -> tensor<17x29xf16> loc(#loc2)
    return %13 : tensor<17x29xf16> loc(#loc2)
  } loc(#loc3)
} loc(#loc)
#loc = loc(unknown)

