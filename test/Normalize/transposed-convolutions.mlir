// Transposed convolutions read the image itself, not one stuffed with zeros, and
// the weight as it is.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' --split-input-file | FileCheck %s

// Stride 2, four taps: each output has two, and nothing is masked. What is cut
// off at the ends is the padding.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d2 - d5 + 1)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d1, d5, d3)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @even
// CHECK-SAME: (%[[X0:.*]]: tensor<2x3x5xf32>, %[[W0:.*]]: tensor<3x6x4xf32>, %[[B:.*]]: tensor<6xf32>)
// CHECK-DAG: %[[XP:.*]] = tensor.pad %[[X0]] low[0, 0, 1] high[0, 0, 1]
// CHECK-DAG: %[[WE:.*]] = tensor.expand_shape %[[W0]] {{\[\[}}0], [1], [2, 3]] output_shape [3, 6, 2, 2]
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK-SAME: ins(%[[XP]], %[[WE]] : tensor<2x3x7xf32>, tensor<3x6x2x2xf32>) outs(%{{.*}} : tensor<2x6x6x2xf32>)
// CHECK-NOT: arith.select
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2, 3]]
// CHECK: tensor.extract_slice %[[C]][0, 0, 1] [2, 6, 10] [1, 1, 1]
// CHECK: arith.addf
#flip = affine_map<(d0, d1, d2) -> (d1, d0, -d2 + 3)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @even(%x: tensor<2x3x5xf32>, %w: tensor<3x6x4xf32>, %b: tensor<6xf32>) -> tensor<2x6x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<6x3x4xf32>
  %f = linalg.generic {indexing_maps = [#flip, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x6x4xf32>) outs(%ew : tensor<6x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x3x4xf32>
  %es = tensor.empty() : tensor<2x3x13xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x13xf32>) -> tensor<2x3x13xf32>
  %s = tensor.insert_slice %x into %zs[0, 0, 2] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x13xf32>
  %e = tensor.empty() : tensor<2x6x10xf32>
  %i = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<2x6x10xf32>) dimensions = [0, 2]
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %f : tensor<2x3x13xf32>, tensor<6x3x4xf32>) outs(%i : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  return %y : tensor<2x6x10xf32>
}

// -----

// Three taps and stride 2: in one of the phases both factors of the second
// product are zero. The phases are laid so that nothing is cut off.
// CHECK-LABEL: func.func @ragged
// CHECK: %[[WP:.*]] = tensor.pad %{{.*}} low[0, 0, 1] high[0, 0, 0]
// CHECK: tensor<3x6x3xf32> to tensor<3x6x4xf32>
// CHECK: tensor.expand_shape %[[WP]]
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[TAP:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[K:.*]] = linalg.index 5
// CHECK: %[[K2:.*]] = arith.muli %[[K]], %c2
// CHECK: %[[R:.*]] = linalg.index 3
// CHECK: %[[T:.*]] = arith.addi %[[K2]], %[[R]]
// CHECK: %[[IS:.*]] = arith.cmpi sge, %[[T]], %c1
// CHECK: %[[M:.*]] = arith.select %[[IS]], %[[IN]], %cst
// CHECK: arith.mulf %[[M]], %[[TAP]]
// CHECK: %[[C:.*]] = tensor.collapse_shape
// CHECK-NEXT: return %[[C]]
#flip = affine_map<(d0, d1, d2) -> (d1, d0, -d2 + 2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @ragged(%x: tensor<2x3x5xf32>, %w: tensor<3x6x3xf32>) -> tensor<2x6x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<6x3x3xf32>
  %f = linalg.generic {indexing_maps = [#flip, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x6x3xf32>) outs(%ew : tensor<6x3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x3x3xf32>
  %es = tensor.empty() : tensor<2x3x12xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %s = tensor.insert_slice %x into %zs[0, 0, 1] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x12xf32>
  %e = tensor.empty() : tensor<2x6x10xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %f : tensor<2x3x12xf32>, tensor<6x3x3xf32>) outs(%i : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  return %y : tensor<2x6x10xf32>
}

// -----

// Stride 1 in both dimensions, groups: a convolution that walks backwards.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d5, d3 - d6 + 2, d4 - d7 + 1)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d5, d2, d6, d7)>
// CHECK-LABEL: func.func @grouped
// CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[0, 0, 1, 0] high[0, 0, 1, 1]
// CHECK: tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [2, 2, 2, 5, 5]
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}]
// CHECK-NOT: linalg.conv
#flip = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, -d3 + 2, -d4 + 1)>
#id = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
func.func @grouped(%x: tensor<2x4x3x4xf32>, %w: tensor<2x2x3x3x2xf32>) -> tensor<2x2x3x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<2x3x2x3x2xf32>
  %f = linalg.generic {indexing_maps = [#flip, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x2x3x3x2xf32>) outs(%ew : tensor<2x3x2x3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x2x3x2xf32>
  %es = tensor.empty() : tensor<2x4x5x5xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
  %s = tensor.insert_slice %x into %zs[0, 0, 1, 0] [2, 4, 3, 4] [1, 1, 1, 1] : tensor<2x4x3x4xf32> into tensor<2x4x5x5xf32>
  %sg = tensor.expand_shape %s [[0], [1, 2], [3], [4]] output_shape [2, 2, 2, 5, 5] : tensor<2x4x5x5xf32> into tensor<2x2x2x5x5xf32>
  %e = tensor.empty() : tensor<2x2x3x3x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x3x4xf32>) -> tensor<2x2x3x3x4xf32>
  %y = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%sg, %f : tensor<2x2x2x5x5xf32>, tensor<2x3x2x3x2xf32>) outs(%i : tensor<2x2x3x3x4xf32>) -> tensor<2x2x3x3x4xf32>
  return %y : tensor<2x2x3x3x4xf32>
}

