// RUN: ks-opt %s --split-input-file --verify-diagnostics

func.func @scan_dimension(%x: tensor<4xf32>, %acc: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects a dimension from 0 to 0}}
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4xf32>) outs(%x, %acc : tensor<4xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %b : f32
  } -> tensor<4xf32>, tensor<f32>
  return %0#0 : tensor<4xf32>
}

// -----

func.func @scan_accumulator(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects an accumulator of the input's shape without the dimension}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%x, %x : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %b : f32
  } -> tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4xf32>
}

// -----

func.func @scatter_map(%u: tensor<6xf32>, %i: tensor<6x2xi64>, %o: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // expected-error @+1 {{expects a dimension_map of distinct dimensions of the original}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 0>} unique_indices(false) ins(%u, %i : tensor<6xf32>, tensor<6x2xi64>) outs(%o : tensor<5x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

func.func @scatter_uncovered(%u: tensor<6xf32>, %i: tensor<6x1xi64>, %o: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // expected-error @+1 {{dimension 1 is neither indexed nor in the updates}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<6xf32>, tensor<6x1xi64>) outs(%o : tensor<5x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

func.func @sort_yield(%x: tensor<9xf32>) -> tensor<9xf32> {
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{expects operands of types 'i1'}}
    tm_tensor.yield %a : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @no_terminator(%x: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{expects one result of the same type for each of its outs}}
  %0 = "tm_tensor.sort"(%x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %c : i1
  }) : (tensor<9xf32>) -> tensor<8xf32>
  return %x : tensor<9xf32>
}
