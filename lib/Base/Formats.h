//===- Formats.h - The two formats behind TensorFile ------------*- C++ -*-===//
//
// One reader and one writer a format. Errors name the array at fault, not the
// file.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_FORMATS_H
#define KS_BASE_FORMATS_H

#include "ks/Base/File.h"
#include "ks/Base/TensorFile.h"

namespace mlir::ks {

Result<NamedTensors> readNpz(const InputFile &file);
Status writeNpz(OutputFile &file, const NamedTensors &tensors, bool deflated);

Result<NamedTensors> readSafetensors(const InputFile &file);
Status writeSafetensors(OutputFile &file, const NamedTensors &tensors);

/// Makes room for an array's `bytes`; an error where this machine has not so
/// much memory.
Status allocate(Tensor &tensor, uint64_t bytes);

/// Makes every byte of a bool tensor 0 or 1.
void normalizeBools(Tensor &tensor);

} // namespace mlir::ks

#endif // KS_BASE_FORMATS_H
