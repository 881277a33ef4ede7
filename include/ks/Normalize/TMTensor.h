//===- TMTensor.h - The tm_tensor dialect -----------------------*- C++ -*-===//
//
// The scans, scatters and sorts of torch-mlir; TMTensor.td says what they mean.
//
//===----------------------------------------------------------------------===//
#ifndef KS_NORMALIZE_TMTENSOR_H
#define KS_NORMALIZE_TMTENSOR_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ks/Normalize/TMTensorDialect.h.inc"

#define GET_OP_CLASSES
#include "ks/Normalize/TMTensorOps.h.inc"

#endif // KS_NORMALIZE_TMTENSOR_H
