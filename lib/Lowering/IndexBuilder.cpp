//===- IndexBuilder.cpp - Index arithmetic with folding -------------------===//
//
// See IndexBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "IndexBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::ks;

namespace mlir::ks {
struct Index::Split {
  Index whole;
  SmallVector<int64_t> dims;
};
struct Index::Joined {
  SmallVector<Index> parts;
  SmallVector<int64_t> dims;
};
} // namespace mlir::ks

static int64_t product(ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= dim;
  return result;
}

Value IndexBuilder::get(const Index &index) {
  if (index.value)
    return index.value;
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, index.constant));
}

Value IndexBuilder::getAsIndex(const Index &index) {
  if (index.isConstant())
    return arith::ConstantIndexOp::create(builder, loc, index.constant);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    index.value);
}

Index IndexBuilder::from(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (auto attr = dyn_cast<IntegerAttr>(constant.getValue()))
      return Index(attr.getInt());
  // An index that came from here goes back without a pair of casts.
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    if (cast.getIn().getType() == type)
      return Index(cast.getIn());
  Type from = value.getType();
  if (from == type)
    return Index(value);
  if (from.isIndex())
    return Index(
        arith::IndexCastOp::create(builder, loc, type, value).getResult());
  if (from.getIntOrFloatBitWidth() < type.getWidth())
    return Index(arith::ExtSIOp::create(builder, loc, type, value).getResult());
  return Index(arith::TruncIOp::create(builder, loc, type, value).getResult());
}

Index IndexBuilder::add(const Index &a, const Index &b) {
  if (a.isConstant() && b.isConstant())
    return Index(a.constant + b.constant);
  if (a.isConstant(0))
    return b;
  if (b.isConstant(0))
    return a;
  return Index(arith::AddIOp::create(builder, loc, get(a), get(b)).getResult());
}

Index IndexBuilder::mul(const Index &a, int64_t b) {
  if (a.isConstant())
    return Index(a.constant * b);
  if (b == 0)
    return Index(0);
  if (b == 1)
    return a;
  return Index(
      arith::MulIOp::create(builder, loc, get(a), get(Index(b))).getResult());
}

Index IndexBuilder::div(const Index &a, int64_t b) {
  if (a.isConstant())
    return Index(a.constant / b);
  if (b == 1)
    return a;
  return Index(
      arith::DivUIOp::create(builder, loc, get(a), get(Index(b))).getResult());
}

Index IndexBuilder::rem(const Index &a, int64_t b) {
  if (a.isConstant())
    return Index(a.constant % b);
  if (b == 1)
    return Index(0);
  return Index(
      arith::RemUIOp::create(builder, loc, get(a), get(Index(b))).getResult());
}

SmallVector<Index> IndexBuilder::splitValue(const Index &whole,
                                            ArrayRef<int64_t> dims) {
  auto split = std::make_shared<Index::Split>();
  split->whole = whole;
  split->dims.assign(dims.begin(), dims.end());
  SmallVector<Index> parts(dims.size(), Index(0));
  Index rest = whole;
  // The first dimension that is not one takes the rest undivided.
  int first = 0;
  while (first < static_cast<int>(dims.size()) && dims[first] == 1)
    ++first;
  for (int i = static_cast<int>(dims.size()) - 1; i >= first; --i) {
    if (dims[i] == 1)
      continue;
    parts[i] = i == first ? rest : rem(rest, dims[i]);
    if (i != first)
      rest = div(rest, dims[i]);
    if (!parts[i].isConstant()) {
      parts[i].split = split;
      parts[i].position = i;
    }
  }
  return parts;
}

