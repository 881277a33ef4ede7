// What a cut graph cannot hold is an error that names the operation.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @unknown_operation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'torch.aten.relu' op is not supported in an imported graph}}
  %0 = "torch.aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op dynamic dimension is not supported: 'tensor<?xf32>'}}
func.func @dynamic_argument(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{'func.func' op dynamic rank is not supported: 'tensor<*xf32>'}}
func.func @dynamic_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

func.func @dynamic_slice(%x: tensor<8xf32>, %n: tensor<1xi64>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %i = tensor.extract %n[%c0] : tensor<1xi64>
  %at = arith.index_cast %i : i64 to index
  // expected-error @+1 {{'tensor.extract_slice' op dynamic offset is not supported}}
  %0 = tensor.extract_slice %x[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op element type is not supported: 'tensor<4xui8>'}}
func.func @unsigned(%x: tensor<4xui8>) -> tensor<4xui8> {
  return %x : tensor<4xui8>
}

// -----

// expected-error @+1 {{'func.func' op size does not fit 64 bits}}
func.func @huge(%x: tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32> {
  return %x : tensor<4294967296x4294967296xf32>
}

// -----

func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    // expected-error @+1 {{'other.op' op is not supported in the body of linalg.generic}}
    %0 = "other.op"(%in) : (f32) -> f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op has no body}}
func.func private @declared(%x: tensor<4xf32>) -> tensor<4xf32>

// -----

ml_program.global private mutable @weights : tensor<4xf32>
func.func @no_value() -> tensor<4xf32> {
  // expected-error @+1 {{'ml_program.global_load' op loads the global @weights without an initial value}}
  %0 = ml_program.global_load @weights : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @branches(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %true = tensor.extract %c[] : tensor<i1>
  // expected-error @+1 {{'scf.if' op is not supported in an imported graph}}
  %0 = scf.if %true -> tensor<4xf32> {
    %1 = "other.op"() : () -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
