//===- Evaluator.cpp - Elements of tensors that need no loop --------------===//
//
// See Evaluator.h; reductions are in Reduction.cpp, memory in
// EvaluatorMemory.cpp.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ks;

int64_t CheckTable::number(StringRef message, Location loc) {
  std::string text = message.str();
  std::string where;
  llvm::raw_string_ostream stream(where);
  if (auto line = loc->findInstanceOf<FileLineColLoc>())
    stream << " at " << line.getFilename().getValue() << ":" << line.getLine();
  text += where;
  auto it = llvm::find(list, text);
  if (it == list.end()) {
    list.push_back(text);
    return static_cast<int64_t>(list.size());
  }
  return it - list.begin() + 1;
}

Evaluator::Evaluator(OpBuilder &builder, Location loc, Domain domain,
                     unsigned indexBits, int64_t unroll, CheckTable &checks,
                     gpu::GPUModuleOp gpuModule)
    : b(builder), loc(loc), scalars(builder, domain),
      indices(builder, loc, indexBits), unroll(unroll), checks(checks),
      gpuModule(gpuModule) {
  memo.emplace_back();
}

FailureOr<Scalar> Evaluator::element(Value tensor, ArrayRef<Index> at) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type) {
    // A scalar operand of a linalg op.
    llvm::DenseMap<Value, Scalar> known;
    return regionValue(tensor, known, {});
  }
  Operation *op = tensor.getDefiningOp();
  MemoKey key{tensor.getAsOpaquePointer(), {}};
  for (const Index &index : at)
    key.second.push_back(index.key());
  for (auto &scope : memo)
    if (auto it = scope.find(key); it != scope.end())
      return it->second.front();

  FailureOr<Scalar> result = failure();
  if (std::optional<Buffer> buffer = findBuffer(tensor)) {
    result = load(type.getElementType(), *buffer,
                  indices.linearize(at, type.getShape()));
  } else if (!op) {
    return emitError(tensor.getLoc(), "a block argument that is not in memory");
  } else {
    result = compute(tensor, op, at);
  }
  if (succeeded(result))
    memo.back()[key] = {*result};
  return result;
}

FailureOr<Scalar> Evaluator::compute(Value tensor, Operation *op,
                                     ArrayRef<Index> at) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return constantElement(constant, at);
  if (isa<tensor::EmptyOp>(op))
    return scalars.zero(loc, type.getElementType());
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return element(cast.getSource(), at);
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(op))
    return element(reshape.getSrc(),
                   indices.delinearize(indices.linearize(at, type.getShape()),
                                       reshape.getSrcType().getShape()));
  if (auto reshape = dyn_cast<tensor::CollapseShapeOp>(op))
    return element(reshape.getSrc(),
                   indices.delinearize(indices.linearize(at, type.getShape()),
                                       reshape.getSrcType().getShape()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice.getOffsets().empty() || !slice.getSizes().empty() ||
        !slice.getStrides().empty())
      return op->emitError(
          "dynamic offsets, sizes or strides are not supported");
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<Index> source;
    unsigned next = 0;
    for (unsigned d = 0; d < dropped.size(); ++d) {
      Index index = dropped[d] ? Index(0) : at[next++];
      bool whole =
          slice.getStaticOffsets()[d] == 0 && slice.getStaticStrides()[d] == 1;
      source.push_back(
          whole ? index
                : indices.add(indices.mul(index, slice.getStaticStrides()[d]),
                              slice.getStaticOffsets()[d]));
    }
    return element(slice.getSource(), source);
  }
  if (auto padOp = dyn_cast<tensor::PadOp>(op))
    return pad(padOp, at);
  if (auto concatOp = dyn_cast<tensor::ConcatOp>(op))
    return concat(concatOp, at);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insertSlice(insert, at);
  if (auto generateOp = dyn_cast<tensor::GenerateOp>(op))
    return generate(generateOp, at);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return element(splat.getInput(), {});
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op);
      elements && elements.getElements().size() == 1)
    return element(elements.getElements().front(), {});
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    unsigned result = cast<OpResult>(tensor).getResultNumber();
    auto fixed = resultLoops(linalgOp, result);
    if (failed(fixed))
      return op->emitError(
          "an output map that is no permutation is not supported");
    SmallVector<std::optional<Index>> loops(linalgOp.getNumLoops());
    for (auto [dim, loopIndex] : llvm::zip(*fixed, at))
      if (dim)
        loops[*dim] = loopIndex;
    auto results = compute(linalgOp, std::move(loops));
    if (failed(results))
      return failure();
    return (*results)[result];
  }
  return op->emitError("is not supported inside a kernel");
}

