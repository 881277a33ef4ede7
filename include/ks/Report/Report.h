//===- Report.h - What a run did, from its event log ------------*- C++ -*-===//
//
// The report is a fold over events.jsonl and nothing else, so that it can be
// made of a run that died, and says only what was written down.
//
//===----------------------------------------------------------------------===//
#ifndef KS_REPORT_REPORT_H
#define KS_REPORT_REPORT_H

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace mlir::ks {

/// report.json: the run's facts, and of each kernel its trials in order, what
/// was committed and what that brought.
llvm::json::Object makeReport(const std::vector<llvm::json::Object> &events);

/// A few lines for a terminal: of each kernel what was tried and committed.
std::string summarise(const llvm::json::Object &report);

} // namespace mlir::ks

#endif // KS_REPORT_REPORT_H
