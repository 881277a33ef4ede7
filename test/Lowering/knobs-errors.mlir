// RUN: ks-opt %s --split-input-file --verify-diagnostics --ks-lower-to-cubin=cuda=false

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @below {{knob 'block_size' must be a multiple of 32 from 32 to 1024}}
func.func private @k(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {ks.kernel, ks.knobs = {block_size = 100 : i64}} {
  return %a : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @below {{unknown knob 'tile' in ks.knobs}}
func.func private @k(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {ks.kernel, ks.knobs = {tile = 8 : i64}} {
  return %a : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @below {{knob 'unroll' is no integer}}
func.func private @k(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {ks.kernel, ks.knobs = {unroll = "much"}} {
  return %a : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<65536x32768xi8>) -> tensor<65536x32768xi8> {
  %0 = call @k(%a) : (tensor<65536x32768xi8>) -> tensor<65536x32768xi8>
  return %0 : tensor<65536x32768xi8>
}
// expected-error @below {{index_bits = 32 is too narrow for a tensor of 2147483648 elements}}
func.func private @k(%a: tensor<65536x32768xi8>) -> tensor<65536x32768xi8>
    attributes {ks.kernel, ks.knobs = {index_bits = 32 : i64}} {
  return %a : tensor<65536x32768xi8>
}
