//===- HostFunction.cpp - The host function of a lowered program ----------===//
//
// See HostFunction.h.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::ks;

static constexpr int64_t alignment = 256;

MemRefType mlir::ks::memrefTypeOf(Type tensorType) {
  auto type = cast<RankedTensorType>(tensorType);
  Type element = type.getElementType();
  if (element.isInteger(1))
    element = IntegerType::get(type.getContext(), 8);
  return MemRefType::get(type.getShape(), element);
}

void mlir::ks::layOutWorkspace(Program &program) {
  // First fit, in the order of first use, among the buffers that are alive.
  SmallVector<ProgramBuffer *> order, alive;
  for (ProgramBuffer &buffer : program.buffers)
    if (buffer.place == ProgramBuffer::Place::Workspace && buffer.bytes > 0)
      order.push_back(&buffer);
  llvm::sort(order, [](const ProgramBuffer *a, const ProgramBuffer *b) {
    return std::make_pair(a->firstUse, a) < std::make_pair(b->firstUse, b);
  });
  program.workspaceBytes = statusBytes;
  for (ProgramBuffer *buffer : order) {
    llvm::erase_if(alive, [&](ProgramBuffer *other) {
      return other->lastUse < buffer->firstUse;
    });
    llvm::sort(alive, [](const ProgramBuffer *a, const ProgramBuffer *b) {
      return a->offset < b->offset;
    });
    int64_t offset = statusBytes;
    for (ProgramBuffer *other : alive) {
      if (other->offset - offset >= buffer->bytes)
        break;
      offset = std::max<int64_t>(
          offset, llvm::alignTo(other->offset + other->bytes, alignment));
    }
    buffer->offset = offset;
    alive.push_back(buffer);
    program.workspaceBytes = std::max(
        program.workspaceBytes,
        static_cast<int64_t>(llvm::alignTo(offset + buffer->bytes, alignment)));
  }
}

void mlir::ks::writeHostFunction(ModuleOp module, Location loc, StringRef name,
                                 StringRef binary, const Program &program) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto bytesType = [&](int64_t bytes) {
    return MemRefType::get({bytes}, b.getI8Type());
  };
  SmallVector<Type> types;
  for (Type type : program.inputs)
    types.push_back(memrefTypeOf(type));
  for (Type type : program.outputs)
    types.push_back(memrefTypeOf(type));
  types.push_back(bytesType(program.workspaceBytes));
  types.push_back(LLVM::LLVMPointerType::get(b.getContext()));

  auto function =
      func::FuncOp::create(b, loc, name, b.getFunctionType(types, {}));
  function->setAttr("ks.inputs", b.getI64IntegerAttr(program.inputs.size()));
  // A bool is an i8 of the host function; this tells it from other bytes.
  SmallVector<bool> bools;
  for (ArrayRef<Type> group :
       {ArrayRef<Type>(program.inputs), ArrayRef<Type>(program.outputs)})
    for (Type type : group)
      bools.push_back(
          cast<RankedTensorType>(type).getElementType().isInteger(1));
  if (llvm::is_contained(bools, true))
    function->setAttr("ks.bools", b.getDenseBoolArrayAttr(bools));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  unsigned outputsAt = program.inputs.size();
  Value workspace = body->getArgument(outputsAt + program.outputs.size());
  Value stream = body->getArguments().back();
  llvm::DenseMap<int64_t, Value> indices;
  auto index = [&](int64_t value) {
    Value &known = indices[value];
    if (!known) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(body);
      known = arith::ConstantIndexOp::create(b, loc, value);
    }
    return known;
  };
  SmallVector<Value> values(program.buffers.size());
  auto valueOf = [&](unsigned number) {
    const ProgramBuffer &buffer = program.buffers[number];
    if (buffer.place == ProgramBuffer::Place::Input)
      return Value(body->getArgument(buffer.index));
    if (buffer.place == ProgramBuffer::Place::Output)
      return Value(body->getArgument(outputsAt + buffer.index));
    Value &known = values[number];
    if (!known)
      known = memref::ViewOp::create(b, loc, bytesType(buffer.bytes), workspace,
                                     index(buffer.offset), ValueRange());
    return known;
  };
  for (const ProgramLaunch &launch : program.launches) {
    SmallVector<Value> operands;
    for (unsigned buffer : launch.buffers)
      operands.push_back(valueOf(buffer));
    Value one = index(1);
    auto symbol = SymbolRefAttr::get(
        b.getStringAttr(binary),
        {FlatSymbolRefAttr::get(b.getContext(), launch.kernel)});
    gpu::LaunchFuncOp::create(b, launch.loc, symbol,
                              gpu::KernelDim3{index(launch.grid), one, one},
                              gpu::KernelDim3{index(launch.block), one, one},
                              Value(), operands, stream);
  }
  func::ReturnOp::create(b, loc);
}
