// RUN: ks-opt %s --split-input-file --verify-diagnostics --ks-lower-to-cubin="cuda=false"

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{yields what is no result of a kernel called in its body}}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func private @k(%a: tensor<4xf32>) -> tensor<4xf32> attributes {ks.kernel} {
  return %a : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{does not count from 0 in steps of one to a constant}}
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%x = %a) -> tensor<4xf32> {
    %0 = func.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func private @k(%a: tensor<4xf32>) -> tensor<4xf32> attributes {ks.kernel} {
  return %a : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<3xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %e) -> tensor<3xf32> {
    %x = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<f32>
    %0 = func.call @k(%x) : (tensor<f32>) -> tensor<f32>
    // expected-error @below {{writes past the last row of 'tensor<3xf32>'}}
    %1 = tensor.insert_slice %0 into %acc[%i] [1] [1] : tensor<f32> into tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
func.func private @k(%a: tensor<f32>) -> tensor<f32> attributes {ks.kernel} {
  return %a : tensor<f32>
}
