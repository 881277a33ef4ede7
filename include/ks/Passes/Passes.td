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
    with a cubin for `chip` and PTX. A counted loop becomes an `scf.for` of launches:
    what it carries has two places, which odd and even iterations read and write in
    turns; an accumulator is written where its result is to be, row by row; and rows of
    what is read are parts of its buffer. Each kernel follows its knobs (the attribute
    `ks.knobs`); without them it takes the defaults. The cut module's text stays as
    the module's attribute `ks.source`.

    With `package=FILE` the program is also written as a package: one file that
    `ks-run` and libKSRuntime.so run without a compiler, see docs/Runtime.md.

    With `cuda=false` and without `host` it leaves the kernels alone, as functions of
    a `gpu.module`, to be looked at.

    Fails, with an error that names what is missing, where there is no ptxas.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "NVPTX chip to compile for (default: sm_90a)">,
    Option<"ptxas", "ptxas", "std::string", "\"\"",
           "path of ptxas (default: found as docs/Dependencies.md says)">,
    Option<"cuda", "cuda", "bool", "true", "make PTX and a cubin (default: true)">,
    Option<"host", "host", "bool", "false",
           "also make code that ks-run executes on the CPU">,
    Option<"reference", "reference", "bool", "false",
           "lower the float64 reference with its running error bound instead">,
    Option<"package", "package", "std::string", "\"\"",
           "also write the program to this package file">,
    Option<"packageAppend", "package-append", "bool", "false",
           "keep the programs that the package file holds for inputs of other "
           "shapes (default: false)">
  ];
}

def AgentOptimize : Pass<"agent-optimize", "::mlir::ModuleOp"> {
  let summary = "compile a graph, trying, checking and timing candidates";
  let description = [{
    The whole road: normalizes and cuts the graph (unless it is cut already), then
    for each distinct kernel tries candidates, then lowers as `ks-lower-to-cubin`
    does with what was committed.

    A candidate is a choice of knobs: block size, elements a thread, index width,
    unrolling. Candidates are one step from the best so far, in the order of a fixed
    table, so the run is deterministic given the same measurements. Each runs in a
    worker process (`ks-worker`, found by `$KS_WORKER`, beside the tool, or in
    PATH): it is compiled; checked against a float64 reference with a running error
    bound on five laws of inputs, with poisoned outputs, guard bands, unchanged
    inputs and equal repeats; and timed in turns with the incumbent. It is committed
    if the 95 % interval of the median ratio of its time to the incumbent's lies below
    0.99. The default knobs are the first incumbent and must themselves be right;
    if they are not, or cannot be checked, the kernel keeps them and the run says
    that it is unverified. A worker that crashes, hangs or answers garbage costs its
    trial and nothing else. At the end the whole program with what was committed is
    checked and timed against the one with the defaults; if it is wrong or no faster
    (without a GPU: if it is not clearly faster), the defaults stay.

    Everything is written to a folder of its own in `out-dir`: `events.jsonl` as it
    happens, `report.json` at the end, and every candidate's files. Remarks of the
    category `ks-agent` tell each commit (passed) and rejection (missed). Progress
    goes to standard error.

    With `package=FILE` the result is also written as a package, one file that
    `ks-run` and libKSRuntime.so run without a compiler, see docs/Runtime.md. It
    holds code for the GPU and, with `host=true` or where candidates ran on the CPU,
    for the CPU.

    Without a GPU, code runs on the CPU: results are labelled `checked: host, timed:
    estimate`, for the time of the CPU's code says nothing about a GPU.
  }];
  let options = [
    Option<"device", "device", "std::string", "\"auto\"",
           "where candidates run: auto (default), cuda or host">,
    Option<"budget", "budget", "unsigned", "12",
           "most trials for each distinct kernel, that of the default "
           "knobs included (default: 12)">,
    Option<"seed", "seed", "uint64_t", "0", "seed of the random inputs (default: 0)">,
    Option<"deterministic", "deterministic", "bool", "true",
           "two runs of a candidate must agree to the bit (default: true)">,
    Option<"policy", "policy", "std::string", "\"table\"",
           "what chooses candidates: table (default)">,
    Option<"outDir", "out-dir", "std::string", "\"ks-out\"",
           "folder for the run's own folder (default: ks-out)">,
    Option<"chip", "chip", "std::string", "\"\"",
           "NVPTX chip to compile for (default: the device's, or sm_90a)">,
    Option<"ptxas", "ptxas", "std::string", "\"\"",
           "path of ptxas (default: found as docs/Dependencies.md says)">,
    Option<"trialSeconds", "trial-seconds", "unsigned", "120",
           "a trial that takes longer is a hang (default: 120)">,
    Option<"host", "host", "bool", "false",
           "also make code for the CPU (always made where candidates ran there)">,
    Option<"package", "package", "std::string", "\"\"",
           "also write the program to this package file">,
    Option<"packageAppend", "package-append", "bool", "false",
           "keep the programs that the package file holds for inputs of other "
           "shapes (default: false)">
  ];
}

#endif // KS_PASSES_PASSES
