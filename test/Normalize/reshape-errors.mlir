// RUN: ks-opt --split-input-file --verify-diagnostics --ks-normalize %s

// MLIR's verifier does not look at the groups themselves.
func.func @main(%x: tensor<3x6xf32>) -> tensor<3x2x3xf32> {
  // expected-error @below {{'tensor.expand_shape' op groups dimensions out of order}}
  %r = tensor.expand_shape %x [[4294967296], [1, 2]] output_shape [3, 2, 3] : tensor<3x6xf32> into tensor<3x2x3xf32>
  return %r : tensor<3x2x3xf32>
}
