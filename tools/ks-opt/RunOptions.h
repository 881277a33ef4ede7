//===- RunOptions.h - The command line of ks-run ----------------*- C++ -*-===//
//
// A struct that lives as long as the run, so that ks-opt does not get these
// options too.
//
//===----------------------------------------------------------------------===//
#ifndef KS_TOOLS_RUNOPTIONS_H
#define KS_TOOLS_RUNOPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace mlir::ks {

namespace cl = llvm::cl;

struct RunOptions {
  cl::OptionCategory category{"ks-run options"};
  cl::opt<std::string> input{cl::Positional,
                             cl::desc("MODULE.mlir or PACKAGE.ksp"),
                             cl::Required, cl::cat(category)};
  cl::opt<std::string> args{
      "args",
      cl::desc("Take the arguments from this npz or safetensors file, as arg0, "
               "arg1, ... or by their names in the model (default: that of "
               "--expect)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> weights{
      "weights",
      cl::desc("Take the arguments that this file holds under their names in "
               "the model; the others are random where there is no --args"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<uint64_t> random{
      "random",
      cl::desc(
          "Draw the arguments from this seed (0 where no file is given): "
          "floats "
          "from a normal law, 8-bit integers from [-100, 100], others from "
          "[0, n), n the smallest dimension of an argument above 1, at most "
          "64; zeros where the graph's checks refuse that"),
      cl::value_desc("seed"), cl::cat(category)};
  cl::opt<std::string> save{"save",
                            cl::desc("Write out0, out1, ... to this file"),
                            cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> expect{
      "expect",
      cl::desc("Compare output K with outK of this file, where it has one"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> check{"check",
                      cl::desc("Run the float64 reference too (default: with "
                               "--expect and with random arguments)"),
                      cl::cat(category)};
  cl::opt<std::string> reference{
      "reference",
      cl::desc("The module that a package was made from: its float64 reference "
               "says which errors are allowed"),
      cl::value_desc("module"), cl::cat(category)};
  cl::opt<unsigned> variant{
      "variant",
      cl::desc("Run this variant of a package (default: the one that takes the "
               "arguments' shapes, or the first)"),
      cl::value_desc("number"), cl::cat(category)};
  cl::opt<unsigned> time{"time", cl::desc("Time this many runs"),
                         cl::value_desc("runs"), cl::cat(category)};
  cl::opt<std::string> device{"device",
                              cl::desc("auto (default), cuda or host"),
                              cl::init("auto"), cl::cat(category)};
  cl::opt<std::string> chip{
      "chip", cl::desc("NVPTX chip to compile for (default: the device's)"),
      cl::cat(category)};
  cl::opt<std::string> ptxas{"ptxas", cl::desc("Path of ptxas"),
                             cl::cat(category)};
};

} // namespace mlir::ks

#endif // KS_TOOLS_RUNOPTIONS_H
