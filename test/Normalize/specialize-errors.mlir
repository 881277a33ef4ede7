// RUN: not ks-opt %s --ks-specialize 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not ks-opt %s --ks-specialize=sizes=batch=65 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not ks-opt %s --ks-specialize=sizes=batch=2,seq=3 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ks-opt %s --ks-specialize=sizes=batch=two 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ks-opt %s --ks-specialize=sizes=batch=2,batch=3 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ks-opt %s --ks-specialize=sizes=batch=2 2>&1 | FileCheck %s --check-prefix=RESULT

// MISSING: error: needs a size for 'batch': ks-specialize=sizes=batch=...
// RANGE: error: takes "batch" from 1 to 64, not 65
// UNKNOWN: error: ks-specialize: no argument has a dimension 'seq'
// FORM: error: ks-specialize: sizes='batch=two' is not of the form name=number
// TWICE: error: ks-specialize: sizes gives 'batch' twice
// RESULT: error: result 0 has a size that the arguments' sizes do not tell: 'tensor<?xf32>'
func.func @main(%x: tensor<?xf32> {ks.dims = ["batch"]}, %n: tensor<index>) -> tensor<?xf32>
    attributes {ks.dim_ranges = {batch = array<i64: 1, 64>}} {
  %size = tensor.extract %n[] : tensor<index>
  %slice = tensor.extract_slice %x[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  return %slice : tensor<?xf32>
}
