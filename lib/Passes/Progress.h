//===- Progress.h - What a terminal shows of a run --------------*- C++ -*-===//
//
// One line that is rewritten when standard error is a terminal, plain lines
// otherwise. NO_COLOR is honoured.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_PASSES_PROGRESS_H
#define KS_LIB_PASSES_PROGRESS_H

#include "ks/Agent/Agent.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::ks {

class Progress {
public:
  explicit Progress(llvm::raw_ostream &out);
  ~Progress() { clear(); }

  /// A line that stays.
  void say(const llvm::Twine &line);
  /// A trial that is over.
  void trial(const TrialReport &report);
  /// A line that the next one replaces; only a terminal shows it.
  void doing(const llvm::Twine &line);

private:
  void clear();

  llvm::raw_ostream &out;
  bool terminal;
  bool color;
  bool shown = false;
};

} // namespace mlir::ks

#endif // KS_LIB_PASSES_PROGRESS_H
