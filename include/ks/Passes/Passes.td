//===- Passes.td - The road and the agent as passes -------*- tablegen -*-===//
//
// The passes that tie the libraries together.
//
//===----------------------------------------------------------------------===//
#ifndef KS_PASSES_PASSES
#define KS_PASSES_PASSES

include "mlir/Pass/PassBase.td"

def LowerToCubin : Pass<"ks-lower-to-cubin", "::mlir::ModuleOp"> {
  let summary = "lower a cut graph to launches of kernels in a gpu.binary";
  let description = [{
    Takes a module as `ks-cut-kernels` leaves it (one that is not cut yet is
    normalized and cut first) and leaves upstream IR only: a host function on memrefs
    (inputs, outputs, one workspace, a stream), `gpu.launch_func`, and a `gpu.binary`
    with a cubin for `chip` and PTX. Each kernel follows its knobs (the attribute
    `ks.knobs`); without them it takes the defaults. The cut module's text stays as
    the module's attribute `ks.source`.

    Fails, with an error that names what is missing, where there is no ptxas.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "NVPTX chip to compile for">,
    Option<"ptxas", "ptxas", "std::string", "\"\"",
           "path of ptxas; by default from PATH or $CUDA_HOME">,
    Option<"cuda", "cuda", "bool", "true", "make PTX and a cubin">,
    Option<"host", "host", "bool", "false",
           "also make code that ks-run executes on the CPU">,
    Option<"reference", "reference", "bool", "false",
           "lower the float64 reference with its running error bound instead">
  ];
}

#endif // KS_PASSES_PASSES
