#loc1 = loc("cases.py":77:0)
#loc2 = loc("cases.py":81:0)
#loc3 = loc("cases.py":79:0)
#loc4 = loc("cases.py":82:0)
#loc6 = loc("cases.py":83:0)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d1, 0)>
module {
  func.func @main(%arg0: tensor<3x5x11xf32> loc("cases.py":77:0)) -> (tensor<3x5x11xf32>, tensor<3x5x11xf32>, tensor<3x4xf32>, tensor<3x5xf32>, tensor<3x5x22xf32>) {
    %c5_i64 = arith.constant 5 : i64 loc(#loc)
    %c6_i64 = arith.constant 6 : i64 loc(#loc2)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %c1_i64 = arith.constant 1 : i64 loc(#loc1)
    %c11_i64 = arith.constant 11 : i64 loc(#loc)
    %c3_i64 = arith.constant 3 : i64 loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c2 = arith.constant 2 : index loc(#loc3)
    %c10 = arith.constant 10 : index loc(#loc3)
    %cst_0 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %c3 = arith.constant 3 : index loc(#loc4)
    %cst_1 = arith.constant 5.000000e-01 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<4xi64> loc(#loc1)
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<4xi64>) {
    ^bb0(%out: i64 loc("cases.py":77:0)):
      %29 = linalg.index 0 : index loc(#loc1)
      %30 = arith.index_cast %29 : index to i64 loc(#loc1)
      %31 = arith.muli %30, %c3_i64 : i64 loc(#loc1)
      %32 = arith.addi %31, %c1_i64 : i64 loc(#loc1)
      linalg.yield %32 : i64 loc(#loc1)
    } -> tensor<4xi64> loc(#loc1)
    %2 = tensor.empty() : tensor<3x5x11xf32> loc(#loc3)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x5x11xf32>) -> tensor<3x5x11xf32> loc(#loc3)
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x5x11xf32>) outs(%3 : tensor<3x5x11xf32>) {
    ^bb0(%in: f32 loc("cases.py":79:0), %out: f32 loc("cases.py":79:0)):
      %29 = linalg.index 0 : index loc(#loc3)
      %30 = linalg.index 1 : index loc(#loc3)
      %31 = linalg.index 2 : index loc(#loc3)
      %32 = arith.subi %c2, %29 : index loc(#loc3)
      %33 = arith.subi %c10, %31 : index loc(#loc3)
      %extracted = tensor.extract %arg0[%32, %30, %33] : tensor<3x5x11xf32> loc(#loc3)
      linalg.yield %extracted : f32 loc(#loc3)
    } -> tensor<3x5x11xf32> loc(#loc3)
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<3x5x11xf32>) outs(%2 : tensor<3x5x11xf32>) {
    ^bb0(%in: f32 loc("cases.py":79:0), %out: f32 loc("cases.py":79:0)):
      %29 = arith.addf %in, %cst_0 : f32 loc(#loc3)
      linalg.yield %29 : f32 loc(#loc3)
    } -> tensor<3x5x11xf32> loc(#loc3)
    %extracted_slice = tensor.extract_slice %arg0[0, 3, 0] [3, 2, 11] [1, 1, 1] : tensor<3x5x11xf32> to tensor<3x2x11xf32> loc(#loc5)
    %cast = tensor.cast %extracted_slice : tensor<3x2x11xf32> to tensor<3x?x11xf32> loc(#loc5)
    %extracted_slice_2 = tensor.extract_slice %arg0[0, 0, 0] [3, 3, 11] [1, 1, 1] : tensor<3x5x11xf32> to tensor<3x3x11xf32> loc(#loc5)
    %cast_3 = tensor.cast %extracted_slice_2 : tensor<3x3x11xf32> to tensor<3x?x11xf32> loc(#loc5)
    %concat = tensor.concat dim(1) %cast, %cast_3 : (tensor<3x?x11xf32>, tensor<3x?x11xf32>) -> tensor<3x5x11xf32> loc(#loc5)
    %extracted_slice_4 = tensor.extract_slice %concat[0, 0, 1] [3, 5, 10] [1, 1, 1] : tensor<3x5x11xf32> to tensor<3x5x10xf32> loc(#loc5)
    %cast_5 = tensor.cast %extracted_slice_4 : tensor<3x5x10xf32> to tensor<3x5x?xf32> loc(#loc5)
    %extracted_slice_6 = tensor.extract_slice %concat[0, 0, 0] [3, 5, 1] [1, 1, 1] : tensor<3x5x11xf32> to tensor<3x5x1xf32> loc(#loc5)
    %cast_7 = tensor.cast %extracted_slice_6 : tensor<3x5x1xf32> to tensor<3x5x?xf32> loc(#loc5)
    %concat_8 = tensor.concat dim(2) %cast_5, %cast_7 : (tensor<3x5x?xf32>, tensor<3x5x?xf32>) -> tensor<3x5x11xf32> loc(#loc5)
    %extracted_slice_9 = tensor.extract_slice %arg0[0, 3, 0] [3, 1, 11] [1, 1, 1] : tensor<3x5x11xf32> to tensor<3x1x11xf32> loc(#loc2)
    %collapsed = tensor.collapse_shape %extracted_slice_9 [[0, 1], [2]] : tensor<3x1x11xf32> into tensor<3x11xf32> loc(#loc2)
    %extracted_slice_10 = tensor.extract_slice %collapsed[0, 2] [3, 4] [1, 2] : tensor<3x11xf32> to tensor<3x4xf32> loc(#loc2)
    %6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<4xi64>) {
    ^bb0(%out: i64 loc("cases.py":81:0)):
      %29 = linalg.index 0 : index loc(#loc2)
      %30 = arith.index_cast %29 : index to i64 loc(#loc2)
      %31 = arith.subi %c6_i64, %30 : i64 loc(#loc2)
      linalg.yield %31 : i64 loc(#loc2)
    } -> tensor<4xi64> loc(#loc2)
    %extracted_slice_11 = tensor.extract_slice %arg0[0, 4, 0] [3, 1, 11] [1, 1, 1] : tensor<3x5x11xf32> to tensor<3x1x11xf32> loc(#loc2)
    %collapsed_12 = tensor.collapse_shape %extracted_slice_11 [[0, 1], [2]] : tensor<3x1x11xf32> into tensor<3x11xf32> loc(#loc2)
    %7 = tensor.empty() : tensor<3xi64> loc(#loc2)
    %8 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%7 : tensor<3xi64>) {
    ^bb0(%out: i64 loc("cases.py":81:0)):
      %29 = linalg.index 0 : index loc(#loc2)
      %30 = arith.index_cast %29 : index to i64 loc(#loc2)
      linalg.yield %30 : i64 loc(#loc2)
    } -> tensor<3xi64> loc(#loc2)
    %expanded = tensor.expand_shape %8 [[0, 1]] output_shape [3, 1] : tensor<3xi64> into tensor<3x1xi64> loc(#loc2)
    %9 = tensor.empty() : tensor<3x4xf32> loc(#loc2)
    %10 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %6 : tensor<3x1xi64>, tensor<4xi64>) outs(%9 : tensor<3x4xf32>) {
    ^bb0(%in: i64 loc("cases.py":81:0), %in_15: i64 loc("cases.py":81:0), %out: f32 loc("cases.py":81:0)):
      %29 = arith.cmpi slt, %in, %c0_i64 : i64 loc(#loc2)
      %30 = arith.addi %in, %c3_i64 : i64 loc(#loc2)
      %31 = arith.select %29, %30, %in : i64 loc(#loc2)
      %32 = arith.index_cast %31 : i64 to index loc(#loc2)
      %33 = arith.cmpi slt, %in_15, %c0_i64 : i64 loc(#loc2)
      %34 = arith.addi %in_15, %c11_i64 : i64 loc(#loc2)
      %35 = arith.select %33, %34, %in_15 : i64 loc(#loc2)
      %36 = arith.index_cast %35 : i64 to index loc(#loc2)
      %extracted = tensor.extract %collapsed_12[%32, %36] : tensor<3x11xf32> loc(#loc2)
      linalg.yield %extracted : f32 loc(#loc2)
    } -> tensor<3x4xf32> loc(#loc2)
    %11 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_10, %10 : tensor<3x4xf32>, tensor<3x4xf32>) outs(%9 : tensor<3x4xf32>) {
    ^bb0(%in: f32 loc("cases.py":81:0), %in_15: f32 loc("cases.py":81:0), %out: f32 loc("cases.py":81:0)):
      %29 = arith.mulf %in, %in_15 : f32 loc(#loc2)
      linalg.yield %29 : f32 loc(#loc2)
    } -> tensor<3x4xf32> loc(#loc2)
    %12 = tensor.empty() : tensor<3x5x4xf32> loc(#loc4)
    %13 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4xi64>) outs(%12 : tensor<3x5x4xf32>) {
    ^bb0(%in: i64 loc("cases.py":77:0), %out: f32 loc("cases.py":82:0)):
      %29 = arith.index_cast %in : i64 to index loc(#loc4)
      %30 = linalg.index 0 : index loc(#loc4)
      %31 = linalg.index 1 : index loc(#loc4)
      %extracted = tensor.extract %arg0[%30, %31, %29] : tensor<3x5x11xf32> loc(#loc4)
      linalg.yield %extracted : f32 loc(#loc4)
    } -> tensor<3x5x4xf32> loc(#loc4)
    %14 = linalg.fill ins(%cst : f32) outs(%12 : tensor<3x5x4xf32>) -> tensor<3x5x4xf32> loc(#loc4)
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<3x5x4xf32>) outs(%14 : tensor<3x5x4xf32>) {
    ^bb0(%in: f32 loc("cases.py":82:0), %out: f32 loc("cases.py":82:0)):
      %29 = linalg.index 0 : index loc(#loc4)
      %30 = linalg.index 1 : index loc(#loc4)
      %31 = linalg.index 2 : index loc(#loc4)
      %32 = arith.subi %c3, %31 : index loc(#loc4)
      %extracted = tensor.extract %13[%29, %30, %32] : tensor<3x5x4xf32> loc(#loc4)
      linalg.yield %extracted : f32 loc(#loc4)
    } -> tensor<3x5x4xf32> loc(#loc4)
    %16 = tensor.empty() : tensor<3x5xf32> loc(#loc4)
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<3x5xf32>) -> tensor<3x5xf32> loc(#loc4)
    %18 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<3x5x4xf32>) outs(%17 : tensor<3x5xf32>) {
    ^bb0(%in: f32 loc("cases.py":82:0), %out: f32 loc("cases.py":82:0)):
      %29 = arith.addf %in, %out : f32 loc(#loc4)
      linalg.yield %29 : f32 loc(#loc4)
    } -> tensor<3x5xf32> loc(#loc4)
    %19 = tensor.empty() : tensor<22xf32> loc(#loc6)
    %20 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%19 : tensor<22xf32>) {
    ^bb0(%out: f32 loc("cases.py":83:0)):
      %29 = linalg.index 0 : index loc(#loc6)
      %30 = arith.index_cast %29 : index to i64 loc(#loc6)
      %31 = arith.sitofp %30 : i64 to f32 loc(#loc6)
      %32 = arith.addf %31, %cst : f32 loc(#loc6)
      linalg.yield %32 : f32 loc(#loc6)
    } -> tensor<22xf32> loc(#loc6)
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%20 : tensor<22xf32>) outs(%19 : tensor<22xf32>) {
    ^bb0(%in: f32 loc("cases.py":83:0), %out: f32 loc("cases.py":83:0)):
      %29 = arith.addf %in, %cst : f32 loc(#loc6)
      linalg.yield %29 : f32 loc(#loc6)
    } -> tensor<22xf32> loc(#loc6)
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<22xf32>) outs(%19 : tensor<22xf32>) {
    ^bb0(%in: f32 loc("cases.py":83:0), %out: f32 loc("cases.py":83:0)):
      %29 = arith.mulf %in, %cst_1 : f32 loc(#loc6)
      linalg.yield %29 : f32 loc(#loc6)
    } -> tensor<22xf32> loc(#loc6)
    %23 = tensor.empty() : tensor<22xi64> loc(#loc6)
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%22 : tensor<22xf32>) outs(%23 : tensor<22xi64>) {
    ^bb0(%in: f32 loc("cases.py":83:0), %out: i64 loc("cases.py":83:0)):
      %29 = arith.fptosi %in : f32 to i64 loc(#loc6)
      linalg.yield %29 : i64 loc(#loc6)
    } -> tensor<22xi64> loc(#loc6)
    %25 = tensor.empty() : tensor<5xi64> loc(#loc6)
    %26 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%25 : tensor<5xi64>) {
    ^bb0(%out: i64 loc("cases.py":83:0)):
      %29 = linalg.index 0 : index loc(#loc6)
      %30 = arith.index_cast %29 : index to i64 loc(#loc6)
      linalg.yield %30 : i64 loc(#loc6)
    } -> tensor<5xi64> loc(#loc6)
    %expanded_13 = tensor.expand_shape %26 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64> loc(#loc6)
    %expanded_14 = tensor.expand_shape %8 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xi64> into tensor<3x1x1xi64> loc(#loc6)
    %27 = tensor.empty() : tensor<3x5x22xf32> loc(#loc6)
    %28 = linalg.generic {indexing_maps = [#map7, #map8, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_14, %expanded_13, %24 : tensor<3x1x1xi64>, tensor<5x1xi64>, tensor<22xi64>) outs(%27 : tensor<3x5x22xf32>) {
    ^bb0(%in: i64 loc("cases.py":83:0), %in_15: i64 loc("cases.py":83:0), %in_16: i64 loc("cases.py":83:0), %out: f32 loc("cases.py":83:0)):
      %29 = arith.cmpi slt, %in, %c0_i64 : i64 loc(#loc6)
      %30 = arith.addi %in, %c3_i64 : i64 loc(#loc6)
      %31 = arith.select %29, %30, %in : i64 loc(#loc6)
      %32 = arith.index_cast %31 : i64 to index loc(#loc6)
      %33 = arith.cmpi slt, %in_15, %c0_i64 : i64 loc(#loc6)
      %34 = arith.addi %in_15, %c5_i64 : i64 loc(#loc6)
      %35 = arith.select %33, %34, %in_15 : i64 loc(#loc6)
      %36 = arith.index_cast %35 : i64 to index loc(#loc6)
      %37 = arith.cmpi slt, %in_16, %c0_i64 : i64 loc(#loc6)
      %38 = arith.addi %in_16, %c11_i64 : i64 loc(#loc6)
      %39 = arith.select %37, %38, %in_16 : i64 loc(#loc6)
      %40 = arith.index_cast %39 : i64 to index loc(#loc6)
      %extracted = tensor.extract %arg0[%32, %36, %40] : tensor<3x5x11xf32> loc(#loc6)
      linalg.yield %extracted : f32 loc(#loc6)
    } -> tensor<3x5x22xf32> loc(#loc6)
    return %5, %concat_8, %11, %18, %28 : tensor<3x5x11xf32>, tensor<3x5x11xf32>, tensor<3x4xf32>, tensor<3x5xf32>, tensor<3x5x22xf32> loc(#loc6)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc5 = loc("cases.py":80:0)

