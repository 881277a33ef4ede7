// A static ks-opt holds the back-ends of X86 and NVPTX only. MLIR's targets for
// other GPUs call the initialisers of theirs; here those do nothing, so that
// such a target is reported as not registered, as in any LLVM that is built
// without.
#define KS_NO_TARGET(NAME)                                                     \
  extern "C" void LLVMInitialize##NAME##TargetInfo() {}                        \
  extern "C" void LLVMInitialize##NAME##Target() {}                            \
  extern "C" void LLVMInitialize##NAME##TargetMC() {}                          \
  extern "C" void LLVMInitialize##NAME##AsmPrinter() {}                        \
  extern "C" void LLVMInitialize##NAME##AsmParser() {}

KS_NO_TARGET(AMDGPU)
KS_NO_TARGET(SPIRV)
