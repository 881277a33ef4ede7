#loc1 = loc("cases.py":75:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<7x23xf32> loc("cases.py":75:0)) -> (tensor<7x5xf32>, tensor<7x5xi64>) {
    %0 = tensor.empty() : tensor<7x23xi64> loc(#loc1)
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<7x23xi64>) {
    ^bb0(%out: i64 loc("cases.py":75:0)):
      %3 = linalg.index 1 : index loc(#loc1)
      %4 = arith.index_cast %3 : index to i64 loc(#loc1)
      linalg.yield %4 : i64 loc(#loc1)
    } -> tensor<7x23xi64> loc(#loc1)
    %2:2 = tm_tensor.sort dimension(1) outs(%arg0, %1 : tensor<7x23xf32>, tensor<7x23xi64>) {
    ^bb0(%arg1: f32 loc("cases.py":75:0), %arg2: f32 loc("cases.py":75:0), %arg3: i64 loc("cases.py":75:0), %arg4: i64 loc("cases.py":75:0)):
      %3 = arith.cmpf oge, %arg1, %arg2 : f32 loc(#loc1)
      tm_tensor.yield %3 : i1 loc(#loc1)
    } -> tensor<7x23xf32>, tensor<7x23xi64> loc(#loc1)
    %extracted_slice = tensor.extract_slice %2#0[0, 0] [7, 5] [1, 1] : tensor<7x23xf32> to tensor<7x5xf32> loc(#loc1)
    %extracted_slice_0 = tensor.extract_slice %2#1[0, 0] [7, 5] [1, 1] : tensor<7x23xi64> to tensor<7x5xi64> loc(#loc1)
    return %extracted_slice, %extracted_slice_0 : tensor<7x5xf32>, tensor<7x5xi64> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

