//===- ProveAssertions.cpp - Assertions that need no check ----------------===//
//
// torch-mlir guards each gathered index, and refuses zero in a reciprocal.
// Ranges decide the former where the index is a loop's, a constant's or
// clamped; the latter is no condition of the program: PyTorch divides and gets
// infinity.
//
//===----------------------------------------------------------------------===//
#include "ks/Normalize/IntegerRanges.h"
#include "ks/Normalize/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::ks;

/// `x != 0` asserted of a divisor in the same body.
static bool refusesZeroDivisor(cf::AssertOp op) {
  auto compare = op.getArg().getDefiningOp<arith::CmpFOp>();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::ONE ||
      !matchPattern(compare.getRhs(), m_AnyZeroFloat()) ||
      !op.getMsg().starts_with("unimplemented"))
    return false;
  return llvm::any_of(compare.getLhs().getUsers(), [&](Operation *user) {
    auto quotient = dyn_cast<arith::DivFOp>(user);
    return quotient && quotient.getRhs() == compare.getLhs() &&
           quotient->getBlock() == op->getBlock();
  });
}

namespace {

/// What is left of a gather whose result nothing reads is its check. PyTorch's
/// own export erases such an operation together with the check.
struct EraseDeadCheck : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op->use_empty() || !op.hasPureTensorSemantics())
      return failure();
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("dead-check").category(normalizeCategory))
        << "an assertion about a value that nothing reads is dropped";
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::ks::populateEraseDeadCheckPatterns(RewritePatternSet &patterns) {
  patterns.add<EraseDeadCheck>(patterns.getContext());
}

void mlir::ks::proveAssertions(ModuleOp module) {
  IntegerRanges ranges;
  SmallVector<std::pair<arith::CmpIOp, bool>> decided;
  SmallVector<cf::AssertOp> dead;
  module.walk([&](Operation *op) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      std::optional<IntegerRange> range = ranges.of(compare.getResult());
      if (range && range->low == range->high)
        decided.push_back({compare, range->low == 1});
    } else if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
      if (refusesZeroDivisor(assertion))
        dead.push_back(assertion);
    }
  });
  for (cf::AssertOp op : dead)
    op.erase();
  for (auto [op, value] : decided) {
    OpBuilder builder(op);
    Value constant = arith::ConstantOp::create(builder, op.getLoc(),
                                               builder.getBoolAttr(value));
    op.replaceAllUsesWith(constant);
    op.erase();
  }
}