// -----

// Dilation as the stride: only every second output has taps at all.
// CHECK-LABEL: func.func @sparse
// CHECK: %[[S:.*]] = linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<2x3x7xf32>)
// CHECK: tensor.insert_slice %[[S]] into %{{.*}}[0, 0, 0] [2, 3, 7] [1, 1, 2] : tensor<2x3x7xf32> into tensor<2x3x13xf32>

// Coprime: the phases are fetched from where they lie.
// CHECK-LABEL: func.func @coprime
// CHECK: %[[S:.*]] = linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<2x3x9x3xf32>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[S]] : tensor<2x3x9x3xf32>) outs(%{{.*}} : tensor<2x3x19xf32>)
// CHECK-NOT: linalg.conv
#flip = affine_map<(d0, d1, d2) -> (d1, d0, -d2 + 2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @sparse(%x: tensor<2x2x5xf32>, %w: tensor<2x3x3xf32>) -> tensor<2x3x13xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<3x2x3xf32>
  %f = linalg.generic {indexing_maps = [#flip, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x3x3xf32>) outs(%ew : tensor<3x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2x3xf32>
  %es = tensor.empty() : tensor<2x2x17xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x2x17xf32>) -> tensor<2x2x17xf32>
  %s = tensor.insert_slice %x into %zs[0, 0, 4] [2, 2, 5] [1, 1, 2] : tensor<2x2x5xf32> into tensor<2x2x17xf32>
  %e = tensor.empty() : tensor<2x3x13xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x13xf32>) -> tensor<2x3x13xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %f : tensor<2x2x17xf32>, tensor<3x2x3xf32>) outs(%i : tensor<2x3x13xf32>) -> tensor<2x3x13xf32>
  return %y : tensor<2x3x13xf32>
}
func.func @coprime(%x: tensor<2x2x5xf32>, %w: tensor<2x3x3xf32>) -> tensor<2x3x19xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<3x2x3xf32>
  %f = linalg.generic {indexing_maps = [#flip, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x3x3xf32>) outs(%ew : tensor<3x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2x3xf32>
  %es = tensor.empty() : tensor<2x2x23xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x2x23xf32>) -> tensor<2x2x23xf32>
  %s = tensor.insert_slice %x into %zs[0, 0, 4] [2, 2, 5] [1, 1, 3] : tensor<2x2x5xf32> into tensor<2x2x23xf32>
  %e = tensor.empty() : tensor<2x3x19xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x19xf32>) -> tensor<2x3x19xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %f : tensor<2x2x23xf32>, tensor<3x2x3xf32>) outs(%i : tensor<2x3x19xf32>) -> tensor<2x3x19xf32>
  return %y : tensor<2x3x19xf32>
}

// -----

// A weight that is not flipped and an ordinary convolution of a padded image stay
// as they are. What is between the elements has to be zero: else only the flip
// goes.
// CHECK-LABEL: func.func @not_flipped
// CHECK: linalg.conv_1d_ncw_fcw
// CHECK-LABEL: func.func @ones_between
// CHECK: %[[S:.*]] = tensor.insert_slice
// CHECK: linalg.generic {{.*}} ins(%[[S]], %{{.*}} : tensor<2x3x12xf32>, tensor<3x6x3xf32>)
// CHECK-LABEL: func.func @ordinary
// CHECK: linalg.conv_1d_ncw_fcw
#flip = affine_map<(d0, d1, d2) -> (d1, d0, -d2 + 2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @not_flipped(%x: tensor<2x3x5xf32>, %w: tensor<6x3x3xf32>) -> tensor<2x6x10xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x3x12xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %s = tensor.insert_slice %x into %zs[0, 0, 1] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x12xf32>
  %e = tensor.empty() : tensor<2x6x10xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %w : tensor<2x3x12xf32>, tensor<6x3x3xf32>) outs(%i : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  return %y : tensor<2x6x10xf32>
}
func.func @ones_between(%x: tensor<2x3x5xf32>, %w: tensor<3x6x3xf32>) -> tensor<2x6x10xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %ew = tensor.empty() : tensor<6x3x3xf32>
  %f = linalg.generic {indexing_maps = [#flip, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x6x3xf32>) outs(%ew : tensor<6x3x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x3x3xf32>
  %es = tensor.empty() : tensor<2x3x12xf32>
  %zs = linalg.fill ins(%one : f32) outs(%es : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %s = tensor.insert_slice %x into %zs[0, 0, 1] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x12xf32>
  %e = tensor.empty() : tensor<2x6x10xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %f : tensor<2x3x12xf32>, tensor<6x3x3xf32>) outs(%i : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  return %y : tensor<2x6x10xf32>
}
func.func @ordinary(%x: tensor<2x3x10xf32>, %w: tensor<6x3x3xf32>) -> tensor<2x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10xf32> to tensor<2x3x12xf32>
  %e = tensor.empty() : tensor<2x6x5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%p, %w : tensor<2x3x12xf32>, tensor<6x3x3xf32>) outs(%i : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  return %y : tensor<2x6x5xf32>
}
