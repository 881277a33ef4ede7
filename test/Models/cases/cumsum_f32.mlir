#loc1 = loc("cases.py":70:0)
module {
  func.func @main(%arg0: tensor<3x41xf32> loc("cases.py":70:0)) -> tensor<3x41xf32> {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<3x41xf32> loc(#loc1)
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x41xf32>) -> tensor<3x41xf32> loc(#loc1)
    %2 = tensor.empty() : tensor<3xf32> loc(#loc1)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3xf32>) -> tensor<3xf32> loc(#loc1)
    %4:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%arg0 : tensor<3x41xf32>) outs(%1, %3 : tensor<3x41xf32>, tensor<3xf32>) {
    ^bb0(%arg1: f32 loc("cases.py":70:0), %arg2: f32 loc("cases.py":70:0)):
      %5 = arith.addf %arg1, %arg2 : f32 loc(#loc1)
      tm_tensor.yield %5 : f32 loc(#loc1)
    } -> tensor<3x41xf32>, tensor<3xf32> loc(#loc1)
    return %4#0 : tensor<3x41xf32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

