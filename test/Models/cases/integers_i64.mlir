#loc1 = loc("cases.py":100:0)
#loc2 = loc("cases.py":101:0)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<5x7xi64> loc("cases.py":100:0), %arg1: tensor<5x7xi64> loc("cases.py":100:0)) -> (tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5xi64>) {
    %c3_i64 = arith.constant 3 : i64 loc(#loc2)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %0 = tensor.empty() : tensor<5x7xi64> loc(#loc1)
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<5x7xi64>, tensor<5x7xi64>) outs(%0 : tensor<5x7xi64>) {
    ^bb0(%in: i64 loc("cases.py":100:0), %in_0: i64 loc("cases.py":100:0), %out: i64 loc("cases.py":100:0)):
      %8 = arith.sitofp %in : i64 to f64 loc(#loc1)
      %9 = arith.sitofp %in_0 : i64 to f64 loc(#loc1)
      %10 = arith.divf %8, %9 : f64 loc(#loc1)
      %11 = math.floor %10 : f64 loc(#loc1)
      %12 = arith.fptosi %11 : f64 to i64 loc(#loc1)
      linalg.yield %12 : i64 loc(#loc1)
    } -> tensor<5x7xi64> loc(#loc1)
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<5x7xi64>, tensor<5x7xi64>) outs(%0 : tensor<5x7xi64>) {
    ^bb0(%in: i64 loc("cases.py":100:0), %in_0: i64 loc("cases.py":100:0), %out: i64 loc("cases.py":101:0)):
      %8 = arith.remsi %in, %in_0 : i64 loc(#loc2)
      %9 = arith.cmpi ne, %8, %c0_i64 : i64 loc(#loc2)
      %10 = arith.cmpi slt, %in_0, %c0_i64 : i64 loc(#loc2)
      %11 = arith.cmpi slt, %8, %c0_i64 : i64 loc(#loc2)
      %12 = arith.xori %10, %11 : i1 loc(#loc2)
      %13 = arith.andi %9, %12 : i1 loc(#loc2)
      %14 = arith.addi %8, %in_0 : i64 loc(#loc2)
      %15 = arith.select %13, %14, %8 : i64 loc(#loc2)
      linalg.yield %15 : i64 loc(#loc2)
    } -> tensor<5x7xi64> loc(#loc2)
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x7xi64>) outs(%0 : tensor<5x7xi64>) {
    ^bb0(%in: i64 loc("cases.py":100:0), %out: i64 loc("cases.py":101:0)):
      %8 = arith.shli %in, %c3_i64 : i64 loc(#loc2)
      linalg.yield %8 : i64 loc(#loc2)
    } -> tensor<5x7xi64> loc(#loc2)
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg1 : tensor<5x7xi64>, tensor<5x7xi64>) outs(%0 : tensor<5x7xi64>) {
    ^bb0(%in: i64 loc("cases.py":101:0), %in_0: i64 loc("cases.py":100:0), %out: i64 loc("cases.py":101:0)):
      %8 = arith.xori %in, %in_0 : i64 loc(#loc2)
      linalg.yield %8 : i64 loc(#loc2)
    } -> tensor<5x7xi64> loc(#loc2)
    %5 = tensor.empty() : tensor<5xi64> loc(#loc2)
    %6 = linalg.fill ins(%c0_i64 : i64) outs(%5 : tensor<5xi64>) -> tensor<5xi64> loc(#loc2)
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<5x7xi64>) outs(%6 : tensor<5xi64>) {
    ^bb0(%in: i64 loc("cases.py":100:0), %out: i64 loc("cases.py":101:0)):
      %8 = arith.addi %in, %out : i64 loc(#loc2)
      linalg.yield %8 : i64 loc(#loc2)
    } -> tensor<5xi64> loc(#loc2)
    return %1, %2, %4, %7 : tensor<5x7xi64>, tensor<5x7xi64>, tensor<5x7xi64>, tensor<5xi64> loc(#loc2)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)

