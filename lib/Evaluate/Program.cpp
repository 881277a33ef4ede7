//===- Program.cpp - A compiled candidate ---------------------------------===//
//
// Compiles with a diagnostic handler that keeps the text.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include "ks/Support/Hashing.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::ks;

static void print(llvm::raw_ostream &out, const LaunchArg &arg) {
  out << ' ' << int(arg.space) << ':' << arg.index << ':' << arg.offset;
  if (arg.stride || arg.flip)
    out << '+' << arg.stride << '^' << arg.flip;
}

static std::string fingerprintPlan(const LaunchPlan &plan) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Step &step : plan.steps) {
    switch (step.kind) {
    case Step::Kind::Launch: {
      const Launch &launch = plan.launches[step.index];
      out << launch.kernel;
      for (uint32_t size : launch.grid)
        out << ' ' << size;
      for (uint32_t size : launch.block)
        out << ' ' << size;
      for (const LaunchArg &arg : launch.args)
        print(out, arg);
      break;
    }
    case Step::Kind::Copy:
      out << "copy " << plan.copies[step.index].bytes;
      print(out, plan.copies[step.index].from);
      print(out, plan.copies[step.index].to);
      break;
    case Step::Kind::Loop:
      out << "loop " << step.count << ' ' << step.length;
      break;
    }
    out << '\n';
  }
  // The cubin follows from the PTX; the CPU's object stands alone without it.
  for (const std::vector<uint8_t> *part : {&plan.ptx, &plan.hostObject})
    out << StringRef(reinterpret_cast<const char *>(part->data()),
                     part->size());
  return fingerprint(text);
}

Result<Program> mlir::ks::compileText(llvm::StringRef text,
                                      MLIRContext &context,
                                      const LoweringOptions &options,
                                      std::string &diagnostics) {
  std::string firstError;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string line = diagnostic.str();
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        firstError.empty())
      firstError = line;
    diagnostics += line + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      diagnostics += "note: " + note.str() + "\n";
    return success();
  });
  auto failed = [&](const char *stage) {
    return Error{firstError.empty() ? stage : firstError};
  };

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return failed("the candidate's text does not parse");
  Program program;
  program.work = countWork(*module);
  if (mlir::failed(lowerProgram(*module, options, &program.resources)))
    return failed("the lowering failed");
  FailureOr<LaunchPlan> plan = planFromModule(*module);
  if (mlir::failed(plan))
    return failed("the lowered module holds no launch plan");
  program.plan = std::move(*plan);
  program.code = fingerprintPlan(program.plan);
  return program;
}
