func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %x) -> (tensor<4xf32>) {
    %v = tensor.extract %t[%i] : tensor<4xf32>
    %n = arith.negf %v : f32
    %u = tensor.insert %n into %t[%i] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
