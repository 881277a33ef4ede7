// What the whole program does not bear out goes back, and the report says so.
#include "Test.h"

#include "ks/Agent/Agent.h"
#include "ks/Report/Report.h"

using namespace mlir::ks;
namespace json = llvm::json;

TEST(wrongOrSlowerGoesBack) {
  for (bool measures : {false, true}) {
    for (Outcome outcome : {Outcome::NotBetter, Outcome::Wrong, Outcome::Failed,
                            Outcome::Crashed})
      CHECK(goesBack(outcome, measures));
    for (Outcome outcome :
         {Outcome::Passed, Outcome::Better, Outcome::Unchecked})
      CHECK(!goesBack(outcome, measures));
  }
}

TEST(inconclusiveStaysWhereTimesAreMeasured) {
  CHECK(!goesBack(Outcome::Inconclusive, /*measures=*/true));
  CHECK(goesBack(Outcome::Inconclusive, /*measures=*/false));
}

/// The events of a run with one kernel, whose second trial was committed.
static std::vector<json::Object> run() {
  std::vector<json::Object> events;
  events.push_back(json::Object{{"event", "run"}, {"label", "checked: host"}});
  events.push_back(json::Object{{"event", "kernel"}, {"kernel", "k"}});
  events.push_back(json::Object{{"event", "trial"},
                                {"kernel", "k"},
                                {"trial", 1},
                                {"outcome", "better"}});
  events.push_back(
      json::Object{{"event", "commit"}, {"kernel", "k"}, {"trial", 1}});
  return events;
}

TEST(revertedRunChangesNoKernel) {
  std::vector<json::Object> events = run();
  CHECK_HAS(summarise(makeReport(events)), "kernels changed: 1");
  events.push_back(json::Object{{"event", "revert"}, {"outcome", "wrong"}});
  events.push_back(json::Object{{"event", "program"}, {"outcome", "passed"}});
  std::string summary = summarise(makeReport(events));
  CHECK_HAS(summary, "kernels changed: 0");
  CHECK_HAS(summary, "back to the default knobs: with those above the whole "
                     "program was wrong");
  CHECK_HAS(summary, "whole program: passed");
}

int main() { return test::runTests(); }
