// RUN: %ks-opt %s --ks-cut-kernels --verify-diagnostics --split-input-file

func.func @main(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op has no place in a kernel}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> tensor<4xf32> {
    // expected-error @below {{'linalg.map' op has no place in a kernel: it reads the counter of a loop}}
    %y = linalg.map outs(%x : tensor<4xf32>) (%out: f32) {
      %0 = arith.index_cast %i : index to i32
      %1 = arith.sitofp %0 : i32 to f32
      linalg.yield %1 : f32
    }
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func private @g(tensor<4xf32>) -> tensor<4xf32>

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op has no place in a kernel}}
  %r = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.expand_shape %r [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %t = tensor.collapse_shape %s [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  return %t : tensor<4xf32>
}
