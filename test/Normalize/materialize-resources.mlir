// Small blobs become dense constants; bools and large ones stay.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-DAG: arith.constant dense<[1, -2]> : tensor<2xi64>
// CHECK-DAG: arith.constant dense_resource<bools> : tensor<2xi1>
func.func @main() -> (tensor<2xi64>, tensor<2xi1>) {
  %0 = arith.constant dense_resource<numbers> : tensor<2xi64>
  %1 = arith.constant dense_resource<bools> : tensor<2xi1>
  return %0, %1 : tensor<2xi64>, tensor<2xi1>
}

{-#
  dialect_resources: {
    builtin: {
      numbers: "0x080000000100000000000000FEFFFFFFFFFFFFFF",
      bools: "0x010000000001"
    }
  }
#-}