SmallVector<Index> IndexBuilder::delinearize(const Index &whole,
                                             ArrayRef<int64_t> dims) {
  if (llvm::count_if(dims, [](int64_t d) { return d != 1; }) == 0)
    return SmallVector<Index>(dims.size(), Index(0));
  if (!whole.joined)
    return splitValue(whole, dims);

  // Match groups of source dimensions against groups of target dimensions with
  // the same product, from the left; what does not match is split as a value.
  const auto &source = *whole.joined;
  SmallVector<Index> result(dims.size(), Index(0));
  size_t i = 0, j = 0;
  while (i < dims.size() && j < source.dims.size()) {
    if (dims[i] == 1) {
      ++i;
      continue;
    }
    if (source.dims[j] == 1) {
      ++j;
      continue;
    }
    size_t iEnd = i + 1, jEnd = j + 1;
    int64_t target = dims[i], have = source.dims[j];
    while (target != have) {
      if (target < have && iEnd < dims.size())
        target *= dims[iEnd++];
      else if (have < target && jEnd < source.dims.size())
        have *= source.dims[jEnd++];
      else
        return splitValue(whole, dims);
    }
    ArrayRef<Index> parts = ArrayRef(source.parts).slice(j, jEnd - j);
    ArrayRef<int64_t> partDims = ArrayRef(source.dims).slice(j, jEnd - j);
    Index group = parts.size() == 1 ? parts[0] : linearize(parts, partDims);
    if (iEnd - i == 1) {
      result[i] = group;
    } else {
      group.joined = nullptr;
      SmallVector<Index> split = splitValue(group, dims.slice(i, iEnd - i));
      std::copy(split.begin(), split.end(), result.begin() + i);
    }
    i = iEnd;
    j = jEnd;
  }
  return result;
}

Index IndexBuilder::linearize(ArrayRef<Index> parts, ArrayRef<int64_t> dims) {
  assert(parts.size() == dims.size());
  Index result(0);
  size_t i = 0;
  while (i < parts.size()) {
    if (dims[i] == 1) {
      ++i;
      continue;
    }
    // A run that ends a split's dimensions is the whole modulo its extent.
    const auto &split = parts[i].split;
    size_t end = i;
    if (split) {
      unsigned position = parts[i].position;
      size_t k = i;
      while (position < split->dims.size()) {
        if (split->dims[position] == 1) {
          ++position;
          continue;
        }
        while (k < parts.size() && dims[k] == 1)
          ++k;
        if (k == parts.size() || parts[k].split != split ||
            parts[k].position != position || dims[k] != split->dims[position])
          break;
        ++position;
        ++k;
      }
      if (position == split->dims.size() && k > i + 1)
        end = k;
    }
    if (end > i) {
      int64_t extent = product(dims.slice(i, end - i));
      bool isWhole = true;
      for (unsigned p = 0; p < parts[i].position; ++p)
        isWhole &= split->dims[p] == 1;
      // All of a known index: it can be split again, and found again.
      bool isAll = isWhole && result.isConstant(0) &&
                   llvm::all_of(dims.drop_front(end),
                                [](int64_t dim) { return dim == 1; });
      if (isAll)
        return split->whole;
      Index run = isWhole ? split->whole : rem(split->whole, extent);
      result = add(mul(result, extent), run);
      i = end;
      continue;
    }
    result = add(mul(result, dims[i]), parts[i]);
    ++i;
  }
  if (!result.isConstant() && parts.size() > 1) {
    auto joined = std::make_shared<Index::Joined>();
    joined->parts.assign(parts.begin(), parts.end());
    joined->dims.assign(dims.begin(), dims.end());
    result.joined = joined;
    result.split = nullptr;
  }
  return result;
}

FailureOr<Index> IndexBuilder::apply(AffineExpr expr, ArrayRef<Index> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Index(constant.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  FailureOr<Index> lhs = apply(binary.getLHS(), dims),
                   rhs = apply(binary.getRHS(), dims);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return add(*lhs, *rhs);
  if (!rhs->isConstant())
    return failure();
  int64_t c = rhs->constant;
  if (expr.getKind() == AffineExprKind::Mul)
    return mul(*lhs, c);
  if (c <= 0)
    return failure();
  if (lhs->isConstant()) {
    int64_t a = lhs->constant;
    int64_t floor = a >= 0 ? a / c : -((-a + c - 1) / c);
    if (expr.getKind() == AffineExprKind::FloorDiv)
      return Index(floor);
    if (expr.getKind() == AffineExprKind::Mod)
      return Index(a - floor * c);
    return failure();
  }
  Value a = get(*lhs), b = get(Index(c));
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return Index(arith::FloorDivSIOp::create(builder, loc, a, b).getResult());
  if (expr.getKind() == AffineExprKind::Mod) {
    Value floor = arith::FloorDivSIOp::create(builder, loc, a, b);
    Value scaled = arith::MulIOp::create(builder, loc, floor, b);
    return Index(arith::SubIOp::create(builder, loc, a, scaled).getResult());
  }
  return failure();
}