FailureOr<Scalar> Evaluator::pad(tensor::PadOp op, ArrayRef<Index> at) {
  if (!op.getLow().empty() || !op.getHigh().empty())
    return op.emitError("dynamic padding is not supported");
  ArrayRef<int64_t> sizes = op.getSourceType().getShape();
  Value inside;
  SmallVector<Index> source;
  auto require = [&](arith::CmpIPredicate predicate, const Index &lhs,
                     int64_t rhs) {
    Value holds = arith::CmpIOp::create(b, loc, predicate, indices.get(lhs),
                                        indices.get(Index(rhs)));
    inside = inside ? arith::AndIOp::create(b, loc, inside, holds).getResult()
                    : holds;
  };
  for (auto [d, index] : llvm::enumerate(at)) {
    int64_t low = op.getStaticLow()[d];
    if (low > 0)
      require(arith::CmpIPredicate::sge, index, low);
    if (op.getStaticHigh()[d] > 0)
      require(arith::CmpIPredicate::slt, index, low + sizes[d]);
    source.push_back(low == 0 ? index : indices.add(index, -low));
  }
  if (!inside)
    return element(op.getSource(), source);
  auto results = branch(
      inside,
      [&]() -> FailureOr<SmallVector<Scalar>> {
        auto value = element(op.getSource(), source);
        if (failed(value))
          return failure();
        return SmallVector<Scalar>{*value};
      },
      [&]() -> FailureOr<SmallVector<Scalar>> {
        llvm::DenseMap<Value, Scalar> known;
        Block &body = op.getRegion().front();
        for (auto [argument, index] : llvm::zip(body.getArguments(), at))
          known[argument] = {indices.getAsIndex(index), {}};
        auto value =
            regionValue(body.getTerminator()->getOperand(0), known, {});
        if (failed(value))
          return failure();
        return SmallVector<Scalar>{*value};
      });
  if (failed(results))
    return failure();
  return results->front();
}

FailureOr<Scalar> Evaluator::concat(tensor::ConcatOp op, ArrayRef<Index> at) {
  // Halve the list of inputs until one is left.
  unsigned dim = op.getDim();
  SmallVector<int64_t> starts{0};
  for (Value input : op.getInputs())
    starts.push_back(starts.back() +
                     cast<RankedTensorType>(input.getType()).getDimSize(dim));
  std::function<FailureOr<Scalar>(unsigned, unsigned)> pick =
      [&](unsigned begin, unsigned end) -> FailureOr<Scalar> {
    if (end - begin == 1) {
      SmallVector<Index> source(at);
      if (starts[begin] != 0)
        source[dim] = indices.add(at[dim], -starts[begin]);
      return element(op.getInputs()[begin], source);
    }
    unsigned middle = (begin + end) / 2;
    Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         indices.get(at[dim]),
                                         indices.get(Index(starts[middle])));
    auto side = [&](unsigned from,
                    unsigned to) -> FailureOr<SmallVector<Scalar>> {
      auto value = pick(from, to);
      if (failed(value))
        return failure();
      return SmallVector<Scalar>{*value};
    };
    auto results = branch(
        before, [&] { return side(begin, middle); },
        [&] { return side(middle, end); });
    if (failed(results))
      return failure();
    return results->front();
  };
  return pick(0, op.getInputs().size());
}

