#loc1 = loc("torch/nn/modules/normalization.py":229:0)
#loc2 = loc("cases.py":27:0)
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#loc3 = loc(callsite(#loc1 at #loc2))
module {
  func.func @main(%arg0: tensor<3x7x65xf32> loc(callsite(#loc1 at #loc2)), %arg1: tensor<65xf32> loc(callsite(#loc1 at #loc2)), %arg2: tensor<65xf32> loc(callsite(#loc1 at #loc2))) -> tensor<3x7x65xf32> {
    %cst = arith.constant 0.000000e+00 : f64 loc(#loc)
    %cst_0 = arith.constant 0.000000e+00 : f32 loc(#loc3)
    %cst_1 = arith.constant 1.000000e-05 : f64 loc(#loc3)
    %cst_2 = arith.constant 6.500000e+01 : f64 loc(#loc)
    %cst_3 = arith.constant 6.500000e+01 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<3x7x65xf64> loc(#loc3)
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x7x65xf32>) outs(%0 : tensor<3x7x65xf64>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %22 = arith.extf %in : f32 to f64 loc(#loc3)
      linalg.yield %22 : f64 loc(#loc3)
    } -> tensor<3x7x65xf64> loc(#loc3)
    %2 = tensor.empty() : tensor<3x7x1xf64> loc(#loc3)
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<3x7x1xf64>) -> tensor<3x7x1xf64> loc(#loc3)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<3x7x65xf64>) outs(%3 : tensor<3x7x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %22 = arith.addf %in, %out : f64 loc(#loc3)
      linalg.yield %22 : f64 loc(#loc3)
    } -> tensor<3x7x1xf64> loc(#loc3)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<3x7x1xf64>) outs(%2 : tensor<3x7x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %22 = arith.divf %in, %cst_2 : f64 loc(#loc3)
      linalg.yield %22 : f64 loc(#loc3)
    } -> tensor<3x7x1xf64> loc(#loc3)
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<3x7x65xf64>, tensor<3x7x1xf64>) outs(%0 : tensor<3x7x65xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %in_4: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %22 = arith.subf %in, %in_4 : f64 loc(#loc3)
      linalg.yield %22 : f64 loc(#loc3)
    } -> tensor<3x7x65xf64> loc(#loc3)
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<3x7x65xf64>, tensor<3x7x65xf64>) outs(%0 : tensor<3x7x65xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %in_4: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %22 = arith.mulf %in, %in_4 : f64 loc(#loc3)
      linalg.yield %22 : f64 loc(#loc3)
    } -> tensor<3x7x65xf64> loc(#loc3)
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<3x7x65xf64>) outs(%3 : tensor<3x7x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %22 = arith.addf %in, %out : f64 loc(#loc3)
      linalg.yield %22 : f64 loc(#loc3)
    } -> tensor<3x7x1xf64> loc(#loc3)
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<3x7x1xf64>) outs(%2 : tensor<3x7x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %22 = arith.divf %in, %cst_2 : f64 loc(#loc3)
      linalg.yield %22 : f64 loc(#loc3)
    } -> tensor<3x7x1xf64> loc(#loc3)
    %10 = tensor.empty() : tensor<3x7x1xf32> loc(#loc3)
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<3x7x1xf64>) outs(%10 : tensor<3x7x1xf32>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.truncf %in : f64 to f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x1xf32> loc(#loc3)
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<3x7x1xf32>) -> tensor<3x7x1xf32> loc(#loc3)
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<3x7x65xf32>) outs(%12 : tensor<3x7x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.addf %in, %out : f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x1xf32> loc(#loc3)
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<3x7x1xf32>) outs(%10 : tensor<3x7x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.divf %in, %cst_3 : f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x1xf32> loc(#loc3)
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<3x7x1xf32>) outs(%10 : tensor<3x7x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.truncf %cst_1 : f64 to f32 loc(#loc3)
      %23 = arith.addf %in, %22 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7x1xf32> loc(#loc3)
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<3x7x1xf32>) outs(%10 : tensor<3x7x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = math.rsqrt %in : f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x1xf32> loc(#loc3)
    %17 = tensor.empty() : tensor<3x7x65xf32> loc(#loc3)
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<3x7x65xf32>, tensor<3x7x1xf32>) outs(%17 : tensor<3x7x65xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_4: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.subf %in, %in_4 : f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x65xf32> loc(#loc3)
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<3x7x65xf32>, tensor<3x7x1xf32>) outs(%17 : tensor<3x7x65xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_4: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.mulf %in, %in_4 : f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x65xf32> loc(#loc3)
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<3x7x65xf32>, tensor<65xf32>) outs(%17 : tensor<3x7x65xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_4: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.mulf %in, %in_4 : f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x65xf32> loc(#loc3)
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<3x7x65xf32>, tensor<65xf32>) outs(%17 : tensor<3x7x65xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_4: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %22 = arith.addf %in, %in_4 : f32 loc(#loc3)
      linalg.yield %22 : f32 loc(#loc3)
    } -> tensor<3x7x65xf32> loc(#loc3)
    return %21 : tensor<3x7x65xf32> loc(#loc3)
  } loc(#loc3)
} loc(#loc)
#loc = loc(unknown)

