#loc1 = loc("cases.py":116:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<3x5xcomplex<f32>> loc("cases.py":116:0), %arg1: tensor<3x5xcomplex<f32>> loc("cases.py":116:0)) -> (tensor<3x5xcomplex<f32>>, tensor<5x3x2xf32>, tensor<3x5xf32>) {
    %c0 = arith.constant 0 : index loc(#loc)
    %0 = tensor.empty() : tensor<3x5xcomplex<f32>> loc(#loc1)
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) outs(%0 : tensor<3x5xcomplex<f32>>) {
    ^bb0(%in: complex<f32> loc("cases.py":116:0), %in_1: complex<f32> loc("cases.py":116:0), %out: complex<f32> loc("cases.py":116:0)):
      %8 = complex.mul %in, %in_1 : complex<f32> loc(#loc1)
      linalg.yield %8 : complex<f32> loc(#loc1)
    } -> tensor<3x5xcomplex<f32>> loc(#loc1)
    %2 = tensor.empty() : tensor<5x3xcomplex<f32>> loc(#loc1)
    %transposed = linalg.transpose ins(%arg0 : tensor<3x5xcomplex<f32>>) outs(%2 : tensor<5x3xcomplex<f32>>) permutation = [1, 0]  loc(#loc1)
    %transposed_0 = linalg.transpose ins(%arg1 : tensor<3x5xcomplex<f32>>) outs(%2 : tensor<5x3xcomplex<f32>>) permutation = [1, 0]  loc(#loc1)
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed, %transposed_0 : tensor<5x3xcomplex<f32>>, tensor<5x3xcomplex<f32>>) outs(%2 : tensor<5x3xcomplex<f32>>) {
    ^bb0(%in: complex<f32> loc("cases.py":116:0), %in_1: complex<f32> loc("cases.py":116:0), %out: complex<f32> loc("cases.py":116:0)):
      %8 = complex.mul %in, %in_1 : complex<f32> loc(#loc1)
      linalg.yield %8 : complex<f32> loc(#loc1)
    } -> tensor<5x3xcomplex<f32>> loc(#loc1)
    %4 = tensor.empty() : tensor<5x3x2xf32> loc(#loc1)
    %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<5x3xcomplex<f32>>) outs(%4 : tensor<5x3x2xf32>) {
    ^bb0(%in: complex<f32> loc("cases.py":116:0), %out: f32 loc("cases.py":116:0)):
      %8 = complex.re %in : complex<f32> loc(#loc1)
      %9 = complex.im %in : complex<f32> loc(#loc1)
      %10 = linalg.index 2 : index loc(#loc1)
      %11 = arith.cmpi eq, %10, %c0 : index loc(#loc1)
      %12 = arith.select %11, %8, %9 : f32 loc(#loc1)
      linalg.yield %12 : f32 loc(#loc1)
    } -> tensor<5x3x2xf32> loc(#loc1)
    %6 = tensor.empty() : tensor<3x5x2xf32> loc(#loc1)
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x5xcomplex<f32>>) outs(%6 : tensor<3x5x2xf32>) {
    ^bb0(%in: complex<f32> loc("cases.py":116:0), %out: f32 loc("cases.py":116:0)):
      %8 = complex.re %in : complex<f32> loc(#loc1)
      %9 = complex.im %in : complex<f32> loc(#loc1)
      %10 = linalg.index 2 : index loc(#loc1)
      %11 = arith.cmpi eq, %10, %c0 : index loc(#loc1)
      %12 = arith.select %11, %8, %9 : f32 loc(#loc1)
      linalg.yield %12 : f32 loc(#loc1)
    } -> tensor<3x5x2xf32> loc(#loc1)
    %extracted_slice = tensor.extract_slice %7[0, 0, 1] [3, 5, 1] [1, 1, 1] : tensor<3x5x2xf32> to tensor<3x5x1xf32> loc(#loc1)
    %collapsed = tensor.collapse_shape %extracted_slice [[0], [1, 2]] : tensor<3x5x1xf32> into tensor<3x5xf32> loc(#loc1)
    return %1, %5, %collapsed : tensor<3x5xcomplex<f32>>, tensor<5x3x2xf32>, tensor<3x5xf32> loc(#loc1)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

