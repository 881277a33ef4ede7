#loc1 = loc("torch/nn/modules/normalization.py":229:0)
#loc2 = loc("mlp_block.py":21:0)
#loc3 = loc("mlp_block.py":27:0)
#loc4 = loc("torch/nn/modules/linear.py":134:0)
#loc5 = loc("mlp_block.py":22:0)
#loc6 = loc("mlp_block.py":23:0)
#loc7 = loc("mlp_block.py":24:0)
#loc8 = loc("mlp_block.py":25:0)
#loc9 = loc("mlp_block.py":26:0)
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#loc10 = loc(callsite(#loc1 at #loc2))
#loc11 = loc(callsite(#loc4 at #loc5))
#loc12 = loc(callsite(#loc4 at #loc7))
#loc13 = loc(callsite(#loc1 at #loc9))
#loc14 = loc(callsite(#loc4 at #loc9))
module {
  func.func @main(%arg0: tensor<4x33x48xf32> loc(callsite(#loc1 at #loc2)), %arg1: tensor<48xf32> loc(callsite(#loc1 at #loc2)), %arg2: tensor<48xf32> loc(callsite(#loc1 at #loc2)), %arg3: tensor<192x48xf32> loc(callsite(#loc1 at #loc2)), %arg4: tensor<192xf32> loc(callsite(#loc1 at #loc2)), %arg5: tensor<48x192xf32> loc(callsite(#loc1 at #loc2)), %arg6: tensor<48xf32> loc(callsite(#loc1 at #loc2)), %arg7: tensor<48xf32> loc(callsite(#loc1 at #loc2)), %arg8: tensor<48xf32> loc(callsite(#loc1 at #loc2)), %arg9: tensor<40x48xf32> loc(callsite(#loc1 at #loc2))) -> tensor<4x33x40xf32> {
    %cst = arith.constant 0.000000e+00 : f64 loc(#loc)
    %cst_0 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_1 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %cst_2 = arith.constant 5.000000e-01 : f32 loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc3)
    %cst_3 = arith.constant 0xFF800000 : f32 loc(#loc3)
    %cst_4 = arith.constant 1.000000e-05 : f64 loc(#loc10)
    %cst_5 = arith.constant 4.800000e+01 : f64 loc(#loc)
    %cst_6 = arith.constant 4.800000e+01 : f32 loc(#loc)
    %cst_7 = arith.constant 1.41421354 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<4x33x48xf64> loc(#loc10)
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x33x48xf32>) outs(%0 : tensor<4x33x48xf64>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %65 = arith.extf %in : f32 to f64 loc(#loc10)
      linalg.yield %65 : f64 loc(#loc10)
    } -> tensor<4x33x48xf64> loc(#loc10)
    %2 = tensor.empty() : tensor<4x33x1xf64> loc(#loc10)
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<4x33x1xf64>) -> tensor<4x33x1xf64> loc(#loc10)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<4x33x48xf64>) outs(%3 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %65 = arith.addf %in, %out : f64 loc(#loc10)
      linalg.yield %65 : f64 loc(#loc10)
    } -> tensor<4x33x1xf64> loc(#loc10)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x33x1xf64>) outs(%2 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %65 = arith.divf %in, %cst_5 : f64 loc(#loc10)
      linalg.yield %65 : f64 loc(#loc10)
    } -> tensor<4x33x1xf64> loc(#loc10)
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<4x33x48xf64>, tensor<4x33x1xf64>) outs(%0 : tensor<4x33x48xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %in_15: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %65 = arith.subf %in, %in_15 : f64 loc(#loc10)
      linalg.yield %65 : f64 loc(#loc10)
    } -> tensor<4x33x48xf64> loc(#loc10)
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<4x33x48xf64>, tensor<4x33x48xf64>) outs(%0 : tensor<4x33x48xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %in_15: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %65 = arith.mulf %in, %in_15 : f64 loc(#loc10)
      linalg.yield %65 : f64 loc(#loc10)
    } -> tensor<4x33x48xf64> loc(#loc10)
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<4x33x48xf64>) outs(%3 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %65 = arith.addf %in, %out : f64 loc(#loc10)
      linalg.yield %65 : f64 loc(#loc10)
    } -> tensor<4x33x1xf64> loc(#loc10)
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<4x33x1xf64>) outs(%2 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f64 loc(callsite(#loc1 at #loc2))):
      %65 = arith.divf %in, %cst_5 : f64 loc(#loc10)
      linalg.yield %65 : f64 loc(#loc10)
    } -> tensor<4x33x1xf64> loc(#loc10)
    %10 = tensor.empty() : tensor<4x33x1xf32> loc(#loc10)
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<4x33x1xf64>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.truncf %in : f64 to f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x1xf32> loc(#loc10)
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<4x33x1xf32>) -> tensor<4x33x1xf32> loc(#loc10)
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<4x33x48xf32>) outs(%12 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.addf %in, %out : f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x1xf32> loc(#loc10)
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<4x33x1xf32>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.divf %in, %cst_6 : f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x1xf32> loc(#loc10)
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<4x33x1xf32>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.truncf %cst_4 : f64 to f32 loc(#loc10)
      %66 = arith.addf %in, %65 : f32 loc(#loc10)
      linalg.yield %66 : f32 loc(#loc10)
    } -> tensor<4x33x1xf32> loc(#loc10)
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<4x33x1xf32>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = math.rsqrt %in : f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x1xf32> loc(#loc10)
    %17 = tensor.empty() : tensor<4x33x48xf32> loc(#loc10)
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<4x33x48xf32>, tensor<4x33x1xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_15: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.subf %in, %in_15 : f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x48xf32> loc(#loc10)
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<4x33x48xf32>, tensor<4x33x1xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_15: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.mulf %in, %in_15 : f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x48xf32> loc(#loc10)
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<4x33x48xf32>, tensor<48xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_15: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.mulf %in, %in_15 : f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x48xf32> loc(#loc10)
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<4x33x48xf32>, tensor<48xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_15: f32 loc(callsite(#loc1 at #loc2)), %out: f32 loc(callsite(#loc1 at #loc2))):
      %65 = arith.addf %in, %in_15 : f32 loc(#loc10)
      linalg.yield %65 : f32 loc(#loc10)
    } -> tensor<4x33x48xf32> loc(#loc10)
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<4x33x48xf32> into tensor<132x48xf32> loc(#loc11)
    %22 = tensor.empty() : tensor<48x192xf32> loc(#loc11)
    %transposed = linalg.transpose ins(%arg3 : tensor<192x48xf32>) outs(%22 : tensor<48x192xf32>) permutation = [1, 0]  loc(#loc11)
    %23 = tensor.empty() : tensor<132x192xf32> loc(#loc11)
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<132x192xf32>) -> tensor<132x192xf32> loc(#loc11)
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<132x48xf32>, tensor<48x192xf32>) outs(%24 : tensor<132x192xf32>) -> tensor<132x192xf32> loc(#loc11)
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%25, %arg4 : tensor<132x192xf32>, tensor<192xf32>) outs(%23 : tensor<132x192xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc4 at #loc5)), %in_15: f32 loc(callsite(#loc4 at #loc5)), %out: f32 loc(callsite(#loc4 at #loc5))):
      %65 = arith.addf %in, %in_15 : f32 loc(#loc11)
      linalg.yield %65 : f32 loc(#loc11)
    } -> tensor<132x192xf32> loc(#loc11)
    %expanded = tensor.expand_shape %26 [[0, 1], [2]] output_shape [4, 33, 192] : tensor<132x192xf32> into tensor<4x33x192xf32> loc(#loc11)
    %27 = tensor.empty() : tensor<4x33x192xf32> loc(#loc6)
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<4x33x192xf32>) outs(%27 : tensor<4x33x192xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc4 at #loc5)), %out: f32 loc("mlp_block.py":23:0)):
      %65 = arith.divf %in, %cst_7 : f32 loc(#loc6)
      %66 = math.erf %65 : f32 loc(#loc6)
      %67 = arith.addf %66, %cst_1 : f32 loc(#loc6)
      %68 = arith.mulf %67, %cst_2 : f32 loc(#loc6)
      %69 = arith.mulf %in, %68 : f32 loc(#loc6)
      linalg.yield %69 : f32 loc(#loc6)
    } -> tensor<4x33x192xf32> loc(#loc6)
    %collapsed_8 = tensor.collapse_shape %28 [[0, 1], [2]] : tensor<4x33x192xf32> into tensor<132x192xf32> loc(#loc12)
    %29 = tensor.empty() : tensor<192x48xf32> loc(#loc12)
    %transposed_9 = linalg.transpose ins(%arg5 : tensor<48x192xf32>) outs(%29 : tensor<192x48xf32>) permutation = [1, 0]  loc(#loc12)
    %30 = tensor.empty() : tensor<132x48xf32> loc(#loc12)
    %31 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<132x48xf32>) -> tensor<132x48xf32> loc(#loc12)
    %32 = linalg.matmul ins(%collapsed_8, %transposed_9 : tensor<132x192xf32>, tensor<192x48xf32>) outs(%31 : tensor<132x48xf32>) -> tensor<132x48xf32> loc(#loc12)
    %33 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%32, %arg6 : tensor<132x48xf32>, tensor<48xf32>) outs(%30 : tensor<132x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc4 at #loc7)), %in_15: f32 loc(callsite(#loc4 at #loc7)), %out: f32 loc(callsite(#loc4 at #loc7))):
      %65 = arith.addf %in, %in_15 : f32 loc(#loc12)
      linalg.yield %65 : f32 loc(#loc12)
    } -> tensor<132x48xf32> loc(#loc12)
    %expanded_10 = tensor.expand_shape %33 [[0, 1], [2]] output_shape [4, 33, 48] : tensor<132x48xf32> into tensor<4x33x48xf32> loc(#loc12)
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_10 : tensor<4x33x48xf32>, tensor<4x33x48xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_15: f32 loc(callsite(#loc4 at #loc7)), %out: f32 loc("mlp_block.py":25:0)):
      %65 = arith.addf %in, %in_15 : f32 loc(#loc8)
      linalg.yield %65 : f32 loc(#loc8)
    } -> tensor<4x33x48xf32> loc(#loc8)
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<4x33x48xf32>) outs(%0 : tensor<4x33x48xf64>) {
    ^bb0(%in: f32 loc("mlp_block.py":25:0), %out: f64 loc(callsite(#loc1 at #loc9))):
      %65 = arith.extf %in : f32 to f64 loc(#loc13)
      linalg.yield %65 : f64 loc(#loc13)
    } -> tensor<4x33x48xf64> loc(#loc13)
    %36 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35 : tensor<4x33x48xf64>) outs(%3 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc9)), %out: f64 loc(callsite(#loc1 at #loc9))):
      %65 = arith.addf %in, %out : f64 loc(#loc13)
      linalg.yield %65 : f64 loc(#loc13)
    } -> tensor<4x33x1xf64> loc(#loc13)
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<4x33x1xf64>) outs(%2 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc9)), %out: f64 loc(callsite(#loc1 at #loc9))):
      %65 = arith.divf %in, %cst_5 : f64 loc(#loc13)
      linalg.yield %65 : f64 loc(#loc13)
    } -> tensor<4x33x1xf64> loc(#loc13)
    %38 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %37 : tensor<4x33x48xf64>, tensor<4x33x1xf64>) outs(%0 : tensor<4x33x48xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc9)), %in_15: f64 loc(callsite(#loc1 at #loc9)), %out: f64 loc(callsite(#loc1 at #loc9))):
      %65 = arith.subf %in, %in_15 : f64 loc(#loc13)
      linalg.yield %65 : f64 loc(#loc13)
    } -> tensor<4x33x48xf64> loc(#loc13)
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %38 : tensor<4x33x48xf64>, tensor<4x33x48xf64>) outs(%0 : tensor<4x33x48xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc9)), %in_15: f64 loc(callsite(#loc1 at #loc9)), %out: f64 loc(callsite(#loc1 at #loc9))):
      %65 = arith.mulf %in, %in_15 : f64 loc(#loc13)
      linalg.yield %65 : f64 loc(#loc13)
    } -> tensor<4x33x48xf64> loc(#loc13)
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<4x33x48xf64>) outs(%3 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc9)), %out: f64 loc(callsite(#loc1 at #loc9))):
      %65 = arith.addf %in, %out : f64 loc(#loc13)
      linalg.yield %65 : f64 loc(#loc13)
    } -> tensor<4x33x1xf64> loc(#loc13)
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<4x33x1xf64>) outs(%2 : tensor<4x33x1xf64>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc9)), %out: f64 loc(callsite(#loc1 at #loc9))):
      %65 = arith.divf %in, %cst_5 : f64 loc(#loc13)
      linalg.yield %65 : f64 loc(#loc13)
    } -> tensor<4x33x1xf64> loc(#loc13)
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<4x33x1xf64>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f64 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.truncf %in : f64 to f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x1xf32> loc(#loc13)
    %43 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34 : tensor<4x33x48xf32>) outs(%12 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc("mlp_block.py":25:0), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.addf %in, %out : f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x1xf32> loc(#loc13)
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<4x33x1xf32>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.divf %in, %cst_6 : f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x1xf32> loc(#loc13)
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<4x33x1xf32>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.truncf %cst_4 : f64 to f32 loc(#loc13)
      %66 = arith.addf %in, %65 : f32 loc(#loc13)
      linalg.yield %66 : f32 loc(#loc13)
    } -> tensor<4x33x1xf32> loc(#loc13)
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<4x33x1xf32>) outs(%10 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = math.rsqrt %in : f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x1xf32> loc(#loc13)
    %47 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %44 : tensor<4x33x48xf32>, tensor<4x33x1xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc("mlp_block.py":25:0), %in_15: f32 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.subf %in, %in_15 : f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x48xf32> loc(#loc13)
    %48 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %46 : tensor<4x33x48xf32>, tensor<4x33x1xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc9)), %in_15: f32 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.mulf %in, %in_15 : f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x48xf32> loc(#loc13)
    %49 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48, %arg7 : tensor<4x33x48xf32>, tensor<48xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc9)), %in_15: f32 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.mulf %in, %in_15 : f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x48xf32> loc(#loc13)
    %50 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %arg8 : tensor<4x33x48xf32>, tensor<48xf32>) outs(%17 : tensor<4x33x48xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc9)), %in_15: f32 loc(callsite(#loc1 at #loc9)), %out: f32 loc(callsite(#loc1 at #loc9))):
      %65 = arith.addf %in, %in_15 : f32 loc(#loc13)
      linalg.yield %65 : f32 loc(#loc13)
    } -> tensor<4x33x48xf32> loc(#loc13)
    %51 = tensor.empty() : tensor<48x40xf32> loc(#loc14)
    %transposed_11 = linalg.transpose ins(%arg9 : tensor<40x48xf32>) outs(%51 : tensor<48x40xf32>) permutation = [1, 0]  loc(#loc14)
    %collapsed_12 = tensor.collapse_shape %50 [[0, 1], [2]] : tensor<4x33x48xf32> into tensor<132x48xf32> loc(#loc14)
    %52 = tensor.empty() : tensor<132x40xf32> loc(#loc14)
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<132x40xf32>) -> tensor<132x40xf32> loc(#loc14)
    %54 = linalg.matmul ins(%collapsed_12, %transposed_11 : tensor<132x48xf32>, tensor<48x40xf32>) outs(%53 : tensor<132x40xf32>) -> tensor<132x40xf32> loc(#loc14)
    %expanded_13 = tensor.expand_shape %54 [[0, 1], [2]] output_shape [4, 33, 40] : tensor<132x40xf32> into tensor<4x33x40xf32> loc(#loc14)
    %55 = tensor.empty() : tensor<4x33xi64> loc(#loc3)
    %56 = linalg.fill ins(%c0_i64 : i64) outs(%55 : tensor<4x33xi64>) -> tensor<4x33xi64> loc(#loc3)
    %57 = tensor.empty() : tensor<4x33xf32> loc(#loc3)
    %58 = linalg.fill ins(%cst_3 : f32) outs(%57 : tensor<4x33xf32>) -> tensor<4x33xf32> loc(#loc3)
    %59:2 = linalg.generic {indexing_maps = [#map, #map5, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_13 : tensor<4x33x40xf32>) outs(%58, %56 : tensor<4x33xf32>, tensor<4x33xi64>) {
    ^bb0(%in: f32 loc(callsite(#loc4 at #loc9)), %out: f32 loc("mlp_block.py":27:0), %out_15: i64 loc("mlp_block.py":27:0)):
      %65 = linalg.index 2 : index loc(#loc3)
      %66 = arith.index_cast %65 : index to i64 loc(#loc3)
      %67 = arith.maximumf %in, %out : f32 loc(#loc3)
      %68 = arith.cmpf ogt, %in, %out : f32 loc(#loc3)
      %69 = arith.select %68, %66, %out_15 : i64 loc(#loc3)
      linalg.yield %67, %69 : f32, i64 loc(#loc3)
    } -> (tensor<4x33xf32>, tensor<4x33xi64>) loc(#loc3)
    %expanded_14 = tensor.expand_shape %59#0 [[0], [1, 2]] output_shape [4, 33, 1] : tensor<4x33xf32> into tensor<4x33x1xf32> loc(#loc3)
    %60 = tensor.empty() : tensor<4x33x40xf32> loc(#loc3)
    %61 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_14 : tensor<4x33x40xf32>, tensor<4x33x1xf32>) outs(%60 : tensor<4x33x40xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc4 at #loc9)), %in_15: f32 loc("mlp_block.py":27:0), %out: f32 loc("mlp_block.py":27:0)):
      %65 = arith.subf %in, %in_15 : f32 loc(#loc3)
      linalg.yield %65 : f32 loc(#loc3)
    } -> tensor<4x33x40xf32> loc(#loc3)
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<4x33x40xf32>) outs(%60 : tensor<4x33x40xf32>) {
    ^bb0(%in: f32 loc("mlp_block.py":27:0), %out: f32 loc("mlp_block.py":27:0)):
      %65 = math.exp %in : f32 loc(#loc3)
      linalg.yield %65 : f32 loc(#loc3)
    } -> tensor<4x33x40xf32> loc(#loc3)
    %63 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<4x33x40xf32>) outs(%12 : tensor<4x33x1xf32>) {
    ^bb0(%in: f32 loc("mlp_block.py":27:0), %out: f32 loc("mlp_block.py":27:0)):
      %65 = arith.addf %in, %out : f32 loc(#loc3)
      linalg.yield %65 : f32 loc(#loc3)
    } -> tensor<4x33x1xf32> loc(#loc3)
    %64 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %63 : tensor<4x33x40xf32>, tensor<4x33x1xf32>) outs(%60 : tensor<4x33x40xf32>) {
    ^bb0(%in: f32 loc("mlp_block.py":27:0), %in_15: f32 loc("mlp_block.py":27:0), %out: f32 loc("mlp_block.py":27:0)):
      %65 = arith.divf %in, %in_15 : f32 loc(#loc3)
      linalg.yield %65 : f32 loc(#loc3)
    } -> tensor<4x33x40xf32> loc(#loc3)
    return %64 : tensor<4x33x40xf32> loc(#loc3)
  } loc(#loc10)
} loc(#loc)
#loc = loc(unknown)

