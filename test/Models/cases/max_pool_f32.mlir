#loc1 = loc("cases.py":51:0)
module {
  func.func @main(%arg0: tensor<2x3x11x13xf32> loc("cases.py":51:0)) -> tensor<2x3x6x7xf32> {
    %cst = arith.constant 0xFF800000 : f32 loc(#loc1)
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index loc("cases.py":51:0), %arg2: index loc("cases.py":51:0), %arg3: index loc("cases.py":51:0), %arg4: index loc("cases.py":51:0)):
      tensor.yield %cst : f32 loc(#loc1)
    } : tensor<2x3x11x13xf32> to tensor<2x3x13x15xf32> loc(#loc1)
    %0 = tensor.empty() : tensor<2x3x6x7xf32> loc(#loc1)
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x3x6x7xf32>) -> tensor<2x3x6x7xf32> loc(#loc1)
    %2 = tensor.empty() : tensor<3x3xf32> loc(#loc1)
    %3 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %2 : tensor<2x3x13x15xf32>, tensor<3x3xf32>) outs(%1 : tensor<2x3x6x7xf32>) -> tensor<2x3x6x7xf32> loc(#loc1)
    return %3 : tensor<2x3x6x7xf32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

