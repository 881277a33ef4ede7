//===- HostFunction.cpp - The host function of a lowered program ----------===//
//
// See HostFunction.h.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace mlir::ks;

static constexpr int64_t alignment = 256;

int64_t mlir::ks::aligned(int64_t bytes) {
  return llvm::alignTo(bytes, alignment);
}

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
      offset = std::max(offset, aligned(other->offset + other->bytes));
    }
    buffer->offset = offset;
    alive.push_back(buffer);
    program.workspaceBytes =
        std::max(program.workspaceBytes, aligned(offset + buffer->bytes));
  }
}

namespace {

/// Writes the steps of a program into the body of its host function.
class HostWriter {
public:
  HostWriter(const Program &program, StringRef binary, func::FuncOp function)
      : program(program), binary(binary), body(&function.front()),
        loc(function.getLoc()), b(OpBuilder::atBlockEnd(body)),
        workspace(body->getArgument(program.inputs.size() +
                                    program.outputs.size())) {}
  void write() { write(program.steps); }

private:
  void write(ArrayRef<ProgramStep> steps);
  void writeLaunch(const ProgramLaunch &launch);
  void writeCopy(const ProgramCopy &copy);
  Value index(int64_t value);
  /// `offset` + t * `stride` + (t odd ? `flip` : 0), in the loop being written.
  Value movingIndex(int64_t offset, int64_t stride, int64_t flip);
  /// The bytes of `place`, or all of it as a tensor of type `type`.
  Value view(const ProgramPlace &place, Type type = nullptr);
  Value makeArgumentView(const ProgramPlace &place, Value argument);

  const Program &program;
  StringRef binary;
  Block *body;
  Location loc;
  OpBuilder b;
  Value workspace;
  scf::ForOp loop; ///< Being written, or null.
  llvm::DenseMap<int64_t, Value> indices;
  using Key = std::tuple<unsigned, int64_t, int64_t, int64_t, const void *>;
  /// The views so far, and those that move in the loop.
  std::map<Key, Value> views, moving;
  Value parity;
};

} // namespace

Value HostWriter::index(int64_t value) {
  Value &known = indices[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    known = arith::ConstantIndexOp::create(b, loc, value);
  }
  return known;
}

Value HostWriter::movingIndex(int64_t offset, int64_t stride, int64_t flip) {
  if (!stride && !flip)
    return index(offset);
  Value sum = offset ? index(offset) : Value();
  auto add = [&](Value times, int64_t step) {
    Value part = arith::MulIOp::create(b, loc, times, index(step));
    sum = sum ? arith::AddIOp::create(b, loc, sum, part) : part;
  };
  if (stride)
    add(loop.getInductionVar(), stride);
  if (flip) {
    if (!parity)
      parity = arith::RemUIOp::create(b, loc, loop.getInductionVar(), index(2));
    add(parity, flip);
  }
  return sum;
}

/// A part of an input or output: elements in a row.
Value HostWriter::makeArgumentView(const ProgramPlace &place, Value argument) {
  auto whole = cast<MemRefType>(argument.getType());
  int64_t width = elementBytes(whole.getElementType(), Domain::Native);
  int64_t count = place.bytes / width;
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, 1);
  Value offset = movingIndex(place.offset / width, place.stride / width,
                             place.flip / width);
  return memref::ReinterpretCastOp::create(
      b, loc, MemRefType::get(count, whole.getElementType(), layout), argument,
      OpFoldResult(offset), OpFoldResult(b.getIndexAttr(count)),
      OpFoldResult(b.getIndexAttr(1)));
}

Value HostWriter::view(const ProgramPlace &place, Type type) {
  const ProgramBuffer &buffer = program.buffers[place.buffer];
  bool inWorkspace = buffer.place == ProgramBuffer::Place::Workspace;
  Value argument = workspace;
  if (!inWorkspace) {
    bool input = buffer.place == ProgramBuffer::Place::Input;
    argument =
        body->getArgument(buffer.index + (input ? 0 : program.inputs.size()));
    if (place.offset == 0 && !place.moves())
      return argument;
  }
  auto &known = place.moves() ? moving : views;
  Value &view = known[Key(place.buffer, place.offset, place.stride, place.flip,
                          type.getAsOpaquePointer())];
  if (view)
    return view;
  OpBuilder::InsertionGuard guard(b);
  if (loop && !place.moves())
    b.setInsertionPoint(loop);
  if (!inWorkspace)
    return view = makeArgumentView(place, argument);
  auto viewType =
      type ? memrefTypeOf(type) : MemRefType::get({place.bytes}, b.getI8Type());
  Value at =
      movingIndex(buffer.offset + place.offset, place.stride, place.flip);
  return view = memref::ViewOp::create(b, loc, viewType, workspace, at,
                                       ValueRange());
}

void HostWriter::writeLaunch(const ProgramLaunch &launch) {
  SmallVector<Value> operands;
  for (const ProgramPlace &place : launch.args)
    operands.push_back(view(place));
  Value one = index(1);
  auto symbol = SymbolRefAttr::get(
      b.getStringAttr(binary),
      {FlatSymbolRefAttr::get(b.getContext(), launch.kernel)});
  gpu::LaunchFuncOp::create(b, launch.loc, symbol,
                            gpu::KernelDim3{index(launch.grid), one, one},
                            gpu::KernelDim3{index(launch.block), one, one},
                            Value(), operands, body->getArguments().back());
}

void HostWriter::writeCopy(const ProgramCopy &copy) {
  MemRefType type = memrefTypeOf(copy.type);
  auto shaped = [&](const ProgramPlace &place) -> Value {
    Value memory = view(place, copy.type);
    if (memory.getType() == type)
      return memory;
    // An input or output that the tensor has another shape in.
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)type.getStridesAndOffset(strides, offset);
    return memref::ReinterpretCastOp::create(b, copy.loc, type, memory, 0,
                                             type.getShape(), strides);
  };
  Value to = shaped(copy.to), from = shaped(copy.from);
  gpu::MemcpyOp::create(b, copy.loc, /*asyncToken=*/Type(), ValueRange(), to,
                        from);
}

void HostWriter::write(ArrayRef<ProgramStep> steps) {
  for (size_t i = 0; i < steps.size(); ++i) {
    const ProgramStep &step = steps[i];
    switch (step.kind) {
    case ProgramStep::Kind::Launch:
      writeLaunch(program.launches[step.index]);
      break;
    case ProgramStep::Kind::Copy:
      writeCopy(program.copies[step.index]);
      break;
    case ProgramStep::Kind::Loop: {
      loop = scf::ForOp::create(b, loc, index(0), index(step.count), index(1));
      b.setInsertionPointToStart(loop.getBody());
      write(steps.slice(i + 1, step.length));
      b.setInsertionPointAfter(loop);
      loop = nullptr;
      parity = nullptr;
      moving.clear();
      i += step.length;
      break;
    }
    }
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
  for (NamedAttribute attribute : program.attributes)
    function->setAttr(attribute.getName(), attribute.getValue());
  for (auto [i, attributes] : llvm::enumerate(program.inputAttributes))
    function.setArgAttrs(i, attributes);
  b.setInsertionPointToEnd(function.addEntryBlock());
  HostWriter(program, binary, function).write();
  func::ReturnOp::create(b, loc);
}
