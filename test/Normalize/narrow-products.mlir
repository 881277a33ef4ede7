// Products and convolutions read their operands as they were before an extension,
// whatever moves elements in between.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s
#id = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<4x16xf16>, %[[W:.*]]: tensor<8x16xf16>)
// CHECK: linalg.generic {{.*}}ins(%[[X]], %[[W]] : tensor<4x16xf16>, tensor<8x16xf16>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-COUNT-2: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK-NOT: arith.extf
func.func @linear(%x: tensor<4x16xf16>, %w: tensor<8x16xf16>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<4x16xf32>
  %xe = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xf16>) outs(%ex : tensor<4x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %et = tensor.empty() : tensor<16x8xf16>
  %t = linalg.transpose ins(%w : tensor<8x16xf16>) outs(%et : tensor<16x8xf16>) permutation = [1, 0]
  %ew = tensor.empty() : tensor<16x8xf32>
  %we = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<16x8xf16>) outs(%ew : tensor<16x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<16x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%xe, %we : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @one_side
// CHECK: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<2x4x16xf32>, tensor<2x16x8xbf16>)
func.func @one_side(%x: tensor<2x4x16xf32>, %w: tensor<2x16x8xbf16>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<2x16x8xf32>
  %we = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x16x8xbf16>) outs(%ew : tensor<2x16x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x16x8xf32>
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.batch_matmul ins(%x, %we : tensor<2x4x16xf32>, tensor<2x16x8xf32>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// addmm: the sum starts from the bias.
// CHECK-LABEL: func.func @addmm
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x16xf16>, tensor<16x8xf16>) outs(%{{.*}} : tensor<4x8xf32>)
func.func @addmm(%x: tensor<4x16xf16>, %w: tensor<16x8xf16>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %xe_e = tensor.empty() : tensor<4x16xf32>
  %xe = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xf16>) outs(%xe_e : tensor<4x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %we_e = tensor.empty() : tensor<16x8xf32>
  %we = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<16x8xf16>) outs(%we_e : tensor<16x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<16x8xf32>
  %y = linalg.matmul ins(%xe, %we : tensor<4x16xf32>, tensor<16x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A convolution keeps its name; zeros around the image are narrow zeros.
// CHECK-LABEL: func.func @conv
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: tensor<2x3x8x8xf16> to tensor<2x3x10x10xf16>
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} ins(%[[P]], %{{.*}} : tensor<2x3x10x10xf16>, tensor<4x3x3x3xf16>) outs(%{{.*}} : tensor<2x4x8x8xf32>)
func.func @conv(%x: tensor<2x3x8x8xf16>, %w: tensor<4x3x3x3xf16>) -> tensor<2x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %xe_e = tensor.empty() : tensor<2x3x8x8xf32>
  %xe = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x8x8xf16>) outs(%xe_e : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x3x8x8xf32>
  %we_e = tensor.empty() : tensor<4x3x3x3xf32>
  %we = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x3xf16>) outs(%we_e : tensor<4x3x3x3xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x3x3x3xf32>
  %p = tensor.pad %xe low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8x8xf32> to tensor<2x3x10x10xf32>
  %e = tensor.empty() : tensor<2x4x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %we : tensor<2x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%f : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

// Extended, then transposed; extended, then cut and reshaped.
// CHECK-LABEL: func.func @moved
// CHECK-SAME: (%[[X:.*]]: tensor<9x2x8xbf16>, %[[W:.*]]: tensor<8x16xbf16>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0, 0] [4, 2, 8] [2, 1, 1] : tensor<9x2x8xbf16> to tensor<4x2x8xbf16>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[S]] {{.*}} into tensor<4x16xbf16>
// CHECK: linalg.generic {{.*}} ins(%[[C]], %[[W]] : tensor<4x16xbf16>, tensor<8x16xbf16>)
// CHECK-COUNT-2: arith.extf
// CHECK-NEXT: arith.mulf
func.func @moved(%x: tensor<9x2x8xbf16>, %w: tensor<8x16xbf16>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %xe_e = tensor.empty() : tensor<9x2x8xf32>
  %xe = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<9x2x8xbf16>) outs(%xe_e : tensor<9x2x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<9x2x8xf32>
  %xs = tensor.extract_slice %xe[1, 0, 0] [4, 2, 8] [2, 1, 1] : tensor<9x2x8xf32> to tensor<4x2x8xf32>
  %xc = tensor.collapse_shape %xs [[0], [1, 2]] : tensor<4x2x8xf32> into tensor<4x16xf32>
  %we_e = tensor.empty() : tensor<8x16xf32>
  %we = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8x16xbf16>) outs(%we_e : tensor<8x16xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %et = tensor.empty() : tensor<16x8xf32>
  %t = linalg.transpose ins(%we : tensor<8x16xf32>) outs(%et : tensor<16x8xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%xc, %t : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Joined, also with ones, which half precision has; and broadcast along a batch.
// CHECK-LABEL: func.func @joined
// CHECK-DAG: %[[ONES:.*]] = linalg.fill ins(%{{.*}} : f16) outs(%{{.*}} : tensor<2x4x1xf16>)
// CHECK-DAG: %[[J:.*]] = tensor.concat dim(2) %{{.*}}, %[[ONES]] : (tensor<2x4x15xf16>, tensor<2x4x1xf16>) -> tensor<2x4x16xf16>
// CHECK: linalg.generic {{.*}} ins(%[[J]], %{{.*}} : tensor<2x4x16xf16>, tensor<16x8xf16>)
func.func @joined(%x: tensor<2x4x15xf16>, %w: tensor<16x8xf16>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %xe_e = tensor.empty() : tensor<2x4x15xf32>
  %xe = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x4x15xf16>) outs(%xe_e : tensor<2x4x15xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<2x4x15xf32>
  %eo = tensor.empty() : tensor<2x4x1xf32>
  %ones = linalg.fill ins(%one : f32) outs(%eo : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %j = tensor.concat dim(2) %xe, %ones : (tensor<2x4x15xf32>, tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
  %we_e = tensor.empty() : tensor<16x8xf32>
  %we = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<16x8xf16>) outs(%we_e : tensor<16x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<16x8xf32>
  %eb = tensor.empty() : tensor<2x16x8xf32>
  %b = linalg.broadcast ins(%we : tensor<16x8xf32>) outs(%eb : tensor<2x16x8xf32>) dimensions = [0]
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %y = linalg.batch_matmul ins(%j, %b : tensor<2x4x16xf32>, tensor<2x16x8xf32>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// Bytes: i32 x i32 into i64 is i8 x i8 into i64. Without signs it has no name.
// CHECK-LABEL: func.func @bytes
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x16xi8>, tensor<16x8xi8>) outs(%{{.*}} : tensor<4x8xi64>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x16xi8>, tensor<16x8xi8>) outs(%{{.*}} : tensor<4x8xi64>)
// CHECK-COUNT-2: arith.extui %{{.*}} : i8 to i64
func.func @bytes(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> (tensor<4x8xi64>, tensor<4x8xi64>) {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4x8xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<4x8xi64>) -> tensor<4x8xi64>
  %xs_e = tensor.empty() : tensor<4x16xi32>
  %xs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%xs_e : tensor<4x16xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  %ws_e = tensor.empty() : tensor<16x8xi32>
  %ws = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<16x8xi8>) outs(%ws_e : tensor<16x8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<16x8xi32>
  %y = linalg.matmul ins(%xs, %ws : tensor<4x16xi32>, tensor<16x8xi32>) outs(%f : tensor<4x8xi64>) -> tensor<4x8xi64>
  %xu_e = tensor.empty() : tensor<4x16xi32>
  %xu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16xi8>) outs(%xu_e : tensor<4x16xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  %wu_e = tensor.empty() : tensor<16x8xi32>
  %wu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<16x8xi8>) outs(%wu_e : tensor<16x8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<16x8xi32>
  %z = linalg.matmul ins(%xu, %wu : tensor<4x16xi32>, tensor<16x8xi32>) outs(%f : tensor<4x8xi64>) -> tensor<4x8xi64>
  return %y, %z : tensor<4x8xi64>, tensor<4x8xi64>
}

// A number that half precision does not have, a neighbour that is float32, and
// types that disagree: these are products of float32.
// CHECK-LABEL: func.func @wide
// CHECK-COUNT-3: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x16xf32>, tensor<16x8xf32>)
func.func @wide(%x: tensor<4x15xf16>, %b: tensor<4x1xbf16>, %t: tensor<4x1xf32>, %w: tensor<16x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %tenth = arith.constant 0.1 : f32
  %xe_e = tensor.empty() : tensor<4x15xf32>
  %xe = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x15xf16>) outs(%xe_e : tensor<4x15xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x15xf32>
  %be_e = tensor.empty() : tensor<4x1xf32>
  %be = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x1xbf16>) outs(%be_e : tensor<4x1xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %p = tensor.pad %xe low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %tenth : f32
  } : tensor<4x15xf32> to tensor<4x16xf32>
  %n = tensor.concat dim(1) %xe, %t : (tensor<4x15xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %m = tensor.concat dim(1) %xe, %be : (tensor<4x15xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%p, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%n, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%m, %w : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
