#loc1 = loc("test/Models/recurrent.py":47:0)
#loc2 = loc("test/Models/recurrent.py":48:0)
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d1)>
#loc3 = loc("gru"(#loc1))
#loc4 = loc("forward"(#loc2))
#loc5 = loc("out"(#loc2))
module attributes {ks.python = "{\22format\22:1,\22call\22:{\22spec\22:[1,{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:null,\22context\22:null,\22children_spec\22:[]},{\22type\22:null,\22context\22:null,\22children_spec\22:[]}]},{\22type\22:\22builtins.dict\22,\22context\22:\22[]\22,\22children_spec\22:[]}]}],\22leaves\22:[{\22argument\22:0,\22name\22:\22x\22},{\22argument\22:1,\22name\22:\22h\22}]},\22results\22:{\22spec\22:[1,{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:null,\22context\22:null,\22children_spec\22:[]},{\22type\22:null,\22context\22:null,\22children_spec\22:[]}]}],\22leaves\22:[{\22result\22:0},{\22result\22:1}]},\22state\22:[],\22random\22:[]}"} {
  func.func @main(%arg0: tensor<6x3x4xf16> {ks.kind = "input", ks.name = "x"} loc("gru"(#loc1)), %arg1: tensor<1x3x7xf16> {ks.kind = "input", ks.name = "h"} loc("gru"(#loc1)), %arg2: tensor<21x4xf16> {ks.kind = "parameter", ks.name = "gru.weight_ih_l0"} loc("gru"(#loc1)), %arg3: tensor<21x7xf16> {ks.kind = "parameter", ks.name = "gru.weight_hh_l0"} loc("gru"(#loc1)), %arg4: tensor<21xf16> {ks.kind = "parameter", ks.name = "gru.bias_ih_l0"} loc("gru"(#loc1)), %arg5: tensor<21xf16> {ks.kind = "parameter", ks.name = "gru.bias_hh_l0"} loc("gru"(#loc1)), %arg6: tensor<2x7xf16> {ks.kind = "parameter", ks.name = "out.weight"} loc("gru"(#loc1)), %arg7: tensor<2xf16> {ks.kind = "parameter", ks.name = "out.bias"} loc("gru"(#loc1))) -> (tensor<3x2xf16>, tensor<1x3x7xf16>) attributes {ks.results = [{result = 0 : i64}, {result = 1 : i64}]} {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<6x3x4xf32> loc(#loc3)
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x3x4xf16>) outs(%0 : tensor<6x3x4xf32>) {
    ^bb0(%in: f16 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %26 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %26 : f32 loc(#loc3)
    } -> tensor<6x3x4xf32> loc(#loc3)
    %2 = tensor.empty() : tensor<21x4xf32> loc(#loc3)
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<21x4xf16>) outs(%2 : tensor<21x4xf32>) {
    ^bb0(%in: f16 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %26 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %26 : f32 loc(#loc3)
    } -> tensor<21x4xf32> loc(#loc3)
    %4 = tensor.empty() : tensor<4x21xf32> loc(#loc3)
    %transposed = linalg.transpose ins(%3 : tensor<21x4xf32>) outs(%4 : tensor<4x21xf32>) permutation = [1, 0]  loc(#loc3)
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<6x3x4xf32> into tensor<18x4xf32> loc(#loc3)
    %5 = tensor.empty() : tensor<18x21xf32> loc(#loc3)
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<18x21xf32>) -> tensor<18x21xf32> loc(#loc3)
    %7 = linalg.matmul ins(%collapsed, %transposed : tensor<18x4xf32>, tensor<4x21xf32>) outs(%6 : tensor<18x21xf32>) -> tensor<18x21xf32> loc(#loc3)
    %expanded = tensor.expand_shape %7 [[0, 1], [2]] output_shape [6, 3, 21] : tensor<18x21xf32> into tensor<6x3x21xf32> loc(#loc3)
    %8 = tensor.empty() : tensor<21xf32> loc(#loc3)
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg4 : tensor<21xf16>) outs(%8 : tensor<21xf32>) {
    ^bb0(%in: f16 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %26 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %26 : f32 loc(#loc3)
    } -> tensor<21xf32> loc(#loc3)
    %10 = tensor.empty() : tensor<6x3x21xf32> loc(#loc3)
    %11 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %9 : tensor<6x3x21xf32>, tensor<21xf32>) outs(%10 : tensor<6x3x21xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_4: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %26 = arith.addf %in, %in_4 : f32 loc(#loc3)
      linalg.yield %26 : f32 loc(#loc3)
    } -> tensor<6x3x21xf32> loc(#loc3)
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<1x3x7xf16> into tensor<3x7xf16> loc(#loc3)
    %12:2 = call @scan_0(%collapsed_0, %11, %arg3, %arg5) : (tensor<3x7xf16>, tensor<6x3x21xf32>, tensor<21x7xf16>, tensor<21xf16>) -> (tensor<3x7xf16>, tensor<6x3x7xf16>) loc(#loc3)
    %expanded_1 = tensor.expand_shape %12#0 [[0, 1], [2]] output_shape [1, 3, 7] : tensor<3x7xf16> into tensor<1x3x7xf16> loc(#loc3)
    %extracted_slice = tensor.extract_slice %12#1[5, 0, 0] [1, 3, 7] [1, 1, 1] : tensor<6x3x7xf16> to tensor<1x3x7xf16> loc(#loc4)
    %collapsed_2 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x3x7xf16> into tensor<3x7xf16> loc(#loc4)
    %13 = tensor.empty() : tensor<7x2xf16> loc(#loc5)
    %transposed_3 = linalg.transpose ins(%arg6 : tensor<2x7xf16>) outs(%13 : tensor<7x2xf16>) permutation = [1, 0]  loc(#loc5)
    %14 = tensor.empty() : tensor<3x7xf32> loc(#loc5)
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_2 : tensor<3x7xf16>) outs(%14 : tensor<3x7xf32>) {
    ^bb0(%in: f16 loc("forward"(#loc2)), %out: f32 loc("out"(#loc2))):
      %26 = arith.extf %in : f16 to f32 loc(#loc5)
      linalg.yield %26 : f32 loc(#loc5)
    } -> tensor<3x7xf32> loc(#loc5)
    %16 = tensor.empty() : tensor<7x2xf32> loc(#loc5)
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_3 : tensor<7x2xf16>) outs(%16 : tensor<7x2xf32>) {
    ^bb0(%in: f16 loc("out"(#loc2)), %out: f32 loc("out"(#loc2))):
      %26 = arith.extf %in : f16 to f32 loc(#loc5)
      linalg.yield %26 : f32 loc(#loc5)
    } -> tensor<7x2xf32> loc(#loc5)
    %18 = tensor.empty() : tensor<3x2xf32> loc(#loc5)
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<3x2xf32>) -> tensor<3x2xf32> loc(#loc5)
    %20 = linalg.matmul ins(%15, %17 : tensor<3x7xf32>, tensor<7x2xf32>) outs(%19 : tensor<3x2xf32>) -> tensor<3x2xf32> loc(#loc5)
    %21 = tensor.empty() : tensor<2xf32> loc(#loc5)
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg7 : tensor<2xf16>) outs(%21 : tensor<2xf32>) {
    ^bb0(%in: f16 loc("out"(#loc2)), %out: f32 loc("out"(#loc2))):
      %26 = arith.extf %in : f16 to f32 loc(#loc5)
      linalg.yield %26 : f32 loc(#loc5)
    } -> tensor<2xf32> loc(#loc5)
    %23 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%20, %22 : tensor<3x2xf32>, tensor<2xf32>) outs(%18 : tensor<3x2xf32>) {
    ^bb0(%in: f32 loc("out"(#loc2)), %in_4: f32 loc("out"(#loc2)), %out: f32 loc("out"(#loc2))):
      %26 = arith.addf %in, %in_4 : f32 loc(#loc5)
      linalg.yield %26 : f32 loc(#loc5)
    } -> tensor<3x2xf32> loc(#loc5)
    %24 = tensor.empty() : tensor<3x2xf16> loc(#loc5)
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<3x2xf32>) outs(%24 : tensor<3x2xf16>) {
    ^bb0(%in: f32 loc("out"(#loc2)), %out: f16 loc("out"(#loc2))):
      %26 = arith.truncf %in : f32 to f16 loc(#loc5)
      linalg.yield %26 : f16 loc(#loc5)
    } -> tensor<3x2xf16> loc(#loc5)
    return %25, %expanded_1 : tensor<3x2xf16>, tensor<1x3x7xf16> loc(#loc5)
  } loc(#loc3)
  func.func private @scan_0_body(%arg0: tensor<3x7xf16> loc("gru"(#loc1)), %arg1: tensor<3x21xf32> loc("gru"(#loc1)), %arg2: tensor<21x7xf16> loc("gru"(#loc1)), %arg3: tensor<21xf16> loc("gru"(#loc1))) -> (tensor<3x7xf16>, tensor<3x7xf16>) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<3x7xf32> loc(#loc3)
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x7xf16>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f16 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %2 = tensor.empty() : tensor<21x7xf32> loc(#loc3)
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<21x7xf16>) outs(%2 : tensor<21x7xf32>) {
    ^bb0(%in: f16 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<21x7xf32> loc(#loc3)
    %4 = tensor.empty() : tensor<7x21xf32> loc(#loc3)
    %transposed = linalg.transpose ins(%3 : tensor<21x7xf32>) outs(%4 : tensor<7x21xf32>) permutation = [1, 0]  loc(#loc3)
    %5 = tensor.empty() : tensor<3x21xf32> loc(#loc3)
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<3x21xf32>) -> tensor<3x21xf32> loc(#loc3)
    %7 = linalg.matmul ins(%1, %transposed : tensor<3x7xf32>, tensor<7x21xf32>) outs(%6 : tensor<3x21xf32>) -> tensor<3x21xf32> loc(#loc3)
    %8 = tensor.empty() : tensor<21xf32> loc(#loc3)
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg3 : tensor<21xf16>) outs(%8 : tensor<21xf32>) {
    ^bb0(%in: f16 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.extf %in : f16 to f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<21xf32> loc(#loc3)
    %10 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %9 : tensor<3x21xf32>, tensor<21xf32>) outs(%5 : tensor<3x21xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.addf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x21xf32> loc(#loc3)
    %extracted_slice = tensor.extract_slice %arg1[0, 0] [3, 7] [1, 1] : tensor<3x21xf32> to tensor<3x7xf32> loc(#loc3)
    %extracted_slice_1 = tensor.extract_slice %arg1[0, 7] [3, 7] [1, 1] : tensor<3x21xf32> to tensor<3x7xf32> loc(#loc3)
    %extracted_slice_2 = tensor.extract_slice %arg1[0, 14] [3, 7] [1, 1] : tensor<3x21xf32> to tensor<3x7xf32> loc(#loc3)
    %extracted_slice_3 = tensor.extract_slice %10[0, 0] [3, 7] [1, 1] : tensor<3x21xf32> to tensor<3x7xf32> loc(#loc3)
    %extracted_slice_4 = tensor.extract_slice %10[0, 7] [3, 7] [1, 1] : tensor<3x21xf32> to tensor<3x7xf32> loc(#loc3)
    %extracted_slice_5 = tensor.extract_slice %10[0, 14] [3, 7] [1, 1] : tensor<3x21xf32> to tensor<3x7xf32> loc(#loc3)
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_3 : tensor<3x7xf32>, tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.addf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.negf %in : f32 loc(#loc3)
      %24 = math.exp %23 : f32 loc(#loc3)
      %25 = arith.addf %24, %cst_0 : f32 loc(#loc3)
      %26 = arith.divf %cst_0, %25 : f32 loc(#loc3)
      linalg.yield %26 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_1, %extracted_slice_4 : tensor<3x7xf32>, tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.addf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.negf %in : f32 loc(#loc3)
      %24 = math.exp %23 : f32 loc(#loc3)
      %25 = arith.addf %24, %cst_0 : f32 loc(#loc3)
      %26 = arith.divf %cst_0, %25 : f32 loc(#loc3)
      linalg.yield %26 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %extracted_slice_5 : tensor<3x7xf32>, tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.mulf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2, %15 : tensor<3x7xf32>, tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.addf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = math.tanh %in : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%1, %17 : tensor<3x7xf32>, tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.subf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %18 : tensor<3x7xf32>, tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.mulf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %19 : tensor<3x7xf32>, tensor<3x7xf32>) outs(%0 : tensor<3x7xf32>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %in_6: f32 loc("gru"(#loc1)), %out: f32 loc("gru"(#loc1))):
      %23 = arith.addf %in, %in_6 : f32 loc(#loc3)
      linalg.yield %23 : f32 loc(#loc3)
    } -> tensor<3x7xf32> loc(#loc3)
    %21 = tensor.empty() : tensor<3x7xf16> loc(#loc3)
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<3x7xf32>) outs(%21 : tensor<3x7xf16>) {
    ^bb0(%in: f32 loc("gru"(#loc1)), %out: f16 loc("gru"(#loc1))):
      %23 = arith.truncf %in : f32 to f16 loc(#loc3)
      linalg.yield %23 : f16 loc(#loc3)
    } -> tensor<3x7xf16> loc(#loc3)
    return %22, %22 : tensor<3x7xf16>, tensor<3x7xf16> loc(#loc3)
  } loc(#loc3)
  func.func private @scan_0(%arg0: tensor<3x7xf16> loc("gru"(#loc1)), %arg1: tensor<6x3x21xf32> loc("gru"(#loc1)), %arg2: tensor<21x7xf16> loc("gru"(#loc1)), %arg3: tensor<21xf16> loc("gru"(#loc1))) -> (tensor<3x7xf16>, tensor<6x3x7xf16>) {
    %c0 = arith.constant 0 : index loc(#loc3)
    %c1 = arith.constant 1 : index loc(#loc3)
    %c6 = arith.constant 6 : index loc(#loc3)
    %0 = tensor.empty() : tensor<6x3x7xf16> loc(#loc3)
    %1:2 = scf.for %arg4 = %c0 to %c6 step %c1 iter_args(%arg5 = %arg0, %arg6 = %0) -> (tensor<3x7xf16>, tensor<6x3x7xf16>) {
      %extracted_slice = tensor.extract_slice %arg1[%arg4, 0, 0] [1, 3, 21] [1, 1, 1] : tensor<6x3x21xf32> to tensor<3x21xf32> loc(#loc3)
      %2:2 = func.call @scan_0_body(%arg5, %extracted_slice, %arg2, %arg3) : (tensor<3x7xf16>, tensor<3x21xf32>, tensor<21x7xf16>, tensor<21xf16>) -> (tensor<3x7xf16>, tensor<3x7xf16>) loc(#loc3)
      %inserted_slice = tensor.insert_slice %2#1 into %arg6[%arg4, 0, 0] [1, 3, 7] [1, 1, 1] : tensor<3x7xf16> into tensor<6x3x7xf16> loc(#loc3)
      scf.yield %2#0, %inserted_slice : tensor<3x7xf16>, tensor<6x3x7xf16> loc(#loc3)
    } loc(#loc3)
    return %1#0, %1#1 : tensor<3x7xf16>, tensor<6x3x7xf16> loc(#loc3)
  } loc(#loc3)
} loc(#loc)
#loc = loc(unknown)
