//===- EvaluatorMemory.cpp - Loads, stores, constants, control flow -------===//
//
// Buffers are row-major; a bool is a byte, a complex number two floats. A
// buffer of the reference domain holds float64 values beside float64 bounds.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::ks;

static Value addressOf(OpBuilder &b, Location loc, Value pointer, Type type,
                       Value offset) {
  return LLVM::GEPOp::create(b, loc, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

Scalar Evaluator::load(Type declared, const Buffer &buffer,
                       const Index &offset) {
  bool native = buffer.native || scalars.getDomain() == Domain::Native;
  Type type = native ? declared : scalars.computeType(declared);
  auto loadAt = [&](Type elementType, const Index &at) -> Value {
    Value address =
        addressOf(b, loc, buffer.pointer, elementType, indices.get(at));
    return LLVM::LoadOp::create(b, loc, elementType, address);
  };
  Value value;
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Index at = indices.mul(offset, 2);
    Value re = loadAt(complexType.getElementType(), at);
    Value im = loadAt(complexType.getElementType(), indices.add(at, 1));
    if (native && scalars.getDomain() == Domain::Reference) {
      re = arith::ExtFOp::create(b, loc, b.getF64Type(), re);
      im = arith::ExtFOp::create(b, loc, b.getF64Type(), im);
      complexType = ComplexType::get(b.getF64Type());
    }
    value = complex::CreateOp::create(b, loc, complexType, re, im);
  } else if (type.isInteger(1)) {
    Value byte = loadAt(b.getI8Type(), offset);
    Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
    value = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte, zero);
  } else {
    value = loadAt(type, offset);
    if (native && isa<FloatType>(type) && scalars.computeType(type) != type)
      value = arith::ExtFOp::create(b, loc, scalars.computeType(type), value);
  }
  Value bound;
  if (buffer.bound) {
    Value address =
        addressOf(b, loc, buffer.bound, b.getF64Type(), indices.get(offset));
    bound = LLVM::LoadOp::create(b, loc, b.getF64Type(), address);
  }
  return {value, bound};
}

void Evaluator::store(const Buffer &buffer, const Index &offset,
                      const Scalar &scalar) {
  Value value = scalar.value;
  auto storeAt = [&](Value part, const Index &at) {
    Value address =
        addressOf(b, loc, buffer.pointer, part.getType(), indices.get(at));
    LLVM::StoreOp::create(b, loc, part, address);
  };
  if (isa<ComplexType>(value.getType())) {
    Index at = indices.mul(offset, 2);
    storeAt(complex::ReOp::create(b, loc, value), at);
    storeAt(complex::ImOp::create(b, loc, value), indices.add(at, 1));
  } else if (value.getType().isInteger(1)) {
    storeAt(arith::ExtUIOp::create(b, loc, b.getI8Type(), value), offset);
  } else {
    storeAt(value, offset);
  }
  if (buffer.bound) {
    Value address =
        addressOf(b, loc, buffer.bound, b.getF64Type(), indices.get(offset));
    LLVM::StoreOp::create(b, loc, scalars.boundOrZero(loc, scalar), address);
  }
}

