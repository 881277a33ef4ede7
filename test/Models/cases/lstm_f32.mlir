#loc1 = loc("test/Models/recurrent.py":34:0)
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#loc2 = loc("lstm"(#loc1))
module attributes {ks.python = "{\22format\22:1,\22call\22:{\22spec\22:[1,{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:null,\22context\22:null,\22children_spec\22:[]}]},{\22type\22:\22builtins.dict\22,\22context\22:\22[]\22,\22children_spec\22:[]}]}],\22leaves\22:[{\22argument\22:0,\22name\22:\22x\22}]},\22results\22:{\22spec\22:[1,{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:null,\22context\22:null,\22children_spec\22:[]},{\22type\22:null,\22context\22:null,\22children_spec\22:[]},{\22type\22:null,\22context\22:null,\22children_spec\22:[]}]}],\22leaves\22:[{\22result\22:0},{\22result\22:1},{\22result\22:2}]},\22state\22:[],\22random\22:[]}"} {
  func.func @main(%arg0: tensor<2x5x3xf32> {ks.kind = "input", ks.name = "x"} loc("lstm"(#loc1)), %arg1: tensor<20x3xf32> {ks.kind = "parameter", ks.name = "lstm.weight_ih_l0"} loc("lstm"(#loc1)), %arg2: tensor<20x5xf32> {ks.kind = "parameter", ks.name = "lstm.weight_hh_l0"} loc("lstm"(#loc1)), %arg3: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_ih_l0"} loc("lstm"(#loc1)), %arg4: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_hh_l0"} loc("lstm"(#loc1)), %arg5: tensor<20x3xf32> {ks.kind = "parameter", ks.name = "lstm.weight_ih_l0_reverse"} loc("lstm"(#loc1)), %arg6: tensor<20x5xf32> {ks.kind = "parameter", ks.name = "lstm.weight_hh_l0_reverse"} loc("lstm"(#loc1)), %arg7: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_ih_l0_reverse"} loc("lstm"(#loc1)), %arg8: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_hh_l0_reverse"} loc("lstm"(#loc1)), %arg9: tensor<20x10xf32> {ks.kind = "parameter", ks.name = "lstm.weight_ih_l1"} loc("lstm"(#loc1)), %arg10: tensor<20x5xf32> {ks.kind = "parameter", ks.name = "lstm.weight_hh_l1"} loc("lstm"(#loc1)), %arg11: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_ih_l1"} loc("lstm"(#loc1)), %arg12: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_hh_l1"} loc("lstm"(#loc1)), %arg13: tensor<20x10xf32> {ks.kind = "parameter", ks.name = "lstm.weight_ih_l1_reverse"} loc("lstm"(#loc1)), %arg14: tensor<20x5xf32> {ks.kind = "parameter", ks.name = "lstm.weight_hh_l1_reverse"} loc("lstm"(#loc1)), %arg15: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_ih_l1_reverse"} loc("lstm"(#loc1)), %arg16: tensor<20xf32> {ks.kind = "parameter", ks.name = "lstm.bias_hh_l1_reverse"} loc("lstm"(#loc1))) -> (tensor<2x5x10xf32>, tensor<4x2x5xf32>, tensor<4x2x5xf32>) attributes {ks.results = [{result = 0 : i64}, {result = 1 : i64}, {result = 2 : i64}]} {
    %cst = arith.constant dense<0.000000e+00> : tensor<2x2x5xf32> loc(#loc2)
    %cst_0 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c4 = arith.constant 4 : index loc(#loc)
    %0 = tensor.empty() : tensor<5x2x3xf32> loc(#loc2)
    %transposed = linalg.transpose ins(%arg0 : tensor<2x5x3xf32>) outs(%0 : tensor<5x2x3xf32>) permutation = [1, 0, 2]  loc(#loc2)
    %1 = tensor.empty() : tensor<3x20xf32> loc(#loc2)
    %transposed_1 = linalg.transpose ins(%arg1 : tensor<20x3xf32>) outs(%1 : tensor<3x20xf32>) permutation = [1, 0]  loc(#loc2)
    %2 = tensor.empty() : tensor<5x3x20xf32> loc(#loc2)
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_1 : tensor<3x20xf32>) outs(%2 : tensor<5x3x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      linalg.yield %in : f32 loc(#loc2)
    } -> tensor<5x3x20xf32> loc(#loc2)
    %4 = tensor.empty() : tensor<5x2x20xf32> loc(#loc2)
    %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<5x2x20xf32>) -> tensor<5x2x20xf32> loc(#loc2)
    %6 = linalg.batch_matmul ins(%transposed, %3 : tensor<5x2x3xf32>, tensor<5x3x20xf32>) outs(%5 : tensor<5x2x20xf32>) -> tensor<5x2x20xf32> loc(#loc2)
    %7 = tensor.empty() : tensor<20xf32> loc(#loc2)
    %8 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg3, %arg4 : tensor<20xf32>, tensor<20xf32>) outs(%7 : tensor<20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<20xf32> loc(#loc2)
    %9 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<5x2x20xf32>, tensor<20xf32>) outs(%4 : tensor<5x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<5x2x20xf32> loc(#loc2)
    %transposed_2 = linalg.transpose ins(%arg5 : tensor<20x3xf32>) outs(%1 : tensor<3x20xf32>) permutation = [1, 0]  loc(#loc2)
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_2 : tensor<3x20xf32>) outs(%2 : tensor<5x3x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      linalg.yield %in : f32 loc(#loc2)
    } -> tensor<5x3x20xf32> loc(#loc2)
    %11 = linalg.batch_matmul ins(%transposed, %10 : tensor<5x2x3xf32>, tensor<5x3x20xf32>) outs(%5 : tensor<5x2x20xf32>) -> tensor<5x2x20xf32> loc(#loc2)
    %12 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg7, %arg8 : tensor<20xf32>, tensor<20xf32>) outs(%7 : tensor<20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<20xf32> loc(#loc2)
    %13 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<5x2x20xf32>, tensor<20xf32>) outs(%4 : tensor<5x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<5x2x20xf32> loc(#loc2)
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<5x2x20xf32>) outs(%5 : tensor<5x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = linalg.index 0 : index loc(#loc2)
      %32 = linalg.index 1 : index loc(#loc2)
      %33 = linalg.index 2 : index loc(#loc2)
      %34 = arith.subi %c4, %31 : index loc(#loc2)
      %extracted = tensor.extract %13[%34, %32, %33] : tensor<5x2x20xf32> loc(#loc2)
      linalg.yield %extracted : f32 loc(#loc2)
    } -> tensor<5x2x20xf32> loc(#loc2)
    %concat = tensor.concat dim(1) %9, %14 : (tensor<5x2x20xf32>, tensor<5x2x20xf32>) -> tensor<5x4x20xf32> loc(#loc2)
    %expanded = tensor.expand_shape %concat [[0], [1, 2], [3]] output_shape [5, 2, 2, 20] : tensor<5x4x20xf32> into tensor<5x2x2x20xf32> loc(#loc2)
    %concat_3 = tensor.concat dim(0) %arg2, %arg6 : (tensor<20x5xf32>, tensor<20x5xf32>) -> tensor<40x5xf32> loc(#loc2)
    %expanded_4 = tensor.expand_shape %concat_3 [[0, 1], [2]] output_shape [2, 20, 5] : tensor<40x5xf32> into tensor<2x20x5xf32> loc(#loc2)
    %15:3 = call @scan_0(%cst, %cst, %expanded, %expanded_4) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x20xf32>, tensor<2x20x5xf32>) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32>) loc(#loc2)
    %extracted_slice = tensor.extract_slice %15#2[0, 0, 0, 0] [5, 1, 2, 5] [1, 1, 1, 1] : tensor<5x2x2x5xf32> to tensor<5x1x2x5xf32> loc(#loc2)
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<5x1x2x5xf32> into tensor<5x2x5xf32> loc(#loc2)
    %extracted_slice_5 = tensor.extract_slice %15#2[0, 1, 0, 0] [5, 1, 2, 5] [1, 1, 1, 1] : tensor<5x2x2x5xf32> to tensor<5x1x2x5xf32> loc(#loc2)
    %collapsed_6 = tensor.collapse_shape %extracted_slice_5 [[0, 1], [2], [3]] : tensor<5x1x2x5xf32> into tensor<5x2x5xf32> loc(#loc2)
    %16 = tensor.empty() : tensor<5x2x5xf32> loc(#loc2)
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<5x2x5xf32>) -> tensor<5x2x5xf32> loc(#loc2)
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_6 : tensor<5x2x5xf32>) outs(%17 : tensor<5x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = linalg.index 0 : index loc(#loc2)
      %32 = linalg.index 1 : index loc(#loc2)
      %33 = linalg.index 2 : index loc(#loc2)
      %34 = arith.subi %c4, %31 : index loc(#loc2)
      %extracted = tensor.extract %collapsed_6[%34, %32, %33] : tensor<5x2x5xf32> loc(#loc2)
      linalg.yield %extracted : f32 loc(#loc2)
    } -> tensor<5x2x5xf32> loc(#loc2)
    %concat_7 = tensor.concat dim(2) %collapsed, %18 : (tensor<5x2x5xf32>, tensor<5x2x5xf32>) -> tensor<5x2x10xf32> loc(#loc2)
    %19 = tensor.empty() : tensor<10x20xf32> loc(#loc2)
    %transposed_8 = linalg.transpose ins(%arg9 : tensor<20x10xf32>) outs(%19 : tensor<10x20xf32>) permutation = [1, 0]  loc(#loc2)
    %collapsed_9 = tensor.collapse_shape %concat_7 [[0, 1], [2]] : tensor<5x2x10xf32> into tensor<10x10xf32> loc(#loc2)
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<10x20xf32>) -> tensor<10x20xf32> loc(#loc2)
    %21 = linalg.matmul ins(%collapsed_9, %transposed_8 : tensor<10x10xf32>, tensor<10x20xf32>) outs(%20 : tensor<10x20xf32>) -> tensor<10x20xf32> loc(#loc2)
    %expanded_10 = tensor.expand_shape %21 [[0, 1], [2]] output_shape [5, 2, 20] : tensor<10x20xf32> into tensor<5x2x20xf32> loc(#loc2)
    %22 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg11, %arg12 : tensor<20xf32>, tensor<20xf32>) outs(%7 : tensor<20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<20xf32> loc(#loc2)
    %23 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_10, %22 : tensor<5x2x20xf32>, tensor<20xf32>) outs(%4 : tensor<5x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<5x2x20xf32> loc(#loc2)
    %transposed_11 = linalg.transpose ins(%arg13 : tensor<20x10xf32>) outs(%19 : tensor<10x20xf32>) permutation = [1, 0]  loc(#loc2)
    %24 = linalg.matmul ins(%collapsed_9, %transposed_11 : tensor<10x10xf32>, tensor<10x20xf32>) outs(%20 : tensor<10x20xf32>) -> tensor<10x20xf32> loc(#loc2)
    %expanded_12 = tensor.expand_shape %24 [[0, 1], [2]] output_shape [5, 2, 20] : tensor<10x20xf32> into tensor<5x2x20xf32> loc(#loc2)
    %25 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg15, %arg16 : tensor<20xf32>, tensor<20xf32>) outs(%7 : tensor<20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<20xf32> loc(#loc2)
    %26 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_12, %25 : tensor<5x2x20xf32>, tensor<20xf32>) outs(%4 : tensor<5x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_25: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = arith.addf %in, %in_25 : f32 loc(#loc2)
      linalg.yield %31 : f32 loc(#loc2)
    } -> tensor<5x2x20xf32> loc(#loc2)
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<5x2x20xf32>) outs(%5 : tensor<5x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = linalg.index 0 : index loc(#loc2)
      %32 = linalg.index 1 : index loc(#loc2)
      %33 = linalg.index 2 : index loc(#loc2)
      %34 = arith.subi %c4, %31 : index loc(#loc2)
      %extracted = tensor.extract %26[%34, %32, %33] : tensor<5x2x20xf32> loc(#loc2)
      linalg.yield %extracted : f32 loc(#loc2)
    } -> tensor<5x2x20xf32> loc(#loc2)
    %concat_13 = tensor.concat dim(1) %23, %27 : (tensor<5x2x20xf32>, tensor<5x2x20xf32>) -> tensor<5x4x20xf32> loc(#loc2)
    %expanded_14 = tensor.expand_shape %concat_13 [[0], [1, 2], [3]] output_shape [5, 2, 2, 20] : tensor<5x4x20xf32> into tensor<5x2x2x20xf32> loc(#loc2)
    %concat_15 = tensor.concat dim(0) %arg10, %arg14 : (tensor<20x5xf32>, tensor<20x5xf32>) -> tensor<40x5xf32> loc(#loc2)
    %expanded_16 = tensor.expand_shape %concat_15 [[0, 1], [2]] output_shape [2, 20, 5] : tensor<40x5xf32> into tensor<2x20x5xf32> loc(#loc2)
    %28:3 = call @scan_1(%cst, %cst, %expanded_14, %expanded_16) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x20xf32>, tensor<2x20x5xf32>) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32>) loc(#loc2)
    %extracted_slice_17 = tensor.extract_slice %28#2[0, 0, 0, 0] [5, 1, 2, 5] [1, 1, 1, 1] : tensor<5x2x2x5xf32> to tensor<5x1x2x5xf32> loc(#loc2)
    %collapsed_18 = tensor.collapse_shape %extracted_slice_17 [[0, 1], [2], [3]] : tensor<5x1x2x5xf32> into tensor<5x2x5xf32> loc(#loc2)
    %extracted_slice_19 = tensor.extract_slice %28#2[0, 1, 0, 0] [5, 1, 2, 5] [1, 1, 1, 1] : tensor<5x2x2x5xf32> to tensor<5x1x2x5xf32> loc(#loc2)
    %collapsed_20 = tensor.collapse_shape %extracted_slice_19 [[0, 1], [2], [3]] : tensor<5x1x2x5xf32> into tensor<5x2x5xf32> loc(#loc2)
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_20 : tensor<5x2x5xf32>) outs(%17 : tensor<5x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %31 = linalg.index 0 : index loc(#loc2)
      %32 = linalg.index 1 : index loc(#loc2)
      %33 = linalg.index 2 : index loc(#loc2)
      %34 = arith.subi %c4, %31 : index loc(#loc2)
      %extracted = tensor.extract %collapsed_20[%34, %32, %33] : tensor<5x2x5xf32> loc(#loc2)
      linalg.yield %extracted : f32 loc(#loc2)
    } -> tensor<5x2x5xf32> loc(#loc2)
    %concat_21 = tensor.concat dim(2) %collapsed_18, %29 : (tensor<5x2x5xf32>, tensor<5x2x5xf32>) -> tensor<5x2x10xf32> loc(#loc2)
    %30 = tensor.empty() : tensor<2x5x10xf32> loc(#loc2)
    %transposed_22 = linalg.transpose ins(%concat_21 : tensor<5x2x10xf32>) outs(%30 : tensor<2x5x10xf32>) permutation = [1, 0, 2]  loc(#loc2)
    %concat_23 = tensor.concat dim(0) %15#0, %28#0 : (tensor<2x2x5xf32>, tensor<2x2x5xf32>) -> tensor<4x2x5xf32> loc(#loc2)
    %concat_24 = tensor.concat dim(0) %15#1, %28#1 : (tensor<2x2x5xf32>, tensor<2x2x5xf32>) -> tensor<4x2x5xf32> loc(#loc2)
    return %transposed_22, %concat_23, %concat_24 : tensor<2x5x10xf32>, tensor<4x2x5xf32>, tensor<4x2x5xf32> loc(#loc2)
  } loc(#loc2)
  func.func private @scan_0_body(%arg0: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg1: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg2: tensor<2x2x20xf32> loc("lstm"(#loc1)), %arg3: tensor<2x20x5xf32> loc("lstm"(#loc1))) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x5xf32>) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<2x5x20xf32> loc(#loc2)
    %transposed = linalg.transpose ins(%arg3 : tensor<2x20x5xf32>) outs(%0 : tensor<2x5x20xf32>) permutation = [0, 2, 1]  loc(#loc2)
    %1 = tensor.empty() : tensor<2x2x20xf32> loc(#loc2)
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x2x20xf32>) -> tensor<2x2x20xf32> loc(#loc2)
    %3 = linalg.batch_matmul ins(%arg0, %transposed : tensor<2x2x5xf32>, tensor<2x5x20xf32>) outs(%2 : tensor<2x2x20xf32>) -> tensor<2x2x20xf32> loc(#loc2)
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %3 : tensor<2x2x20xf32>, tensor<2x2x20xf32>) outs(%1 : tensor<2x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.addf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x20xf32> loc(#loc2)
    %extracted_slice = tensor.extract_slice %4[0, 0, 0] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %extracted_slice_1 = tensor.extract_slice %4[0, 0, 5] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %extracted_slice_2 = tensor.extract_slice %4[0, 0, 10] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %extracted_slice_3 = tensor.extract_slice %4[0, 0, 15] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %5 = tensor.empty() : tensor<2x2x5xf32> loc(#loc2)
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_1 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.negf %in : f32 loc(#loc2)
      %16 = math.exp %15 : f32 loc(#loc2)
      %17 = arith.addf %16, %cst_0 : f32 loc(#loc2)
      %18 = arith.divf %cst_0, %17 : f32 loc(#loc2)
      linalg.yield %18 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %arg1 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.mulf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.negf %in : f32 loc(#loc2)
      %16 = math.exp %15 : f32 loc(#loc2)
      %17 = arith.addf %16, %cst_0 : f32 loc(#loc2)
      %18 = arith.divf %cst_0, %17 : f32 loc(#loc2)
      linalg.yield %18 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_2 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = math.tanh %in : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.mulf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %10 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.addf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_3 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.negf %in : f32 loc(#loc2)
      %16 = math.exp %15 : f32 loc(#loc2)
      %17 = arith.addf %16, %cst_0 : f32 loc(#loc2)
      %18 = arith.divf %cst_0, %17 : f32 loc(#loc2)
      linalg.yield %18 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = math.tanh %in : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.mulf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    return %14, %11, %14 : tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x5xf32> loc(#loc2)
  } loc(#loc2)
  func.func private @scan_1_body(%arg0: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg1: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg2: tensor<2x2x20xf32> loc("lstm"(#loc1)), %arg3: tensor<2x20x5xf32> loc("lstm"(#loc1))) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x5xf32>) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<2x5x20xf32> loc(#loc2)
    %transposed = linalg.transpose ins(%arg3 : tensor<2x20x5xf32>) outs(%0 : tensor<2x5x20xf32>) permutation = [0, 2, 1]  loc(#loc2)
    %1 = tensor.empty() : tensor<2x2x20xf32> loc(#loc2)
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x2x20xf32>) -> tensor<2x2x20xf32> loc(#loc2)
    %3 = linalg.batch_matmul ins(%arg0, %transposed : tensor<2x2x5xf32>, tensor<2x5x20xf32>) outs(%2 : tensor<2x2x20xf32>) -> tensor<2x2x20xf32> loc(#loc2)
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %3 : tensor<2x2x20xf32>, tensor<2x2x20xf32>) outs(%1 : tensor<2x2x20xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.addf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x20xf32> loc(#loc2)
    %extracted_slice = tensor.extract_slice %4[0, 0, 0] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %extracted_slice_1 = tensor.extract_slice %4[0, 0, 5] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %extracted_slice_2 = tensor.extract_slice %4[0, 0, 10] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %extracted_slice_3 = tensor.extract_slice %4[0, 0, 15] [2, 2, 5] [1, 1, 1] : tensor<2x2x20xf32> to tensor<2x2x5xf32> loc(#loc2)
    %5 = tensor.empty() : tensor<2x2x5xf32> loc(#loc2)
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_1 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.negf %in : f32 loc(#loc2)
      %16 = math.exp %15 : f32 loc(#loc2)
      %17 = arith.addf %16, %cst_0 : f32 loc(#loc2)
      %18 = arith.divf %cst_0, %17 : f32 loc(#loc2)
      linalg.yield %18 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %arg1 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.mulf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.negf %in : f32 loc(#loc2)
      %16 = math.exp %15 : f32 loc(#loc2)
      %17 = arith.addf %16, %cst_0 : f32 loc(#loc2)
      %18 = arith.divf %cst_0, %17 : f32 loc(#loc2)
      linalg.yield %18 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_2 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = math.tanh %in : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.mulf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %10 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.addf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_3 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.negf %in : f32 loc(#loc2)
      %16 = math.exp %15 : f32 loc(#loc2)
      %17 = arith.addf %16, %cst_0 : f32 loc(#loc2)
      %18 = arith.divf %cst_0, %17 : f32 loc(#loc2)
      linalg.yield %18 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = math.tanh %in : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<2x2x5xf32>, tensor<2x2x5xf32>) outs(%5 : tensor<2x2x5xf32>) {
    ^bb0(%in: f32 loc("lstm"(#loc1)), %in_4: f32 loc("lstm"(#loc1)), %out: f32 loc("lstm"(#loc1))):
      %15 = arith.mulf %in, %in_4 : f32 loc(#loc2)
      linalg.yield %15 : f32 loc(#loc2)
    } -> tensor<2x2x5xf32> loc(#loc2)
    return %14, %11, %14 : tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x5xf32> loc(#loc2)
  } loc(#loc2)
  func.func private @scan_0(%arg0: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg1: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg2: tensor<5x2x2x20xf32> loc("lstm"(#loc1)), %arg3: tensor<2x20x5xf32> loc("lstm"(#loc1))) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32>) {
    %c0 = arith.constant 0 : index loc(#loc2)
    %c1 = arith.constant 1 : index loc(#loc2)
    %c5 = arith.constant 5 : index loc(#loc2)
    %0 = tensor.empty() : tensor<5x2x2x5xf32> loc(#loc2)
    %1:3 = scf.for %arg4 = %c0 to %c5 step %c1 iter_args(%arg5 = %arg0, %arg6 = %arg1, %arg7 = %0) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32>) {
      %extracted_slice = tensor.extract_slice %arg2[%arg4, 0, 0, 0] [1, 2, 2, 20] [1, 1, 1, 1] : tensor<5x2x2x20xf32> to tensor<2x2x20xf32> loc(#loc2)
      %2:3 = func.call @scan_0_body(%arg5, %arg6, %extracted_slice, %arg3) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x20xf32>, tensor<2x20x5xf32>) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x5xf32>) loc(#loc2)
      %inserted_slice = tensor.insert_slice %2#2 into %arg7[%arg4, 0, 0, 0] [1, 2, 2, 5] [1, 1, 1, 1] : tensor<2x2x5xf32> into tensor<5x2x2x5xf32> loc(#loc2)
      scf.yield %2#0, %2#1, %inserted_slice : tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32> loc(#loc2)
    } loc(#loc2)
    return %1#0, %1#1, %1#2 : tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32> loc(#loc2)
  } loc(#loc2)
  func.func private @scan_1(%arg0: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg1: tensor<2x2x5xf32> loc("lstm"(#loc1)), %arg2: tensor<5x2x2x20xf32> loc("lstm"(#loc1)), %arg3: tensor<2x20x5xf32> loc("lstm"(#loc1))) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32>) {
    %c0 = arith.constant 0 : index loc(#loc2)
    %c1 = arith.constant 1 : index loc(#loc2)
    %c5 = arith.constant 5 : index loc(#loc2)
    %0 = tensor.empty() : tensor<5x2x2x5xf32> loc(#loc2)
    %1:3 = scf.for %arg4 = %c0 to %c5 step %c1 iter_args(%arg5 = %arg0, %arg6 = %arg1, %arg7 = %0) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32>) {
      %extracted_slice = tensor.extract_slice %arg2[%arg4, 0, 0, 0] [1, 2, 2, 20] [1, 1, 1, 1] : tensor<5x2x2x20xf32> to tensor<2x2x20xf32> loc(#loc2)
      %2:3 = func.call @scan_1_body(%arg5, %arg6, %extracted_slice, %arg3) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x20xf32>, tensor<2x20x5xf32>) -> (tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<2x2x5xf32>) loc(#loc2)
      %inserted_slice = tensor.insert_slice %2#2 into %arg7[%arg4, 0, 0, 0] [1, 2, 2, 5] [1, 1, 1, 1] : tensor<2x2x5xf32> into tensor<5x2x2x5xf32> loc(#loc2)
      scf.yield %2#0, %2#1, %inserted_slice : tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32> loc(#loc2)
    } loc(#loc2)
    return %1#0, %1#1, %1#2 : tensor<2x2x5xf32>, tensor<2x2x5xf32>, tensor<5x2x2x5xf32> loc(#loc2)
  } loc(#loc2)
} loc(#loc)
#loc = loc(unknown)
