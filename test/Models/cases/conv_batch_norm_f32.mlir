#loc1 = loc("torch/nn/modules/conv.py":553:0)
#loc2 = loc("cases.py":46:0)
#loc3 = loc("torch/nn/modules/batchnorm.py":194:0)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#loc4 = loc(callsite(#loc1 at #loc2))
#loc5 = loc(callsite(#loc3 at #loc2))
module {
  func.func @main(%arg0: tensor<2x3x13x9xf32> loc(callsite(#loc1 at #loc2)), %arg1: tensor<7x3x3x3xf32> loc(callsite(#loc1 at #loc2)), %arg2: tensor<7xf32> loc(callsite(#loc1 at #loc2)), %arg3: tensor<7xf32> loc(callsite(#loc1 at #loc2)), %arg4: tensor<7xf32> loc(callsite(#loc1 at #loc2)), %arg5: tensor<7xf32> loc(callsite(#loc1 at #loc2)), %arg6: tensor<7xf32> loc(callsite(#loc1 at #loc2)), %arg7: tensor<i64> loc(callsite(#loc1 at #loc2))) -> tensor<2x7x7x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %cst_1 = arith.constant 1.000000e-05 : f64 loc(#loc5)
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg8: index loc(callsite(#loc1 at #loc2)), %arg9: index loc(callsite(#loc1 at #loc2)), %arg10: index loc(callsite(#loc1 at #loc2)), %arg11: index loc(callsite(#loc1 at #loc2))):
      tensor.yield %cst : f32 loc(#loc4)
    } : tensor<2x3x13x9xf32> to tensor<2x3x15x11xf32> loc(#loc4)
    %0 = tensor.empty() : tensor<2x7x7x5xf32> loc(#loc4)
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<7xf32>) outs(%0 : tensor<2x7x7x5xf32>) dimensions = [0, 2, 3]  loc(#loc4)
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %arg1 : tensor<2x3x15x11xf32>, tensor<7x3x3x3xf32>) outs(%broadcasted : tensor<2x7x7x5xf32>) -> tensor<2x7x7x5xf32> loc(#loc4)
    %2 = tensor.empty() : tensor<7xf32> loc(#loc5)
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg6 : tensor<7xf32>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc(callsite(#loc3 at #loc2))):
      %11 = arith.truncf %cst_1 : f64 to f32 loc(#loc5)
      %12 = arith.addf %in, %11 : f32 loc(#loc5)
      linalg.yield %12 : f32 loc(#loc5)
    } -> tensor<7xf32> loc(#loc5)
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<7xf32>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc(callsite(#loc3 at #loc2))):
      %11 = math.sqrt %in : f32 loc(#loc5)
      linalg.yield %11 : f32 loc(#loc5)
    } -> tensor<7xf32> loc(#loc5)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<7xf32>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc(callsite(#loc3 at #loc2))):
      %11 = arith.cmpf one, %in, %cst : f32 loc(#loc5)
      cf.assert %11, "unimplemented: tensor with zero element" loc(#loc5)
      %12 = arith.divf %cst_0, %in : f32 loc(#loc5)
      linalg.yield %12 : f32 loc(#loc5)
    } -> tensor<7xf32> loc(#loc5)
    %expanded = tensor.expand_shape %arg5 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32> loc(#loc5)
    %expanded_2 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32> loc(#loc5)
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %expanded : tensor<2x7x7x5xf32>, tensor<7x1x1xf32>) outs(%0 : tensor<2x7x7x5xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc1 at #loc2)), %in_5: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc(callsite(#loc3 at #loc2))):
      %11 = arith.subf %in, %in_5 : f32 loc(#loc5)
      linalg.yield %11 : f32 loc(#loc5)
    } -> tensor<2x7x7x5xf32> loc(#loc5)
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_2 : tensor<2x7x7x5xf32>, tensor<7x1x1xf32>) outs(%0 : tensor<2x7x7x5xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc3 at #loc2)), %in_5: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc(callsite(#loc3 at #loc2))):
      %11 = arith.mulf %in, %in_5 : f32 loc(#loc5)
      linalg.yield %11 : f32 loc(#loc5)
    } -> tensor<2x7x7x5xf32> loc(#loc5)
    %expanded_3 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32> loc(#loc5)
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_3 : tensor<2x7x7x5xf32>, tensor<7x1x1xf32>) outs(%0 : tensor<2x7x7x5xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc3 at #loc2)), %in_5: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc(callsite(#loc3 at #loc2))):
      %11 = arith.mulf %in, %in_5 : f32 loc(#loc5)
      linalg.yield %11 : f32 loc(#loc5)
    } -> tensor<2x7x7x5xf32> loc(#loc5)
    %expanded_4 = tensor.expand_shape %arg4 [[0, 1, 2]] output_shape [7, 1, 1] : tensor<7xf32> into tensor<7x1x1xf32> loc(#loc5)
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_4 : tensor<2x7x7x5xf32>, tensor<7x1x1xf32>) outs(%0 : tensor<2x7x7x5xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc3 at #loc2)), %in_5: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc(callsite(#loc3 at #loc2))):
      %11 = arith.addf %in, %in_5 : f32 loc(#loc5)
      linalg.yield %11 : f32 loc(#loc5)
    } -> tensor<2x7x7x5xf32> loc(#loc5)
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x7x7x5xf32>) outs(%0 : tensor<2x7x7x5xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc3 at #loc2)), %out: f32 loc("cases.py":46:0)):
      %11 = arith.cmpf ugt, %in, %cst : f32 loc(#loc2)
      %12 = arith.select %11, %in, %cst : f32 loc(#loc2)
      linalg.yield %12 : f32 loc(#loc2)
    } -> tensor<2x7x7x5xf32> loc(#loc2)
    return %10 : tensor<2x7x7x5xf32> loc(#loc2)
  } loc(#loc4)
} loc(#loc)
#loc = loc(unknown)

