#loc1 = loc("cases.py":120:0)
#loc2 = loc("cases.py":123:0)
#loc3 = loc("cases.py":130:0)
#loc4 = loc("cases.py":121:0)
#loc5 = loc("cases.py":122:0)
#loc6 = loc("cases.py":124:0)
#loc8 = loc("cases.py":127:0)
#loc9 = loc("cases.py":128:0)
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<2x50xf32> loc("cases.py":120:0), %arg1: tensor<45xi64> loc("cases.py":120:0)) -> (tensor<2x51xf32>, tensor<51xi64>, tensor<2x51xf32>, tensor<3x2xf32>, tensor<7xf32>, tensor<16x9xf32>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<3x2xf32> loc(#loc2)
    %cst_0 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %cst_1 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c4500 = arith.constant 4500 : index loc(#loc)
    %c5_i64 = arith.constant 5 : i64 loc(#loc3)
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<7xf32> loc(#loc3)
    %cst_3 = arith.constant 2.500000e-01 : f32 loc(#loc)
    %cst_4 = arith.constant 6.400000e+01 : f32 loc(#loc)
    %cst_5 = arith.constant 5.000000e-01 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<2x90x50xf32> loc(#loc1)
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x50xf32>) outs(%0 : tensor<2x90x50xf32>) {
    ^bb0(%in: f32 loc("cases.py":120:0), %out: f32 loc("cases.py":120:0)):
      linalg.yield %in : f32 loc(#loc1)
    } -> tensor<2x90x50xf32> loc(#loc1)
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<2x90x50xf32> into tensor<2x4500xf32> loc(#loc1)
    %2 = tensor.empty() : tensor<4500xi64> loc(#loc4)
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<4500xi64>) {
    ^bb0(%out: i64 loc("cases.py":121:0)):
      %37 = linalg.index 0 : index loc(#loc4)
      %38 = arith.index_cast %37 : index to i64 loc(#loc4)
      linalg.yield %38 : i64 loc(#loc4)
    } -> tensor<4500xi64> loc(#loc4)
    %4 = tensor.empty() : tensor<2x4500xf32> loc(#loc5)
    %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<2x4500xf32>) -> tensor<2x4500xf32> loc(#loc5)
    %6 = tensor.empty() : tensor<2xf32> loc(#loc5)
    %7 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<2xf32>) -> tensor<2xf32> loc(#loc5)
    %8:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%collapsed : tensor<2x4500xf32>) outs(%5, %7 : tensor<2x4500xf32>, tensor<2xf32>) {
    ^bb0(%arg2: f32 loc("cases.py":122:0), %arg3: f32 loc("cases.py":122:0)):
      %37 = arith.addf %arg2, %arg3 : f32 loc(#loc5)
      tm_tensor.yield %37 : f32 loc(#loc5)
    } -> tensor<2x4500xf32>, tensor<2xf32> loc(#loc5)
    %9 = tensor.empty() : tensor<100x45xi64> loc(#loc2)
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<45xi64>) outs(%9 : tensor<100x45xi64>) {
    ^bb0(%in: i64 loc("cases.py":123:0), %out: i64 loc("cases.py":123:0)):
      linalg.yield %in : i64 loc(#loc2)
    } -> tensor<100x45xi64> loc(#loc2)
    %collapsed_6 = tensor.collapse_shape %10 [[0, 1]] : tensor<100x45xi64> into tensor<4500xi64> loc(#loc2)
    %collapsed_7 = tensor.collapse_shape %1 [[0, 1, 2]] : tensor<2x90x50xf32> into tensor<9000xf32> loc(#loc2)
    %expanded = tensor.expand_shape %collapsed_6 [[0, 1]] output_shape [4500, 1] : tensor<4500xi64> into tensor<4500x1xi64> loc(#loc2)
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1, 2]] output_shape [4500, 1, 2] : tensor<9000xf32> into tensor<4500x1x2xf32> loc(#loc2)
    %11 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%expanded_8, %expanded : tensor<4500x1x2xf32>, tensor<4500x1xi64>) outs(%cst : tensor<3x2xf32>) {
    ^bb0(%arg2: f32 loc("cases.py":123:0), %arg3: f32 loc("cases.py":123:0)):
      %37 = arith.addf %arg3, %arg2 : f32 loc(#loc2)
      tm_tensor.yield %37 : f32 loc(#loc2)
    } -> tensor<3x2xf32> loc(#loc2)
    %12 = tensor.empty() : tensor<8x2x90x50xf32> loc(#loc6)
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x50xf32>) outs(%12 : tensor<8x2x90x50xf32>) {
    ^bb0(%in: f32 loc("cases.py":124:0), %out: f32 loc("cases.py":124:0)):
      linalg.yield %in : f32 loc(#loc6)
    } -> tensor<8x2x90x50xf32> loc(#loc6)
    %collapsed_9 = tensor.collapse_shape %13 [[0, 1], [2, 3]] : tensor<8x2x90x50xf32> into tensor<16x4500xf32> loc(#loc6)
    %14 = tensor.empty() : tensor<4500xf32> loc(#loc6)
    %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%3 : tensor<4500xi64>) outs(%14 : tensor<4500xf32>) {
    ^bb0(%in: i64 loc("cases.py":121:0), %out: f32 loc("cases.py":124:0)):
      %37 = arith.sitofp %in : i64 to f32 loc(#loc6)
      %38 = arith.mulf %37, %cst_3 : f32 loc(#loc6)
      linalg.yield %38 : f32 loc(#loc6)
    } -> tensor<4500xf32> loc(#loc6)
    %16 = tensor.empty() : tensor<16x4500xf32> loc(#loc6)
    %17 = linalg.generic {indexing_maps = [#map4, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_9, %15 : tensor<16x4500xf32>, tensor<4500xf32>) outs(%16 : tensor<16x4500xf32>) {
    ^bb0(%in: f32 loc("cases.py":124:0), %in_14: f32 loc("cases.py":124:0), %out: f32 loc("cases.py":124:0)):
      %37 = arith.addf %in, %in_14 : f32 loc(#loc6)
      linalg.yield %37 : f32 loc(#loc6)
    } -> tensor<16x4500xf32> loc(#loc6)
    %18 = tensor.empty() : tensor<16x4500xi64> loc(#loc6)
    %19 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%18 : tensor<16x4500xi64>) {
    ^bb0(%out: i64 loc("cases.py":124:0)):
      %37 = linalg.index 1 : index loc(#loc6)
      %38 = arith.index_cast %37 : index to i64 loc(#loc6)
      linalg.yield %38 : i64 loc(#loc6)
    } -> tensor<16x4500xi64> loc(#loc6)
    %20:2 = tm_tensor.sort dimension(1) outs(%17, %19 : tensor<16x4500xf32>, tensor<16x4500xi64>) {
    ^bb0(%arg2: f32 loc("cases.py":124:0), %arg3: f32 loc("cases.py":124:0), %arg4: i64 loc("cases.py":124:0), %arg5: i64 loc("cases.py":124:0)):
      %37 = arith.cmpf oge, %arg2, %arg3 : f32 loc(#loc6)
      tm_tensor.yield %37 : i1 loc(#loc6)
    } -> tensor<16x4500xf32>, tensor<16x4500xi64> loc(#loc6)
    %extracted_slice = tensor.extract_slice %20#0[0, 0] [16, 4400] [1, 1] : tensor<16x4500xf32> to tensor<16x4400xf32> loc(#loc6)
    %extracted_slice_10 = tensor.extract_slice %8#0[0, 0] [2, 51] [1, 89] : tensor<2x4500xf32> to tensor<2x51xf32> loc(#loc7)
    %21 = linalg.fill ins(%c0_i64 : i64) outs(%2 : tensor<4500xi64>) -> tensor<4500xi64> loc(#loc8)
    %22 = tensor.empty() : tensor<i64> loc(#loc8)
    %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<i64>) -> tensor<i64> loc(#loc8)
    %24:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%3 : tensor<4500xi64>) outs(%21, %23 : tensor<4500xi64>, tensor<i64>) {
    ^bb0(%arg2: i64 loc("cases.py":127:0), %arg3: i64 loc("cases.py":127:0)):
      %37 = arith.addi %arg2, %arg3 : i64 loc(#loc8)
      tm_tensor.yield %37 : i64 loc(#loc8)
    } -> tensor<4500xi64>, tensor<i64> loc(#loc8)
    %extracted_slice_11 = tensor.extract_slice %24#0[0] [51] [89] : tensor<4500xi64> to tensor<51xi64> loc(#loc8)
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<2x4500xf32>) outs(%4 : tensor<2x4500xf32>) {
    ^bb0(%in: f32 loc("cases.py":120:0), %out: f32 loc("cases.py":128:0)):
      %37 = arith.divf %in, %cst_4 : f32 loc(#loc9)
      linalg.yield %37 : f32 loc(#loc9)
    } -> tensor<2x4500xf32> loc(#loc9)
    %26 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<2x4500xf32>) outs(%4 : tensor<2x4500xf32>) {
    ^bb0(%in: f32 loc("cases.py":128:0), %out: f32 loc("cases.py":128:0)):
      %37 = arith.addf %in, %cst_0 : f32 loc(#loc9)
      linalg.yield %37 : f32 loc(#loc9)
    } -> tensor<2x4500xf32> loc(#loc9)
    %27 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<2x4500xf32>) -> tensor<2x4500xf32> loc(#loc9)
    %28 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<2xf32>) -> tensor<2xf32> loc(#loc9)
    %29:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%26 : tensor<2x4500xf32>) outs(%27, %28 : tensor<2x4500xf32>, tensor<2xf32>) {
    ^bb0(%arg2: f32 loc("cases.py":128:0), %arg3: f32 loc("cases.py":128:0)):
      %37 = arith.mulf %arg2, %arg3 : f32 loc(#loc9)
      tm_tensor.yield %37 : f32 loc(#loc9)
    } -> tensor<2x4500xf32>, tensor<2xf32> loc(#loc9)
    %extracted_slice_12 = tensor.extract_slice %29#0[0, 0] [2, 51] [1, 89] : tensor<2x4500xf32> to tensor<2x51xf32> loc(#loc9)
    %30 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%3 : tensor<4500xi64>) outs(%2 : tensor<4500xi64>) {
    ^bb0(%in: i64 loc("cases.py":121:0), %out: i64 loc("cases.py":130:0)):
      %37 = arith.remsi %in, %c5_i64 : i64 loc(#loc3)
      %38 = arith.cmpi ne, %37, %c0_i64 : i64 loc(#loc3)
      %39 = arith.cmpi slt, %37, %c0_i64 : i64 loc(#loc3)
      %40 = arith.andi %38, %39 : i1 loc(#loc3)
      %41 = arith.addi %37, %c5_i64 : i64 loc(#loc3)
      %42 = arith.select %40, %41, %37 : i64 loc(#loc3)
      linalg.yield %42 : i64 loc(#loc3)
    } -> tensor<4500xi64> loc(#loc3)
    %31 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%3 : tensor<4500xi64>) outs(%14 : tensor<4500xf32>) {
    ^bb0(%in: i64 loc("cases.py":121:0), %out: f32 loc("cases.py":130:0)):
      %37 = arith.sitofp %in : i64 to f32 loc(#loc3)
      %38 = arith.mulf %37, %cst_5 : f32 loc(#loc3)
      linalg.yield %38 : f32 loc(#loc3)
    } -> tensor<4500xf32> loc(#loc3)
    %32 = tensor.empty() : tensor<4500x1xi64> loc(#loc3)
    %33 = linalg.fill ins(%c0_i64 : i64) outs(%32 : tensor<4500x1xi64>) -> tensor<4500x1xi64> loc(#loc3)
    %34 = linalg.fill ins(%cst_1 : f32) outs(%14 : tensor<4500xf32>) -> tensor<4500xf32> loc(#loc3)
    %35:2 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel"]} outs(%33, %34 : tensor<4500x1xi64>, tensor<4500xf32>) {
    ^bb0(%out: i64 loc("cases.py":130:0), %out_14: f32 loc("cases.py":130:0)):
      %37 = linalg.index 0 : index loc(#loc3)
      %38 = arith.remsi %37, %c4500 : index loc(#loc3)
      %extracted = tensor.extract %30[%38] : tensor<4500xi64> loc(#loc3)
      %extracted_15 = tensor.extract %31[%38] : tensor<4500xf32> loc(#loc3)
      linalg.yield %extracted, %extracted_15 : i64, f32 loc(#loc3)
    } -> (tensor<4500x1xi64>, tensor<4500xf32>) loc(#loc3)
    %36 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%35#1, %35#0 : tensor<4500xf32>, tensor<4500x1xi64>) outs(%cst_2 : tensor<7xf32>) {
    ^bb0(%arg2: f32 loc("cases.py":130:0), %arg3: f32 loc("cases.py":130:0)):
      tm_tensor.yield %arg2 : f32 loc(#loc3)
    } -> tensor<7xf32> loc(#loc3)
    %extracted_slice_13 = tensor.extract_slice %extracted_slice[0, 0] [16, 9] [1, 489] : tensor<16x4400xf32> to tensor<16x9xf32> loc(#loc10)
    return %extracted_slice_10, %extracted_slice_11, %extracted_slice_12, %11, %36, %extracted_slice_13 : tensor<2x51xf32>, tensor<51xi64>, tensor<2x51xf32>, tensor<3x2xf32>, tensor<7xf32>, tensor<16x9xf32> loc(#loc10)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc7 = loc("cases.py":126:0)
#loc10 = loc("cases.py":131:0)

