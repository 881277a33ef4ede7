//===- Passes.td - Passes of the normalize library --------*- tablegen -*-===//
//
// From an exported graph to a cut one.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_PASSES
#define KS_NORMALIZE_PASSES

include "mlir/Pass/PassBase.td"

def Normalize : Pass<"ks-normalize", "::mlir::ModuleOp"> {
  let summary = "clean an exported PyTorch graph up for cutting and scheduling";
  let description = [{
    Takes linalg on tensors as torch-mlir exports it, and leaves a graph with the
    same results in fewer and simpler operations:

    * private functions are inlined where they are called, and go; recursion and
      calls of what has no body are errors. The attribute `ks.op` of a private
      function, the name of an operation of the model (`"attention"`), becomes part
      of its operations' locations, and so of the names of kernels;
    * state is dropped: an `ml_program` global becomes its initial value, and what
      is stored into it is forgotten (a remark says so);
    * small `dense_resource` constants become `dense` ones;
    * shapes that are static in truth become static (casts, concat);
    * scalars between the operations of a function are computed in the bodies that
      read them; scalar arguments and results become tensors of rank 0;
    * constants and splats move into the bodies that read them; transposes,
      broadcasts and copies fold into their consumers' indexing maps;
    * elements that a body extracts at indices that are affine in its loops (flips,
      selections, constant index lists that form a sequence, nearest-neighbour
      upsampling) become operands with that indexing map, or slices;
    * a transposed convolution, which arrives as an ordinary one of an image stuffed
      with zeros and a flipped weight, reads the image and the weight themselves: of
      stride s, each output takes every s-th tap, so the weight is split into s
      phases, one `linalg.generic` computes all of them, and a collapse weaves them.
      Where the kernel is no multiple of s, a mask zeroes both factors of what is
      too many; an infinity of the image spreads as far as PyTorch spreads it.
      Dilated ones have fewer outputs or are fetched from where they lie;
    * what a sort carries along for nobody is left out;
    * results that nothing reads vanish, as does an initial value that is
      overwritten unread; unit dimensions of `linalg.generic` are dropped;
    * float64 between an extension from a narrower type and a truncation becomes
      float32, if the computation is that of a mean, a two-pass variance or a norm
      (sums, differences, products, quotients, square roots). A variance from one
      pass, the mean of squares less the square of the mean, stays in float64, for
      it would cancel, and so do sums of products of different values. What reaches
      arguments, results, products of matrices or conversions to integers is the
      user's own float64 and stays;
    * matrix products and convolutions read half-precision operands, and bytes,
      directly and not extended copies, whatever moves elements in between; constant
      factors of such operands (attention's scale) multiply the result instead;
    * comparisons of an extended value with a constant, and powers with small
      exponents, become cheaper ones of the same value;
    * a `cf.assert` whose condition follows from the ranges of indices and of
      constants is erased, and so is torch-mlir's own refusal to divide by zero.
      Others stay in their bodies, as
      long as something reads the result;
    * what does not change in a counted loop is computed before it, and what no
      result needs is not carried. The loop's counter, where something computes
      with it, is read from a table.

    The attributes by which an exporter names arguments, mutations and results stay
    (`ks.name`, `ks.kind`, `ks.mutations`, `ks.results`; see
    include/ks/Normalize/Signature.h), and are checked first.

    Afterwards a function holds only `linalg`, `tm_tensor`, `arith.constant`,
    `tensor.{empty, expand_shape, collapse_shape, extract_slice, insert_slice, pad,
    concat}`, counted loops of those, and its return, all of static shape. Anything
    else is an error that names the operation.

    A *counted loop* is an `scf.for` on tensors, at the top level, from 0 in steps of
    one to a constant. In it a slice may be taken at the counter along the leading
    dimension, and whole in the others: one row, without that dimension. A row may be
    inserted into an accumulator, a carried tensor that nothing else in the loop reads
    and that is yielded in its place. Loops in one another, and any other slice at a
    computed offset, are errors.

    Float64 sums made float32 rely on a lowering that sums in
    blocks, compensated or pairwise.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def Specialize : Pass<"ks-specialize", "::mlir::ModuleOp"> {
  let summary = "give the open dimensions of an exported graph their sizes";
  let description = [{
    An export can leave dimensions of its arguments open (`?`), a batch say. Kernels
    are compiled for sizes that are known; this pass makes them known. Each open
    dimension has a name, in the array attribute `ks.dims` of its argument, and the
    option `sizes` gives the sizes by name; the function's dictionary attribute
    `ks.dim_ranges` holds the least and the largest size that the export serves.

    Private functions are inlined, arguments take static types, and canonicalization
    carries the sizes to the results. Fails, with an error, on a name without a size,
    a size without a name or out of range, and on a result whose size cannot be told.
    A module without open dimensions stays as it is.
  }];
  let options = [
    ListOption<"sizes", "sizes", "std::string",
               "name=number for each open dimension, separated by commas">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def CutKernels : Pass<"ks-cut-kernels", "::mlir::ModuleOp"> {
  let summary = "cut a graph into kernels, each a private function";
  let description = [{
    Takes a function on tensors as ks-normalize leaves it. The operations that
    compute or move data are units; views, constants, fills, pads, transposes,
    broadcasts, widening casts and what is cheaply computed from indices alone are
    free and are cloned into every kernel that reads through them.

    The greedy cut starts with every unit by itself:

    * contractions and pooling windows take the elementwise operations behind them,
      for as long as one value comes out;
    * reductions of one input over the same rows meet;
    * from the results backwards, a group joins the kernels that read it.

    A merge is taken if it makes no cycle of kernels and the law allows it: one
    contraction or window at most, its operands not recomputed; reductions over the
    same rows alone, and what reads them over their results or those rows; nothing
    expensive evaluated more than a few times; results of one index space; scan,
    sort and scatter by themselves (a scan takes elementwise producers).

    A counted loop is a unit by itself, and its body is cut as a function is: kernels
    are not fused across its border, and read views of what is outside through it.

    Afterwards the function holds calls of private functions with the attribute
    `ks.kernel`, and counted loops of such calls with the rows that these read and
    write. Every result is that of a call or a loop, and what a loop yields or inserts
    is that of a call in it: an argument, a constant, a view or what goes to two places
    is copied by a kernel. Kernels are named after what they
    compute and, where locations tell it, the Python file and line. Kernels that
    are equal but for locations are one function. Values between kernels are never
    views. The cut is deterministic.
  }];
  let options = [
    Option<"maxOps", "max-ops", "unsigned", /*default=*/"64",
           "operations in one kernel, those that are free not counted (default: 64)">
  ];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // KS_NORMALIZE_PASSES