FailureOr<Scalar> Evaluator::insertSlice(tensor::InsertSliceOp op,
                                         ArrayRef<Index> at) {
  if (!op.getOffsets().empty() || !op.getSizes().empty() ||
      !op.getStrides().empty())
    return op.emitError("dynamic offsets, sizes or strides are not supported");
  ArrayRef<int64_t> dest = op.getDestType().getShape();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Value inside;
  auto require = [&](Value holds) {
    inside = inside ? arith::AndIOp::create(b, loc, inside, holds).getResult()
                    : holds;
  };
  auto compare = [&](arith::CmpIPredicate predicate, const Index &lhs,
                     int64_t rhs) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, indices.get(lhs),
                                 indices.get(Index(rhs)));
  };
  SmallVector<Index> source;
  for (unsigned d = 0; d < dest.size(); ++d) {
    int64_t offset = op.getStaticOffsets()[d], size = op.getStaticSizes()[d];
    int64_t stride = op.getStaticStrides()[d];
    if (offset > 0)
      require(compare(arith::CmpIPredicate::sge, at[d], offset));
    int64_t last = offset + (size - 1) * stride;
    if (last + 1 < dest[d])
      require(compare(arith::CmpIPredicate::sle, at[d], last));
    Index shifted = offset == 0 ? at[d] : indices.add(at[d], -offset);
    if (stride != 1) {
      require(
          compare(arith::CmpIPredicate::eq, indices.rem(shifted, stride), 0));
      shifted = indices.div(shifted, stride);
    }
    if (!dropped[d])
      source.push_back(shifted);
  }
  if (!inside)
    return element(op.getSource(), source);
  auto one = [&](Value tensor,
                 ArrayRef<Index> where) -> FailureOr<SmallVector<Scalar>> {
    auto value = element(tensor, where);
    if (failed(value))
      return failure();
    return SmallVector<Scalar>{*value};
  };
  auto results = branch(
      inside, [&] { return one(op.getSource(), source); },
      [&] { return one(op.getDest(), at); });
  if (failed(results))
    return failure();
  return results->front();
}

FailureOr<Scalar> Evaluator::generate(tensor::GenerateOp op,
                                      ArrayRef<Index> at) {
  llvm::DenseMap<Value, Scalar> known;
  Block &body = op.getBody().front();
  for (auto [argument, index] : llvm::zip(body.getArguments(), at))
    known[argument] = {indices.getAsIndex(index), {}};
  return regionValue(body.getTerminator()->getOperand(0), known, {});
}

FailureOr<Scalar> Evaluator::regionValue(Value value,
                                         llvm::DenseMap<Value, Scalar> &known,
                                         ArrayRef<Index> loops) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  FailureOr<Scalar> result = failure();
  Operation *op = value.getDefiningOp();
  if (!op) {
    // An operand of a linalg op, read when the body first needs it.
    auto argument = cast<BlockArgument>(value);
    auto linalgOp =
        dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    if (!linalgOp)
      return emitError(value.getLoc(),
                       "a block argument that is not known here");
    OpOperand *operand = linalgOp.getMatchingOpOperand(argument);
    AffineMap map = linalgOp.getMatchingIndexingMap(operand);
    SmallVector<Index> at;
    for (AffineExpr expr : map.getResults()) {
      FailureOr<Index> index = indices.apply(expr, loops);
      if (failed(index))
        return linalgOp.emitError("an indexing map that is not supported");
      at.push_back(*index);
    }
    result = element(operand->get(), at);
  } else if (auto indexOp = dyn_cast<linalg::IndexOp>(op)) {
    result = Scalar{indices.getAsIndex(loops[indexOp.getDim()]), {}};
  } else if (auto extractOp = dyn_cast<tensor::ExtractOp>(op)) {
    result = extract(extractOp, known, loops);
  } else {
    SmallVector<Scalar> operands;
    for (Value operand : op->getOperands()) {
      auto scalar = regionValue(operand, known, loops);
      if (failed(scalar))
        return failure();
      operands.push_back(*scalar);
    }
    auto results = scalars.emit(op, operands);
    if (failed(results))
      return failure();
    for (auto [opResult, scalar] : llvm::zip(op->getResults(), *results))
      known[opResult] = scalar;
    return known[value];
  }
  if (succeeded(result))
    known[value] = *result;
  return result;
}

