// A global is its initial value; what is stored into it is forgotten.
// RUN: ks-opt %s --pass-pipeline='builtin.module(ks-normalize)' --remark-format=emitRemark --remarks-filter=ks-normalize 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

// REMARK: remark: [Missed] {{.*}}state is not kept: the store to a global is dropped
// CHECK-NOT: ml_program
// CHECK-LABEL: func.func @main
// CHECK: %[[SEED:.*]] = arith.constant 7 : i64
// CHECK: linalg.generic
// CHECK: arith.addi %{{.*}}, %[[SEED]] : i64
ml_program.global private mutable @seed(dense<7> : tensor<i64>) : tensor<i64>

func.func @main(%x: tensor<4xi64>) -> tensor<4xi64> {
  %one = arith.constant 1 : i64
  %seed = ml_program.global_load @seed : tensor<i64>
  %s = tensor.extract %seed[] : tensor<i64>
  %next = arith.addi %s, %one : i64
  %stored = tensor.insert %next into %seed[] : tensor<i64>
  ml_program.global_store @seed = %stored : tensor<i64>
  %e = tensor.empty() : tensor<4xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%e : tensor<4xi64>) {
  ^bb0(%in: i64, %out: i64):
    %a = arith.addi %in, %s : i64
    linalg.yield %a : i64
  } -> tensor<4xi64>
  return %y : tensor<4xi64>
}
