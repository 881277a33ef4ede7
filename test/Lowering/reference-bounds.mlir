// RUN: ks-run %s --random 2 --check --device host | FileCheck %s

// Bounds stay finite where a worst case thought of carelessly would not: an index
// from an exact product, a mask that swallows what is added to it, and the maximum
// over a row in which masked elements have large bounds of their own.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<6x16xf32>, %w: tensor<16x16xf32>) -> (tensor<12x16xf32>, tensor<6x16xf32>) {
  %half = arith.constant 5.0e-01 : f32
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -3.40282347E+38 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %seven = arith.constant 7 : index

  // Nearest neighbours: row floor(i / 2).
  %e0 = tensor.empty() : tensor<12x16xf32>
  %up = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e0 : tensor<12x16xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.mulf %1, %half : f32
    %3 = math.floor %2 : f32
    %4 = arith.fptosi %3 : f32 to i64
    %5 = arith.index_cast %4 : i64 to index
    %6 = tensor.extract %x[%5, %j] : tensor<6x16xf32>
    linalg.yield %6 : f32
  } -> tensor<12x16xf32>

  // A softmax over products of which columns from 7 on are masked by addition.
  %e1 = tensor.empty() : tensor<6x16xf32>
  %e2 = tensor.empty() : tensor<6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6x16xf32>) -> tensor<6x16xf32>
  %p = linalg.matmul ins(%x, %w : tensor<6x16xf32>, tensor<16x16xf32>) outs(%f1 : tensor<6x16xf32>) -> tensor<6x16xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<6x16xf32>) outs(%e1 : tensor<6x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %j = linalg.index 1 : index
    %keep = arith.cmpi slt, %j, %seven : index
    %mask = arith.select %keep, %zero, %lowest : f32
    %0 = arith.addf %in, %mask : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  %f2 = linalg.fill ins(%infinity : f32) outs(%e2 : tensor<6xf32>) -> tensor<6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%masked : tensor<6x16xf32>) outs(%f2 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%masked, %max : tensor<6x16xf32>, tensor<6xf32>) outs(%e1 : tensor<6x16xf32>) {
  ^bb0(%in: f32, %top: f32, %out: f32):
    %0 = arith.subf %in, %top : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x16xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<6x16xf32>) outs(%f3 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<6xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<6x16xf32>, tensor<6xf32>) outs(%e1 : tensor<6x16xf32>) {
  ^bb0(%in: f32, %all: f32, %out: f32):
    %0 = arith.divf %in, %all : f32
    linalg.yield %0 : f32
  } -> tensor<6x16xf32>
  return %up, %y : tensor<12x16xf32>, tensor<6x16xf32>
}

// CHECK: output 0: 12x16xf32 max error 0 allowed {{(0|1.18e-38)}} ok{{$}}
// CHECK: output 1: 6x16xf32 max error {{[0-9.e-]+}} allowed {{[0-9.]+e-0[4-9]}} ok{{$}}
