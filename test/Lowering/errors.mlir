// RUN: ks-opt %s --split-input-file --verify-diagnostics --ks-lower-to-cubin="cuda=false"

// expected-error @below {{has no public function}}
module {
  func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> attributes {ks.kernel} {
    return %a : tensor<4xf32>
  }
}

// -----

// A kernel function that holds what no element can be computed from.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @k(%a: tensor<4xf32>) -> tensor<4xf32> attributes {ks.kernel} {
  %c = arith.constant 1.0 : f32
  %i = arith.constant 0 : index
  // expected-error @below {{is not supported inside a kernel}}
  %0 = tensor.insert %c into %a[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
