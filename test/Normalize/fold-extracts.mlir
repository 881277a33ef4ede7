// Elements extracted at indices that are affine in the loops become operands,
// with slices where a part of the tensor is read.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' --split-input-file | FileCheck %s

// CHECK: #[[FLIP:.*]] = affine_map<(d0, d1) -> (d1, -d0 + 6)>
// CHECK-LABEL: func.func @flip_transposed
// CHECK-SAME: (%[[X:.*]]: tensor<4x7xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[FLIP]], #{{.*}}]
// CHECK-SAME: ins(%[[X]] : tensor<4x7xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: math.absf %[[IN]]
// CHECK-NOT: tensor.extract
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @flip_transposed(%x: tensor<4x7xf32>) -> tensor<7x4xf32> {
  %c6 = arith.constant 6 : index
  %e = tensor.empty() : tensor<7x4xf32>
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<7x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %c6, %i : index
    %v = tensor.extract %x[%j, %k] : tensor<4x7xf32>
    linalg.yield %v : f32
  } -> tensor<7x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<7x4xf32>) outs(%e : tensor<7x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.absf %in : f32
    linalg.yield %a : f32
  } -> tensor<7x4xf32>
  return %z : tensor<7x4xf32>
}

// -----

// One row, and every second column from the third: a view.
// CHECK-LABEL: func.func @part
// CHECK-SAME: (%[[X:.*]]: tensor<4x11xf32>)
// CHECK: %[[V:.*]] = tensor.extract_slice %[[X]][3, 2] [1, 4] [1, 2] : tensor<4x11xf32> to tensor<4xf32>
// CHECK-NOT: tensor.extract %
// CHECK: return
#id = affine_map<(d0) -> (d0)>
func.func @part(%x: tensor<4x11xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %twice = arith.muli %i, %c2 : index
    %j = arith.addi %twice, %c2 : index
    %v = tensor.extract %x[%c3, %j] : tensor<4x11xf32>
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// index_select with constants, counted from the end, that form a sequence: -1, -3.
// CHECK: #[[BACK:.*]] = affine_map<(d0, d1) -> (d0 * -2 + 4, d1)>
// CHECK-LABEL: func.func @sequence
// CHECK: linalg.generic {indexing_maps = [#[[BACK]], #{{.*}}]
// CHECK-NOT: tensor.extract
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @sequence(%x: tensor<5x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0 : i64
  %five = arith.constant 5 : i64
  %at = arith.constant dense<[-1, -3]> : tensor<2xi64>
  %e = tensor.empty() : tensor<2x3xf32>
  %y = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<2xi64>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: i64, %out: f32):
    %j = linalg.index 1 : index
    %negative = arith.cmpi slt, %in, %zero : i64
    %above = arith.addi %in, %five : i64
    %chosen = arith.select %negative, %above, %in : i64
    %i = arith.index_cast %chosen : i64 to index
    %v = tensor.extract %x[%i, %j] : tensor<5x3xf32>
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// Through what computed the indices; a remainder that changes nothing vanishes.
// CHECK: #[[SHIFT:.*]] = affine_map<(d0) -> (-d0 + 9)>
// CHECK-LABEL: func.func @iota
// CHECK: linalg.generic {indexing_maps = [#[[SHIFT]], #{{.*}}]
// CHECK-NOT: tensor.extract
#id = affine_map<(d0) -> (d0)>
func.func @iota(%x: tensor<10xf32>) -> tensor<6xf32> {
  %c3 = arith.constant 3 : i64
  %c12 = arith.constant 12 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %ei = tensor.empty() : tensor<6xi64>
  %e = tensor.empty() : tensor<6xf32>
  %at = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ei : tensor<6xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %w = arith.index_cast %i : index to i64
    %s = arith.addi %w, %c3 : i64
    linalg.yield %s : i64
  } -> tensor<6xi64>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%at : tensor<6xi64>) outs(%e : tensor<6xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = arith.index_cast %in : i64 to index
    %d = arith.subi %c12, %i : index
    %r = arith.remsi %d, %c11 : index
    %v = tensor.extract %x[%r] : tensor<10xf32>
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// Nearest-neighbour upsampling computes its index in floating point.
// CHECK-DAG: #[[HALF:.*]] = affine_map<(d0) -> (d0 floordiv 2)>
// CHECK-DAG: #[[THIRD:.*]] = affine_map<(d0) -> (d0 floordiv 3)>
// CHECK-LABEL: func.func @nearest
// CHECK: linalg.generic {indexing_maps = [#[[THIRD]], #[[HALF]], #{{.*}}]
// CHECK-NOT: tensor.extract
#id = affine_map<(d0) -> (d0)>
func.func @nearest(%x: tensor<6xf32>, %z: tensor<4xf32>) -> tensor<12xf32> {
  %half = arith.constant 0.5 : f32
  %three = arith.constant 3.0 : f32
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<12xf32>
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f32
    %h = arith.mulf %f, %half : f32
    %hi = arith.fptosi %h : f32 to i64
    %hx = arith.index_cast %hi : i64 to index
    %a = tensor.extract %x[%hx] : tensor<6xf32>
    %t = arith.divf %f, %three : f32
    %tf = math.floor %t : f32
    %low = arith.maximumf %tf, %zero : f32
    %high = arith.minimumf %low, %last : f32
    %ti = arith.fptosi %high : f32 to i64
    %tx = arith.index_cast %ti : i64 to index
    %b = tensor.extract %z[%tx] : tensor<4xf32>
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12xf32>
  return %y : tensor<12xf32>
}

// -----

// Outside of the tensor in the last iteration, no sequence, an index from a
// tensor that is data, a quotient that rounding may lift: these stay.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-4: tensor.extract %
#id = affine_map<(d0) -> (d0)>
func.func @stays(%x: tensor<10xf32>, %data: tensor<10xi64>) -> tensor<10xf32> {
  %c1 = arith.constant 1 : index
  %tenth = arith.constant 0.1 : f32
  %at = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 8]> : tensor<10xi64>
  %e = tensor.empty() : tensor<10xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%at, %data : tensor<10xi64>, tensor<10xi64>) outs(%e : tensor<10xf32>) {
  ^bb0(%in: i64, %gathered: i64, %out: f32):
    %i = linalg.index 0 : index
    %over = arith.addi %i, %c1 : index
    %a = tensor.extract %x[%over] : tensor<10xf32>
    %j = arith.index_cast %in : i64 to index
    %b = tensor.extract %x[%j] : tensor<10xf32>
    %k = arith.index_cast %gathered : i64 to index
    %c = tensor.extract %x[%k] : tensor<10xf32>
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f32
    %t = arith.mulf %f, %tenth : f32
    %ti = arith.fptosi %t : f32 to i64
    %tx = arith.index_cast %ti : i64 to index
    %d = tensor.extract %x[%tx] : tensor<10xf32>
    %ab = arith.addf %a, %b : f32
    %cd = arith.addf %c, %d : f32
    %s = arith.addf %ab, %cd : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %y : tensor<10xf32>
}
