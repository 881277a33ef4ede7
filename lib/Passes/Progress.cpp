//===- Progress.cpp - What a terminal shows of a run ----------------------===//
//
// See Progress.h.
//
//===----------------------------------------------------------------------===//
#include "Progress.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>

using namespace mlir::ks;

Progress::Progress(llvm::raw_ostream &out)
    : out(out), terminal(out.is_displayed()) {
  const char *none = std::getenv("NO_COLOR");
  color = terminal && out.has_colors() && !(none && *none);
}

void Progress::clear() {
  if (shown)
    out << "\r\033[K";
  shown = false;
}

void Progress::say(const llvm::Twine &line) {
  clear();
  out << line << "\n";
  out.flush();
}

void Progress::doing(const llvm::Twine &line) {
  if (!terminal)
    return;
  clear();
  // No wrap: a line that is too long could not be taken back.
  out << llvm::StringRef(line.str()).take_front(79);
  out.flush();
  shown = true;
}

void Progress::trial(const TrialReport &report) {
  const TrialResult &result = report.result;
  std::string line =
      llvm::formatv("[{0}/{1}] {2} {3}/{4} {5}: {6}", report.kernelNumber,
                    report.kernelCount, report.kernel, report.number + 1,
                    report.budget, report.why, name(result.outcome));
  if (result.timing.incumbent.median > 0)
    line += llvm::formatv(", {0}{1:f2}x", report.estimated ? "estimate " : "",
                          1 / result.timing.ratio.median);
  if (!result.reason.empty())
    line += " (" + result.reason + ")";
  bool bad = !result.right();
  if (!terminal || bad || (report.committed && report.number)) {
    clear();
    if (color)
      out.changeColor(bad ? llvm::raw_ostream::RED : llvm::raw_ostream::GREEN);
    out << line;
    if (color)
      out.resetColor();
    out << "\n";
    out.flush();
    return;
  }
  doing(line);
}
