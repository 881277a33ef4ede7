// RUN: ks-run %s --random 1 --device host | FileCheck %s

// An index modulo a power of two that is smaller than a vector: LLVM's loop
// vectorizer takes neighbours in memory for those of neighbouring threads.

// CHECK: output 0: 3x4xf32 max error 0 {{.*}} ok
func.func @main(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %0 = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<3x4xf32>) dimensions = [0]
  return %0 : tensor<3x4xf32>
}
