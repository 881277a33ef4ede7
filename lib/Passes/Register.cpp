//===- Register.cpp - What the tools know by name -------------------------===//
//
// Registers dialects and passes by name, each for a reason: an imported graph
// holds it, a stage of the road makes it, or a user debugging a graph wants it.
//
//===----------------------------------------------------------------------===//
#include "ks/Passes/Register.h"

#include "ks/Lowering/Lowering.h"
#include "ks/Normalize/Passes.h"
#include "ks/Normalize/TMTensor.h"
#include "ks/Passes/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

void mlir::ks::registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  complex::ComplexDialect, func::FuncDialect, gpu::GPUDialect,
                  index::IndexDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect,
                  ml_program::MLProgramDialect, NVVM::NVVMDialect,
                  scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect,
                  tm_tensor::TMTensorDialect>();
  func::registerInlinerExtension(registry);
  registerLoweringDialects(registry);
}

void mlir::ks::registerPasses() {
  registerNormalizePasses();
  registerKernelSkillPasses();
}

void mlir::ks::registerUpstreamPasses() {
  registerTransformsPasses();
  registerLinalgPasses();
  tensor::registerTensorPasses();
  arith::registerArithPasses();
  registerSCFPasses();
}
