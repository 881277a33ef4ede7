// RUN: %ks-run %s --random 5 --device host | FileCheck %s
// RUN: %ks-opt %s --ks-lower-to-cubin=cuda=false | FileCheck %s --check-prefix=CODE

// Few long lines are scanned in parts, by three launches each: an inclusive sum of
// half precision, which is carried in float32, and an exclusive product whose last
// value is read.

func.func @main(%h: tensor<3x5000xf16>, %i: tensor<4100xi64>, %s: tensor<i64>)
    -> (tensor<3x5000xf16>, tensor<4100xi64>, tensor<i64>) {
  %zero = arith.constant 0.0 : f16
  %eh = tensor.empty() : tensor<3x5000xf16>
  %ea = tensor.empty() : tensor<3xf16>
  %a = linalg.fill ins(%zero : f16) outs(%ea : tensor<3xf16>) -> tensor<3xf16>
  %sum:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%h : tensor<3x5000xf16>) outs(%eh, %a : tensor<3x5000xf16>, tensor<3xf16>) {
  ^bb0(%x: f16, %y: f16):
    %0 = arith.addf %x, %y : f16
    tm_tensor.yield %0 : f16
  } -> tensor<3x5000xf16>, tensor<3xf16>
  %ei = tensor.empty() : tensor<4100xi64>
  %product:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%i : tensor<4100xi64>) outs(%ei, %s : tensor<4100xi64>, tensor<i64>) {
  ^bb0(%x: i64, %y: i64):
    %0 = arith.muli %x, %y : i64
    tm_tensor.yield %0 : i64
  } -> tensor<4100xi64>, tensor<i64>
  return %sum#0, %product#0, %product#1 : tensor<3x5000xf16>, tensor<4100xi64>, tensor<i64>
}

// CHECK: output 0: 3x5000xf16 {{.*}}ok
// CHECK: output 1: 4100xi64 max error 0 {{.*}}ok
// CHECK: output 2: i64 max error 0 {{.*}}ok

// CODE-COUNT-6: gpu.func @scan
// CODE-NOT: gpu.func
