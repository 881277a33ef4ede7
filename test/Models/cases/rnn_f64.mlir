#loc1 = loc("test/Models/recurrent.py":57:0)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#loc2 = loc("rnn"(#loc1))
module attributes {ks.python = "{\22format\22:1,\22call\22:{\22spec\22:[1,{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:\22builtins.tuple\22,\22context\22:\22null\22,\22children_spec\22:[{\22type\22:null,\22context\22:null,\22children_spec\22:[]}]},{\22type\22:\22builtins.dict\22,\22context\22:\22[]\22,\22children_spec\22:[]}]}],\22leaves\22:[{\22argument\22:0,\22name\22:\22x\22}]},\22results\22:{\22spec\22:[1,{\22type\22:null,\22context\22:null,\22children_spec\22:[]}],\22leaves\22:[{\22result\22:0}]},\22state\22:[],\22random\22:[]}"} {
  func.func @main(%arg0: tensor<7x1x3xf64> {ks.kind = "input", ks.name = "x"} loc("rnn"(#loc1)), %arg1: tensor<5x3xf64> {ks.kind = "parameter", ks.name = "rnn.weight_ih_l0"} loc("rnn"(#loc1)), %arg2: tensor<5x5xf64> {ks.kind = "parameter", ks.name = "rnn.weight_hh_l0"} loc("rnn"(#loc1)), %arg3: tensor<5xf64> {ks.kind = "parameter", ks.name = "rnn.bias_ih_l0"} loc("rnn"(#loc1)), %arg4: tensor<5xf64> {ks.kind = "parameter", ks.name = "rnn.bias_hh_l0"} loc("rnn"(#loc1))) -> tensor<7x1x5xf64> attributes {ks.results = [{result = 0 : i64}]} {
    %cst = arith.constant dense<0.000000e+00> : tensor<1x5xf64> loc(#loc2)
    %cst_0 = arith.constant 0.000000e+00 : f64 loc(#loc2)
    %0 = tensor.empty() : tensor<3x5xf64> loc(#loc2)
    %transposed = linalg.transpose ins(%arg1 : tensor<5x3xf64>) outs(%0 : tensor<3x5xf64>) permutation = [1, 0]  loc(#loc2)
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<7x1x3xf64> into tensor<7x3xf64> loc(#loc2)
    %1 = tensor.empty() : tensor<7x5xf64> loc(#loc2)
    %2 = linalg.fill ins(%cst_0 : f64) outs(%1 : tensor<7x5xf64>) -> tensor<7x5xf64> loc(#loc2)
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<7x3xf64>, tensor<3x5xf64>) outs(%2 : tensor<7x5xf64>) -> tensor<7x5xf64> loc(#loc2)
    %expanded = tensor.expand_shape %3 [[0], [1, 2]] output_shape [7, 1, 5] : tensor<7x5xf64> into tensor<7x1x5xf64> loc(#loc2)
    %4 = tensor.empty() : tensor<5xf64> loc(#loc2)
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg3, %arg4 : tensor<5xf64>, tensor<5xf64>) outs(%4 : tensor<5xf64>) {
    ^bb0(%in: f64 loc("rnn"(#loc1)), %in_1: f64 loc("rnn"(#loc1)), %out: f64 loc("rnn"(#loc1))):
      %9 = arith.addf %in, %in_1 : f64 loc(#loc2)
      linalg.yield %9 : f64 loc(#loc2)
    } -> tensor<5xf64> loc(#loc2)
    %6 = tensor.empty() : tensor<7x1x5xf64> loc(#loc2)
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %5 : tensor<7x1x5xf64>, tensor<5xf64>) outs(%6 : tensor<7x1x5xf64>) {
    ^bb0(%in: f64 loc("rnn"(#loc1)), %in_1: f64 loc("rnn"(#loc1)), %out: f64 loc("rnn"(#loc1))):
      %9 = arith.addf %in, %in_1 : f64 loc(#loc2)
      linalg.yield %9 : f64 loc(#loc2)
    } -> tensor<7x1x5xf64> loc(#loc2)
    %8:2 = call @scan_0(%cst, %7, %arg2) : (tensor<1x5xf64>, tensor<7x1x5xf64>, tensor<5x5xf64>) -> (tensor<1x5xf64>, tensor<7x1x5xf64>) loc(#loc2)
    return %8#1 : tensor<7x1x5xf64> loc(#loc2)
  } loc(#loc2)
  func.func private @scan_0_body(%arg0: tensor<1x5xf64> loc("rnn"(#loc1)), %arg1: tensor<1x5xf64> loc("rnn"(#loc1)), %arg2: tensor<5x5xf64> loc("rnn"(#loc1))) -> (tensor<1x5xf64>, tensor<1x5xf64>) {
    %cst = arith.constant 0.000000e+00 : f64 loc(#loc)
    %0 = tensor.empty() : tensor<5x5xf64> loc(#loc2)
    %transposed = linalg.transpose ins(%arg2 : tensor<5x5xf64>) outs(%0 : tensor<5x5xf64>) permutation = [1, 0]  loc(#loc2)
    %1 = tensor.empty() : tensor<1x5xf64> loc(#loc2)
    %2 = linalg.fill ins(%cst : f64) outs(%1 : tensor<1x5xf64>) -> tensor<1x5xf64> loc(#loc2)
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<1x5xf64>, tensor<5x5xf64>) outs(%2 : tensor<1x5xf64>) -> tensor<1x5xf64> loc(#loc2)
    %4 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg1, %3 : tensor<1x5xf64>, tensor<1x5xf64>) outs(%1 : tensor<1x5xf64>) {
    ^bb0(%in: f64 loc("rnn"(#loc1)), %in_0: f64 loc("rnn"(#loc1)), %out: f64 loc("rnn"(#loc1))):
      %6 = arith.addf %in, %in_0 : f64 loc(#loc2)
      linalg.yield %6 : f64 loc(#loc2)
    } -> tensor<1x5xf64> loc(#loc2)
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x5xf64>) outs(%1 : tensor<1x5xf64>) {
    ^bb0(%in: f64 loc("rnn"(#loc1)), %out: f64 loc("rnn"(#loc1))):
      %6 = arith.cmpf ugt, %in, %cst : f64 loc(#loc2)
      %7 = arith.select %6, %in, %cst : f64 loc(#loc2)
      linalg.yield %7 : f64 loc(#loc2)
    } -> tensor<1x5xf64> loc(#loc2)
    return %5, %5 : tensor<1x5xf64>, tensor<1x5xf64> loc(#loc2)
  } loc(#loc2)
  func.func private @scan_0(%arg0: tensor<1x5xf64> loc("rnn"(#loc1)), %arg1: tensor<7x1x5xf64> loc("rnn"(#loc1)), %arg2: tensor<5x5xf64> loc("rnn"(#loc1))) -> (tensor<1x5xf64>, tensor<7x1x5xf64>) {
    %c0 = arith.constant 0 : index loc(#loc2)
    %c1 = arith.constant 1 : index loc(#loc2)
    %c7 = arith.constant 7 : index loc(#loc2)
    %0 = tensor.empty() : tensor<7x1x5xf64> loc(#loc2)
    %1:2 = scf.for %arg3 = %c0 to %c7 step %c1 iter_args(%arg4 = %arg0, %arg5 = %0) -> (tensor<1x5xf64>, tensor<7x1x5xf64>) {
      %extracted_slice = tensor.extract_slice %arg1[%arg3, 0, 0] [1, 1, 5] [1, 1, 1] : tensor<7x1x5xf64> to tensor<1x5xf64> loc(#loc2)
      %2:2 = func.call @scan_0_body(%arg4, %extracted_slice, %arg2) : (tensor<1x5xf64>, tensor<1x5xf64>, tensor<5x5xf64>) -> (tensor<1x5xf64>, tensor<1x5xf64>) loc(#loc2)
      %inserted_slice = tensor.insert_slice %2#1 into %arg5[%arg3, 0, 0] [1, 1, 5] [1, 1, 1] : tensor<1x5xf64> into tensor<7x1x5xf64> loc(#loc2)
      scf.yield %2#0, %inserted_slice : tensor<1x5xf64>, tensor<7x1x5xf64> loc(#loc2)
    } loc(#loc2)
    return %1#0, %1#1 : tensor<1x5xf64>, tensor<7x1x5xf64> loc(#loc2)
  } loc(#loc2)
} loc(#loc)
#loc = loc(unknown)
