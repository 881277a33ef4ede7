//===- AffineIndicesFloat.cpp - Indices computed in floating point --------===//
//
// Nearest-neighbour upsampling divides an index by the scale in floating point
// and rounds down. Of values that are not negative, divided by a power of two,
// or once by another integer, the floor is that of the exact quotient.
//
//===----------------------------------------------------------------------===//
#include "AffineIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ks;

static std::optional<double> constantOf(Value value) {
  llvm::APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  bool lost = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmTowardZero,
                 &lost);
  return number.convertToDouble();
}

/// k if `value` is 2^k.
static std::optional<int> exponentOf(double value) {
  int exponent = 0;
  return value > 0 && std::frexp(value, &exponent) == 0.5
             ? std::optional(exponent - 1)
             : std::nullopt;
}

AffineExpr AffineIndices::floorOf(Value value, linalg::LinalgOp parent,
                                  ArrayRef<AffineExpr> loops) {
  auto type = cast<FloatType>(value.getType());
  int64_t exact = int64_t(1)
                  << std::min<unsigned>(type.getFPMantissaWidth(), 50);
  Operation *inner = value.getDefiningOp();
  if (!inner)
    return nullptr;
  if (auto conversion = dyn_cast<arith::SIToFPOp>(inner)) {
    AffineExpr expr = scalar(conversion.getIn(), parent, loops);
    return expr && rangeOf(expr).low >= 0 && rangeOf(expr).high <= exact
               ? expr
               : AffineExpr();
  }
  if (isa<math::FloorOp, arith::ExtFOp>(inner))
    return scalar(inner->getOperand(0), parent, loops);
  std::optional<double> number = inner->getNumOperands() == 2
                                     ? constantOf(inner->getOperand(1))
                                     : std::nullopt;
  AffineExpr lhs =
      number ? scalar(inner->getOperand(0), parent, loops) : AffineExpr();
  if (!lhs)
    return nullptr;
  IntegerRange range = rangeOf(lhs);
  if (isa<arith::AddFOp>(inner))
    return *number == 0 ? lhs : AffineExpr();
  if (isa<arith::MaximumFOp>(inner))
    return *number <= range.low ? lhs : AffineExpr();
  if (isa<arith::MinimumFOp>(inner)) // The floor n may stand for up to n + 1.
    return *number >= range.high && *number == std::floor(*number)
               ? lhs
               : AffineExpr();
  bool isQuotient = isa<arith::DivFOp>(inner);
  if (!isQuotient && !isa<arith::MulFOp>(inner))
    return nullptr;
  if (std::optional<int> exponent = exponentOf(*number)) {
    int shift = isQuotient ? *exponent : -*exponent;
    return shift >= 0 && shift < 32 ? divide(lhs, int64_t(1) << shift)
                                    : AffineExpr();
  }
  // A quotient that is no integer is farther from the next one than what it is
  // rounded by.
  bool isInteger = *number == std::floor(*number) && *number >= 1;
  return isQuotient && isInteger && *number + range.high < exact / 2 &&
                 inner->getOperand(0).getDefiningOp<arith::SIToFPOp>()
             ? divide(lhs, static_cast<int64_t>(*number))
             : AffineExpr();
}
