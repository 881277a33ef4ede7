// The bounds where they are not of first order: log(1 - sigmoid(x)) and its like
// for x = 20 and 30 are infinite in float32, which is as good an answer as any;
// a square of what has cancelled is bounded by the square of the doubt.
// RUN: %python %S/../Tools/Inputs/arrays.py %t.npz arg0='<f4:2:20' arg1='<f4:2:1.0001'
// RUN: ks-run %s --args %t.npz --check --device host | FileCheck %s

// CHECK: output 0: 2xf32 {{.*}} ok, 2 without a bound
// CHECK-NEXT: output 1: 2xf32 {{.*}} ok, 2 without a bound
// CHECK-NEXT: output 2: 2xf32 {{.*}} ok, 2 without a bound
// CHECK-NEXT: output 3: 2xf32 {{.*}} ok{{$}}
// CHECK-NEXT: output 4: 2xf32 {{.*}} ok{{$}}
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %0:5 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<2xf32>, tensor<2xf32>)
      outs(%e, %e, %e, %e, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%in: f32, %b: f32, %o: f32, %p: f32, %q: f32, %t: f32, %u: f32):
    %negative = arith.negf %in : f32
    %exp = math.exp %negative : f32
    %sum = arith.addf %exp, %one : f32
    %sigmoid = arith.divf %one, %sum : f32
    %rest = arith.subf %one, %sigmoid : f32
    %log = math.log %rest : f32
    %reciprocal = arith.divf %one, %rest : f32
    %root = math.rsqrt %rest : f32
    %square = arith.mulf %rest, %rest : f32
    %small = math.log %b : f32
    linalg.yield %log, %reciprocal, %root, %square, %small : f32, f32, f32, f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
