// The sizes of open dimensions reach every operation and the results, through
// private functions and reshapes.
// RUN: ks-opt %s --ks-specialize=sizes=batch=6,n=4 | FileCheck %s
// RUN: ks-opt %s --ks-specialize=sizes=batch=2,n=4 --ks-normalize | FileCheck %s --check-prefix=NORMAL

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %{{.*}}: tensor<6x8xf32> {ks.name = "x"}, %{{.*}}: tensor<4xf32>) -> (tensor<6xf32>, tensor<12x4xf32>, tensor<4xf32>)
// CHECK-NOT:   ?
// CHECK-NOT:   ks.dim_ranges
// NORMAL-LABEL: func.func @main(
// NORMAL-SAME:    -> (tensor<2xf32>, tensor<4x4xf32>, tensor<4xf32>)
// NORMAL-NOT:   ?
func.func @main(%x: tensor<?x8xf32> {ks.name = "x", ks.dims = ["batch", ""]},
                %y: tensor<?xf32> {ks.dims = ["n"]}) -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>)
    attributes {ks.dim_ranges = {batch = array<i64: 1, 64>}} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x8xf32>
  %empty = tensor.empty(%batch) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %twice = func.call @twice(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %rows = arith.muli %batch, %c2 : index
  %flat = tensor.collapse_shape %twice [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %shaped = tensor.expand_shape %flat [[0, 1]] output_shape [%rows, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %sum, %shaped, %y : tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>
}

func.func private @twice(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : tensor<?x8xf32>
  %empty = tensor.empty(%batch) : tensor<?x8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x8xf32>) outs(%empty : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
