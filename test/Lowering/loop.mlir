// RUN: ks-opt %s --ks-lower-to-cubin="cuda=false host=true" -o %t.mlir
// RUN: %mlir-opt %t.mlir | FileCheck %s
// RUN: ks-run %t.mlir --random 1 --device host | FileCheck %s --check-prefix=VALUES
// RUN: ks-opt %s --ks-lower-to-cubin="cuda=false host=true reference" | FileCheck %s --check-prefix=REF

// A loop of launches: what it carries changes places from one iteration to the
// next (%h and %g), rows of inputs and of the accumulator move with the counter,
// and what one row of the other shape is lies where it lay before. The
// accumulator is the output itself. %w, computed before the loop and read in it,
// keeps its place for as long as the loop runs.
func.func @main(%xs: tensor<15x4xf32>, %h0: tensor<4xf32>) -> (tensor<5x12xf32>, tensor<12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<5x12xf32>
  %ys = tensor.expand_shape %xs [[0, 1], [2]] output_shape [5, 3, 4] : tensor<15x4xf32> into tensor<5x3x4xf32>
  %zs = tensor.collapse_shape %ys [[0], [1, 2]] : tensor<5x3x4xf32> into tensor<5x12xf32>
  %w = call @start(%h0) : (tensor<4xf32>) -> tensor<12xf32>
  %r:3 = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %w, %g = %w, %all = %e) -> (tensor<12xf32>, tensor<12xf32>, tensor<5x12xf32>) {
    %x = tensor.extract_slice %zs[%t, 0] [1, 12] [1, 1] : tensor<5x12xf32> to tensor<12xf32>
    %n:2 = func.call @cell(%x, %h) : (tensor<12xf32>, tensor<12xf32>) -> (tensor<12xf32>, tensor<12xf32>)
    %m = func.call @other(%g, %w) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %a = tensor.insert_slice %n#1 into %all[%t, 0] [1, 12] [1, 1] : tensor<12xf32> into tensor<5x12xf32>
    scf.yield %m, %n#0, %a : tensor<12xf32>, tensor<12xf32>, tensor<5x12xf32>
  }
  return %r#2, %r#1 : tensor<5x12xf32>, tensor<12xf32>
}
func.func private @start(%h: tensor<4xf32>) -> tensor<12xf32> attributes {ks.kernel} {
  %e = tensor.empty() : tensor<3x4xf32>
  %0 = linalg.broadcast ins(%h : tensor<4xf32>) outs(%e : tensor<3x4xf32>) dimensions = [0]
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  return %1 : tensor<12xf32>
}
func.func private @cell(%x: tensor<12xf32>, %h: tensor<12xf32>) -> (tensor<12xf32>, tensor<12xf32>) attributes {ks.kernel} {
  %e = tensor.empty() : tensor<12xf32>
  %0 = linalg.add ins(%x, %h : tensor<12xf32>, tensor<12xf32>) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %1 = linalg.mul ins(%x, %0 : tensor<12xf32>, tensor<12xf32>) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  return %0, %1 : tensor<12xf32>, tensor<12xf32>
}
func.func private @other(%x: tensor<12xf32>, %h: tensor<12xf32>) -> tensor<12xf32> attributes {ks.kernel} {
  %e = tensor.empty() : tensor<12xf32>
  %0 = linalg.sub ins(%x, %h : tensor<12xf32>, tensor<12xf32>) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK:      gpu.binary
// CHECK:      func.func @main(
// CHECK-SAME: %[[XS:.*]]: memref<15x4xf32>, %{{.*}}: memref<4xf32>, %[[ALL:.*]]: memref<5x12xf32>, %[[LAST:.*]]: memref<12xf32>, %[[WS:.*]]: memref<1536xi8>
// CHECK-DAG:  %[[W:.*]] = memref.view %[[WS]][%c256]{{.*}} to memref<48xi8>
// CHECK:      gpu.launch_func {{.*}} @kernels::@start_0
// CHECK:      %[[H0:.*]] = memref.view %[[WS]][%c512]{{.*}} to memref<12xf32>
// CHECK:      gpu.memcpy %[[H0]], %{{.*}} : memref<12xf32>, memref<12xf32>
// CHECK:      %[[G0:.*]] = memref.view %[[WS]][%c1024]{{.*}} to memref<12xf32>
// CHECK:      gpu.memcpy %[[G0]], %{{.*}} : memref<12xf32>, memref<12xf32>
// CHECK:      scf.for %[[T:.*]] = %c0 to %c5 step %c1 {
// CHECK-DAG:    %[[ROW:.*]] = arith.muli %[[T]], %c12
// CHECK-DAG:    %[[X:.*]] = memref.reinterpret_cast %[[XS]] to offset: [%[[ROW]]], sizes: [12], strides: [1]
// CHECK-DAG:    %[[ODD:.*]] = arith.remui %[[T]], %c2
// CHECK-DAG:    %[[FLIP:.*]] = arith.muli %[[ODD]], %c256
// CHECK-DAG:    %[[AT:.*]] = arith.addi %c512, %[[FLIP]]
// CHECK-DAG:    %[[H:.*]] = memref.view %[[WS]][%[[AT]]]
// CHECK-DAG:    %[[OUT:.*]] = memref.reinterpret_cast %[[ALL]]
// CHECK:        gpu.launch_func {{.*}} @kernels::@cell_0
// CHECK-SAME:   args(%[[X]] : {{.*}}, %[[H]] : memref<48xi8>, {{.*}}, %[[OUT]] : 
// CHECK:        gpu.launch_func {{.*}} @kernels::@other_0
// CHECK:      }
// CHECK:      %[[G5:.*]] = memref.view %[[WS]][%c1280]{{.*}} to memref<12xf32>
// CHECK:      gpu.memcpy %[[LAST]], %[[G5]]

// VALUES: output 0: 5x12xf32 max error {{.*}} ok
// VALUES: output 1: 12xf32 max error {{.*}} ok

// The reference carries float64 and bounds: a kernel makes them.
// REF: gpu.binary
// REF: func.func @main(
// REF-SAME: memref<5x12xf64>, %{{.*}}: memref<5x12xf64>, %{{.*}}: memref<12xf64>, %{{.*}}: memref<12xf64>
// REF: gpu.launch_func {{.*}} @kernels::@start_0
// REF: gpu.launch_func {{.*}} @kernels::@ks_copy_1_0
// REF: gpu.launch_func {{.*}} @kernels::@ks_copy_1_0
// REF: scf.for
// REF: }
// REF: gpu.memcpy
// REF: gpu.memcpy
