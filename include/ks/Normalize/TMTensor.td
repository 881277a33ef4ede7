//===- TMTensor.td - The tm_tensor dialect ----------------*- tablegen -*-===//
//
// The operations that torch-mlir adds to linalg for scans, scatters and sorts,
// in the very form in which it prints them, so that exported graphs are read
// without torch-mlir. Only tensors are taken (torch-mlir also allows buffers).
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_TMTENSOR
#define KS_NORMALIZE_TMTENSOR

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TMTensor_Dialect : Dialect {
  let name = "tm_tensor";
  let cppNamespace = "::mlir::ks::tm_tensor";
  let summary = "scans, scatters and sorts of torch-mlir";
  let description = [{
    Structured operations on tensors that linalg cannot express. They are
    destination-passing: each result is tied to an operand of `outs`, of the
    same type, whose contents it starts from. They have no other effect.
  }];
}

class TMTensor_Op<string mnemonic, list<Trait> traits = []>
    : Op<TMTensor_Dialect, mnemonic, traits>;

/// An operation with `ins`, `outs` and a scalar body.
class TMTensor_Structured<string mnemonic>
    : TMTensor_Op<mnemonic, [Pure, AttrSizedOperandSegments, SingleBlock]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasVerifier = 1;
}

def TMTensor_ScanOp : TMTensor_Structured<"scan"> {
  let summary = "inclusive or exclusive scan along one dimension";
  let description = [{
    `outs` holds the output, of the input's shape, and the accumulator, of that
    shape without `dimension`. With f the body, which is called with the value so
    far first and the next element second, and x the input:

    * inclusive: `y[0] = x[0]`, `y[i] = f(y[i-1], x[i])`;
    * exclusive: `y[0] = accumulator`, `y[i] = f(y[i-1], x[i-1])`.

    The accumulator's result is the last value of `y`. The body is taken to be
    associative.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       I64Attr:$dimension, BoolAttr:$inclusive);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` attr-dict
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::Value getInput() { return getInputs()[0]; }
    ::mlir::Value getOutput() { return getOutputs()[0]; }
    ::mlir::Value getAccumulator() { return getOutputs()[1]; }
  }];
}

def TMTensor_ScatterOp : TMTensor_Structured<"scatter"> {
  let summary = "writes or combines slices of a tensor at given indices";
  let description = [{
    `ins` holds the updates, of shape [n, w...], and the indices, [n, k]; `outs`
    the original. Row i of the updates goes to the original where dimension
    `dimension_map[j]` is `indices[i, j]`; the dimensions w are the trailing ones
    of the original, and where such a dimension is also indexed, the index is added
    to its position. The body is called with the update first and the element that
    is there second, and yields what is stored. Unless `unique_indices`, rows
    may meet in one element; they are combined in the order of i.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       DenseI64ArrayAttr:$dimension_map,
                       BoolAttr:$unique_indices);
  let assemblyFormat = [{
    attr-dict `unique_indices` `(` $unique_indices `)`
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::Value getUpdates() { return getInputs()[0]; }
    ::mlir::Value getIndices() { return getInputs()[1]; }
    ::mlir::Value getOriginal() { return getOutputs()[0]; }
  }];
}

def TMTensor_SortOp : TMTensor_Structured<"sort"> {
  let summary = "stable sort along one dimension, with payloads";
  let description = [{
    Sorts all of `outs`, which have one shape, by one order along `dimension`. The
    body is called with two elements (a, b) of each operand in turn, and yields
    true if a may stay before b. `ins` is empty.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       I64Attr:$dimension);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` attr-dict
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_YieldOp
    : TMTensor_Op<"yield", [Pure, ReturnLike, Terminator,
                            ParentOneOf<["ScanOp", "ScatterOp", "SortOp"]>]> {
  let summary = "ends the body of a tm_tensor operation";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // KS_NORMALIZE_TMTENSOR
