// Assertions that ranges decide are erased; others stay.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0) -> (d0)>

// An index out of a sort's payload, an iota.
// CHECK-LABEL: func.func @payload
// CHECK: tm_tensor.sort
// CHECK-NOT: cf.assert
// CHECK: tensor.extract
func.func @payload(%x: tensor<9xf32>, %table: tensor<9xf32>) -> tensor<9xf32> {
  %ei = tensor.empty() : tensor<9xi64>
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : index
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ei : tensor<9xi64>) {
  ^bb0(%out: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  } -> tensor<9xi64>
  %s:2 = tm_tensor.sort dimension(0) outs(%x, %iota : tensor<9xf32>, tensor<9xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %0 = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<9xf32>, tensor<9xi64>
  %e = tensor.empty() : tensor<9xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s#1 : tensor<9xi64>) outs(%e : tensor<9xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.index_cast %in : i64 to index
    %1 = arith.cmpi slt, %0, %c9 : index
    cf.assert %1, "index must be smaller than dim size"
    %2 = arith.cmpi sge, %in, %c0 : i64
    cf.assert %2, "index must be larger or equal to 0"
    %3 = tensor.extract %table[%0] : tensor<9xf32>
    linalg.yield %3 : f32
  } -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// The running index of an argmax, and a negative index that wraps.
// CHECK-LABEL: func.func @argmax
// CHECK-NOT: cf.assert
// CHECK-NOT: arith.addi
// CHECK: tensor.extract
func.func @argmax(%x: tensor<4x9xf32>, %table: tensor<9xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i64
  %min = arith.constant 0xFF800000 : f32
  %ef = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %ff = linalg.fill ins(%min : f32) outs(%ef : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%c0 : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %m:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x9xf32>) outs(%ff, %fi : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.maximumf %in, %best : f32
    %3 = arith.cmpf ogt, %in, %best : f32
    %4 = arith.select %3, %1, %at : i64
    linalg.yield %2, %4 : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%m#1 : tensor<4xi64>) outs(%ef : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.cmpi slt, %in, %c0 : i64
    %1 = arith.addi %in, %c9 : i64
    %2 = arith.select %0, %1, %in : i64
    %3 = arith.cmpi slt, %2, %c9 : i64
    cf.assert %3, "index must be smaller than dim size"
    %4 = arith.index_cast %2 : i64 to index
    %5 = tensor.extract %table[%4] : tensor<9xf32>
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A remainder made non-negative, by the guard of its own select.
// CHECK-LABEL: func.func @remainder
// CHECK-NOT: cf.assert
// CHECK: tensor.extract
func.func @remainder(%x: tensor<4xi64>, %table: tensor<9xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i64
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %lo = arith.constant -1000 : i64
    %hi = arith.constant 1000 : i64
    %c = arith.maxsi %in, %lo : i64
    %d = arith.minsi %c, %hi : i64
    %r = arith.remsi %d, %c9 : i64
    %n = arith.cmpi ne, %r, %c0 : i64
    %s = arith.cmpi slt, %r, %c0 : i64
    %both = arith.andi %n, %s : i1
    %w = arith.addi %r, %c9 : i64
    %i = arith.select %both, %w, %r : i64
    %ok = arith.cmpi sge, %i, %c0 : i64
    cf.assert %ok, "index must be larger or equal to 0"
    %ok2 = arith.cmpi slt, %i, %c9 : i64
    cf.assert %ok2, "index must be smaller than dim size"
    %at = arith.index_cast %i : i64 to index
    %v = tensor.extract %table[%at] : tensor<9xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// PyTorch's reciprocal of zero is infinity.
// CHECK-LABEL: func.func @reciprocal
// CHECK-NOT: cf.assert
// CHECK: arith.divf
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf one, %in, %zero : f32
    cf.assert %0, "unimplemented: tensor with zero element"
    %1 = arith.divf %one, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// An index that is an argument is checked.
// CHECK-LABEL: func.func @argument
// CHECK: cf.assert %{{.*}}, "index must be smaller than dim size"
// CHECK: cf.assert %{{.*}}, "index must be larger or equal to 0"
func.func @argument(%i: tensor<4xi64>, %table: tensor<9xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i64
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %1 = arith.cmpi slt, %in, %c9 : i64
    cf.assert %1, "index must be smaller than dim size"
    %2 = arith.cmpi sge, %in, %c0 : i64
    cf.assert %2, "index must be larger or equal to 0"
    %0 = arith.index_cast %in : i64 to index
    %3 = tensor.extract %table[%0] : tensor<9xf32>
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// But not for a result that nothing reads.
// CHECK-LABEL: func.func @dead
// CHECK-NOT: cf.assert
// CHECK: return
func.func @dead(%i: tensor<4xi64>, %table: tensor<9xf32>) -> tensor<4xi64> {
  %c9 = arith.constant 9 : i64
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %1 = arith.cmpi slt, %in, %c9 : i64
    cf.assert %1, "index must be smaller than dim size"
    %0 = arith.index_cast %in : i64 to index
    %3 = tensor.extract %table[%0] : tensor<9xf32>
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %i : tensor<4xi64>
}
