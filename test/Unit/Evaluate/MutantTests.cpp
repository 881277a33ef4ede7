// The gate against mutants of right kernels: what it cannot kill is its defect.
// Each mutant changes one thing in a text that passes.
#include "Test.h"

#include "ks/Evaluate/Worker.h"

using namespace mlir::ks;

namespace {
/// Rows of x (37 of 65), scaled and shifted, summed.
const char *const sums = R"(
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<37x65xf32>, %w: tensor<65xf32>) -> tensor<37xf32> {
  %r = call @kernel(%x, %w) : (tensor<37x65xf32>, tensor<65xf32>) -> tensor<37xf32>
  return %r : tensor<37xf32>
}
func.func private @kernel(%x: tensor<37x65xf32>, %w: tensor<65xf32>) -> tensor<37xf32> attributes {ks.kernel} {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  %r = linalg.generic {indexing_maps = [#id, #column, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<37x65xf32>, tensor<65xf32>) outs(%f : tensor<37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %j = linalg.index 1 : index
    %last = arith.constant 65 : index
    %in = arith.cmpi slt, %j, %last : index
    %m = arith.mulf %a, %b : f32
    %k = arith.addf %m, %c : f32
    %masked = arith.select %in, %k, %zero : f32
    %s = arith.addf %masked, %o : f32
    linalg.yield %s : f32
  } -> tensor<37xf32>
  return %r : tensor<37xf32>
}
)";

/// A running mean: the second result is the new value of the second argument.
const char *const means = R"(
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<70xf32>, %m: tensor<70xf32>) -> (tensor<70xf32>, tensor<70xf32>)
    attributes {ks.mutations = array<i64: 1, 1>} {
  %r:2 = call @kernel(%x, %m) : (tensor<70xf32>, tensor<70xf32>) -> (tensor<70xf32>, tensor<70xf32>)
  return %r#0, %r#1 : tensor<70xf32>, tensor<70xf32>
}
func.func private @kernel(%x: tensor<70xf32>, %m: tensor<70xf32>) -> (tensor<70xf32>, tensor<70xf32>) attributes {ks.kernel} {
  %c = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<70xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %m : tensor<70xf32>, tensor<70xf32>) outs(%e, %e : tensor<70xf32>, tensor<70xf32>) {
  ^bb0(%a: f32, %b: f32, %o0: f32, %o1: f32):
    %d = arith.subf %a, %b : f32
    %k = arith.mulf %d, %c : f32
    %n = arith.addf %b, %k : f32
    linalg.yield %d, %n : f32, f32
  } -> (tensor<70xf32>, tensor<70xf32>)
  return %r#0, %r#1 : tensor<70xf32>, tensor<70xf32>
}
)";

TrialResult trial(std::string from, std::string to, const char *text = sums) {
  static Worker worker;
  TrialJob job;
  job.reference = job.candidate = text;
  job.timingSeconds = 0;
  size_t at = job.candidate.find(from);
  CHECK(at != std::string::npos);
  if (at != std::string::npos)
    job.candidate.replace(at, from.size(), to);
  return worker.run(job);
}

void dies(const char *from, const char *to, const char *text = sums) {
  TrialResult result = trial(from, to, text);
  if (result.outcome != Outcome::Wrong)
    test::fail(__FILE__, __LINE__,
               std::string("survives as ") + std::string(name(result.outcome)) +
                   " (" + result.reason + "): " + to);
}
} // namespace

TEST(the_original_passes) {
  TrialResult result = trial("0.25", "0.25");
  CHECK_EQ(std::string(name(result.outcome)), "passed");
  CHECK_EQ(result.reason, "");
  CHECK_EQ(result.checks.size(), size_t(5));
}

TEST(an_equal_computation_in_another_order_passes) {
  CHECK_EQ(
      std::string(name(
          trial("arith.addf %masked, %o", "arith.addf %o, %masked").outcome)),
      "passed");
}

TEST(a_wrong_index_dies) {
  dies("#column = affine_map<(i, j) -> (j)>",
       "#column = affine_map<(i, j) -> (64 - j)>");
}
TEST(a_dropped_element_dies) {
  dies("%last = arith.constant 65", "%last = arith.constant 64");
}
TEST(a_wrong_operation_dies) { dies("arith.mulf %a, %b", "arith.addf %a, %b"); }
TEST(a_wrong_constant_dies) { dies("0.25 : f32", "0.2501 : f32"); }
TEST(a_wrong_start_dies) {
  dies("linalg.fill ins(%zero", "linalg.fill ins(%c");
}
TEST(a_trivial_answer_dies) {
  dies("linalg.yield %s : f32", "linalg.yield %o : f32");
}
TEST(a_lower_precision_dies) {
  dies("%m = arith.mulf %a, %b : f32",
       "%h = arith.truncf %a : f32 to f16\n %g = arith.extf %h : f16 to f32\n"
       " %m = arith.mulf %g, %b : f32");
}
TEST(a_lower_precision_of_the_operands_like_tf32_dies) {
  dies("%m = arith.mulf %a, %b : f32",
       "%i = arith.bitcast %a : f32 to i32\n %mask = arith.constant -8192 : "
       "i32\n"
       " %t = arith.andi %i, %mask : i32\n %g = arith.bitcast %t : i32 to f32\n"
       " %m = arith.mulf %g, %b : f32");
}
TEST(a_lost_sign_dies) {
  dies("%m = arith.mulf %a, %b : f32",
       "%n = math.absf %a : f32\n %m = arith.mulf %n, %b : f32");
}

TEST(a_mutated_argument_is_compared_and_restored) {
  TrialResult result = trial("0.25", "0.25", means);
  CHECK_EQ(std::string(name(result.outcome)), "passed");
  CHECK_EQ(result.reason, "");
  CHECK_EQ(result.checks[0].outputs.size(), size_t(2));
}
TEST(a_wrong_new_value_dies) { dies("0.25 : f32", "0.2501 : f32", means); }
TEST(an_old_value_left_dies) {
  dies("linalg.yield %d, %n", "linalg.yield %d, %b", means);
}