FailureOr<Scalar> Evaluator::extract(tensor::ExtractOp op,
                                     llvm::DenseMap<Value, Scalar> &known,
                                     ArrayRef<Index> loops) {
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  if (type.getNumElements() == 0)
    return scalars.zero(loc, type.getElementType());
  auto clamp = [&](const Index &index, int64_t last) {
    if (index.isConstant())
      return Index(std::min(std::max<int64_t>(index.constant, 0), last));
    Value low = arith::MaxSIOp::create(b, loc, indices.get(index),
                                       indices.get(Index(0)));
    return Index(arith::MinSIOp::create(b, loc, low, indices.get(Index(last)))
                     .getResult());
  };
  SmallVector<Index> at;
  SmallVector<std::pair<unsigned, Value>> uncertain;
  for (auto [d, operand] : llvm::enumerate(op.getIndices())) {
    auto scalar = regionValue(operand, known, loops);
    if (failed(scalar))
      return failure();
    if (scalar->bound)
      uncertain.push_back({d, scalar->bound});
    // An index from outside stays inside the tensor, whatever it is; that is
    // decided before it becomes as narrow as indices are.
    int64_t last = type.getDimSize(d) - 1;
    bool provable = false;
    if (auto loopOp = operand.getDefiningOp<linalg::IndexOp>()) {
      auto parent = cast<linalg::LinalgOp>(loopOp->getParentOp());
      provable = parent.getStaticLoopRanges()[loopOp.getDim()] <= last + 1;
    }
    Value raw = scalar->value;
    bool isConstant = raw.getDefiningOp<arith::ConstantOp>() != nullptr;
    if (!provable && !isConstant) {
      Value least = arith::ConstantIndexOp::create(b, loc, 0);
      Value most = arith::ConstantIndexOp::create(b, loc, last);
      raw = arith::MaxSIOp::create(b, loc, raw, least);
      raw = arith::MinSIOp::create(b, loc, raw, most);
    }
    Index index = indices.from(raw);
    at.push_back(isConstant ? clamp(index, last) : index);
  }
  auto result = element(op.getTensor(), at);
  if (failed(result))
    return failure();
  // An index that may be off by one bounds the element by its neighbours'
  // distances; one that may be off by more tells nothing.
  for (auto [d, doubt] : uncertain) {
    Value isSure = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                         doubt, scalars.f64(loc, 0));
    Value isNear = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE,
                                         doubt, scalars.f64(loc, 1));
    Value widest = scalars.boundOrZero(loc, *result);
    for (int64_t side : {-1, 1}) {
      SmallVector<Index> beside(at);
      beside[d] = clamp(indices.add(at[d], side), type.getDimSize(d) - 1);
      auto other = element(op.getTensor(), beside);
      if (failed(other))
        return failure();
      widest = arith::MaximumFOp::create(
          b, loc, widest, scalars.distance(loc, *result, *other));
    }
    Value bound = arith::SelectOp::create(b, loc, isNear, widest,
                                          scalars.f64(loc, INFINITY));
    result->bound = arith::SelectOp::create(
        b, loc, isSure, scalars.boundOrZero(loc, *result), bound);
  }
  return result;
}

LogicalResult Evaluator::check(cf::AssertOp op,
                               llvm::DenseMap<Value, Scalar> &known,
                               ArrayRef<Index> loops) {
  auto condition = regionValue(op.getArg(), known, loops);
  if (failed(condition))
    return failure();
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  Value fails = arith::XOrIOp::create(b, loc, condition->value, yes);
  if (condition->bound) {
    Value settled =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                              condition->bound, scalars.f64(loc, 0));
    fails = arith::AndIOp::create(b, loc, fails, settled);
  }
  Value pointer = statusPointer();
  auto ifOp = scf::IfOp::create(b, loc, fails, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  Value number = arith::ConstantOp::create(
      b, loc, b.getI64IntegerAttr(checks.number(op.getMsg(), op.getLoc())));
  LLVM::StoreOp::create(b, loc, number, pointer);
  return success();
}
