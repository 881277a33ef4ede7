// Loops that a host function cannot run are errors.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' --split-input-file --verify-diagnostics

func.func @bounds(%x: tensor<4xf32>, %n: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tensor.extract %n[%c0] : tensor<1xi64>
  %to = arith.index_cast %i : i64 to index
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'scf.for' op is supported only from 0 in steps of one to a constant}}
  %r = scf.for %t = %c0 to %to step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    %0 = linalg.exp ins(%h : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    // expected-error @+1 {{'scf.for' op in another loop is not supported}}
    %s = scf.for %u = %c0 to %c5 step %c1 iter_args(%k = %h) -> tensor<4xf32> {
      %0 = linalg.exp ins(%k : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @backwards(%xs: tensor<5x4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    %u = arith.subi %c4, %t : index
    // expected-error @+1 {{'tensor.extract_slice' op dynamic offset is not supported, but for one row at a loop's own counter}}
    %y = tensor.extract_slice %xs[%u, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<4xf32>
    %0 = linalg.add ins(%h, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @column(%xs: tensor<4x5xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    // expected-error @+1 {{'tensor.extract_slice' op dynamic offset is not supported, but for one row at a loop's own counter}}
    %y = tensor.extract_slice %xs[0, %t] [4, 1] [1, 1] : tensor<4x5xf32> to tensor<4xf32>
    %0 = linalg.add ins(%h, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @past_the_end(%xs: tensor<4x4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    // expected-error @+1 {{'tensor.extract_slice' op goes past the last row: 5 iterations, 4 rows}}
    %y = tensor.extract_slice %xs[%t, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
    %0 = linalg.add ins(%h, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @computed(%xs: tensor<5x4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<5x4xf32>
  %x = tensor.extract_slice %xs[0, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<4xf32>
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %xs, %l = %x) -> (tensor<5x4xf32>, tensor<4xf32>) {
    %0 = linalg.exp ins(%h : tensor<5x4xf32>) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
    // expected-error @+1 {{'tensor.extract_slice' op reads the row of a tensor that the loop itself computes, which is not supported}}
    %y = tensor.extract_slice %0[%t, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<4xf32>
    scf.yield %0, %y : tensor<5x4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// A tensor whose rows are written while others are read.
func.func @history(%xs: tensor<5x4xf32>, %w: tensor<4xf32>) -> tensor<5x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %t = %c0 to %c5 step %c1 iter_args(%all = %xs) -> tensor<5x4xf32> {
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%all : tensor<5x4xf32>) outs(%f : tensor<4xf32>) {
    ^bb0(%i: f32, %o: f32):
      %0 = arith.addf %i, %o : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    // expected-error @+1 {{'tensor.insert_slice' op writes the row of what is no accumulator}}
    %1 = tensor.insert_slice %s into %all[%t, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<5x4xf32>
    scf.yield %1 : tensor<5x4xf32>
  }
  return %r : tensor<5x4xf32>
}