FailureOr<Scalar> Evaluator::constantElement(arith::ConstantOp op,
                                             ArrayRef<Index> at) {
  auto elements = cast<ElementsAttr>(op.getValue());
  auto type = cast<RankedTensorType>(op.getType());
  Type elementType = type.getElementType();
  if (type.getNumElements() == 0)
    return scalars.zero(loc, elementType);

  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return op.emitError("the constant's data are not in the file");
    bool isSplat = false;
    ArrayRef<char> data = blob->getData();
    // A bool is a byte in a blob and a bit in dense raw data.
    if (elementType.isInteger(1) &&
        static_cast<int64_t>(data.size()) == type.getNumElements()) {
      SmallVector<bool> bits(
          llvm::map_range(data, [](char c) { return c != 0; }));
      dense = DenseElementsAttr::get(type, bits);
    } else if (!DenseElementsAttr::isValidRawBuffer(type, data, isSplat)) {
      return op.emitError("the constant's data do not fit its type");
    } else {
      dense = DenseElementsAttr::getFromRawBuffer(type, data);
    }
  }
  if (!dense)
    return op.emitError("a constant of this form is not supported");
  if (dense.isSplat())
    return scalars.constant(loc, elementType, dense.getSplatValue<Attribute>());

  // A global of the module holds the constant, once for each attribute.
  Type memoryType = elementType;
  int64_t length = type.getNumElements();
  if (auto complexType = dyn_cast<ComplexType>(elementType)) {
    memoryType = complexType.getElementType();
    length *= 2;
  }
  auto flatType = RankedTensorType::get({length}, memoryType);
  // A complex number lies in memory as its two parts.
  dense =
      memoryType == elementType
          ? dense.reshape(flatType)
          : DenseElementsAttr::getFromRawBuffer(flatType, dense.getRawData());
  if (elementType.isInteger(1)) {
    memoryType = b.getI8Type();
    SmallVector<int8_t> bytes;
    for (bool bit : dense.getValues<bool>())
      bytes.push_back(bit);
    dense = DenseElementsAttr::get(
        RankedTensorType::get(flatType.getShape(), memoryType),
        ArrayRef<int8_t>(bytes));
  }
  LLVM::GlobalOp global;
  for (auto candidate : gpuModule.getOps<LLVM::GlobalOp>())
    if (candidate.getValueOrNull() == dense)
      global = candidate;
  constexpr unsigned globalSpace = 1;
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(gpuModule.getBody());
    unsigned number = llvm::range_size(gpuModule.getOps<LLVM::GlobalOp>());
    auto arrayType = LLVM::LLVMArrayType::get(memoryType, length);
    global = LLVM::GlobalOp::create(b, loc, arrayType, /*isConstant=*/true,
                                    LLVM::Linkage::Internal,
                                    "constant_" + std::to_string(number), dense,
                                    /*alignment=*/16, globalSpace);
  }
  Value address = LLVM::AddressOfOp::create(b, loc, global);
  Value generic = LLVM::AddrSpaceCastOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), address);
  Buffer buffer;
  buffer.pointer = generic;
  buffer.native = true;
  return load(elementType, buffer, indices.linearize(at, type.getShape()));
}

FailureOr<SmallVector<Scalar>> Evaluator::branch(Value condition, Branch then,
                                                 Branch otherwise) {
  // Fill both regions first: only then is it known which bounds exist.
  auto draft = scf::IfOp::create(b, loc, TypeRange(), condition,
                                 /*withElseRegion=*/true);
  SmallVector<Scalar> sides[2];
  {
    OpBuilder::InsertionGuard guard(b);
    for (int side = 0; side < 2; ++side) {
      Block *block = side == 0 ? draft.thenBlock() : draft.elseBlock();
      if (Operation *terminator = block->empty() ? nullptr : &block->back();
          terminator && terminator->hasTrait<OpTrait::IsTerminator>())
        terminator->erase();
      b.setInsertionPointToEnd(block);
      pushScope();
      auto values = side == 0 ? then() : otherwise();
      popScope();
      if (failed(values))
        return failure();
      sides[side] = std::move(*values);
    }
    for (int side = 0; side < 2; ++side) {
      b.setInsertionPointToEnd(side == 0 ? draft.thenBlock()
                                         : draft.elseBlock());
      SmallVector<Value> yielded;
      for (auto [i, scalar] : llvm::enumerate(sides[side])) {
        yielded.push_back(scalar.value);
        if (scalar.bound || sides[1 - side][i].bound)
          yielded.push_back(scalars.boundOrZero(loc, scalar));
      }
      scf::YieldOp::create(b, loc, yielded);
    }
  }
  SmallVector<Type> types(draft.thenYield().getOperandTypes());
  auto ifOp =
      scf::IfOp::create(b, loc, types, condition, /*withElseRegion=*/true);
  ifOp.getThenRegion().takeBody(draft.getThenRegion());
  ifOp.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  SmallVector<Scalar> results;
  unsigned next = 0;
  for (auto [i, scalar] : llvm::enumerate(sides[0])) {
    Scalar result{ifOp.getResult(next++), {}};
    if (scalar.bound || sides[1][i].bound)
      result.bound = ifOp.getResult(next++);
    results.push_back(result);
  }
  return results;
}

FailureOr<SmallVector<Value>> Evaluator::loop(const Index &begin,
                                              const Index &end, int64_t step,
                                              ValueRange init, LoopBody body) {
  if (begin.isConstant() && end.isConstant() &&
      end.constant <= begin.constant + step) {
    if (end.constant <= begin.constant)
      return SmallVector<Value>(init);
    return body(begin, init);
  }
  auto forOp = scf::ForOp::create(b, loc, indices.get(begin), indices.get(end),
                                  indices.get(Index(step)), init);
  OpBuilder::InsertionGuard guard(b);
  Block *block = forOp.getBody();
  if (!block->empty())
    block->back().erase();
  b.setInsertionPointToEnd(block);
  pushScope();
  auto values = body(Index(forOp.getInductionVar()), forOp.getRegionIterArgs());
  popScope();
  if (failed(values))
    return failure();
  scf::YieldOp::create(b, loc, *values);
  return SmallVector<Value>(forOp.getResults());
}
