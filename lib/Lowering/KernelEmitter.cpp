//===- KernelEmitter.cpp - GPU functions of one kernel function -----------===//
//
// See KernelEmitter.h.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::ks;

int64_t mlir::ks::elementBytes(Type type, Domain domain) {
  if (auto complexType = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complexType.getElementType(), domain);
  if (isa<FloatType>(type) && domain == Domain::Reference)
    return 8;
  return std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8);
}

int64_t mlir::ks::gridFor(int64_t items, const Knobs &knobs) {
  return std::max<int64_t>(
      1, llvm::divideCeil(items, knobs.blockSize * knobs.elementsPerThread));
}

KernelEmitter::KernelEmitter(func::FuncOp kernel, const Knobs &knobs,
                             Domain domain, CheckTable &checks,
                             gpu::GPUModuleOp gpuModule,
                             ArrayRef<ArgumentForm> arguments, StringRef prefix,
                             bool forceBounds)
    : kernel(kernel), knobs(knobs), domain(domain), checks(checks),
      gpuModule(gpuModule), arguments(arguments), prefix(prefix),
      forceBounds(forceBounds), b(kernel.getContext()) {}

KernelEmitter::Storage KernelEmitter::newTemporary(Type elementType,
                                                   int64_t elements) {
  Storage storage;
  storage.ref = {BufferRef::Kind::Temporary,
                 static_cast<unsigned>(lowered.temporaryBytes.size()), false};
  lowered.temporaryBytes.push_back(elements *
                                   elementBytes(elementType, domain));
  lowered.temporaryBoundBytes.push_back(elements * 8);
  return storage;
}

Value KernelEmitter::argument(BufferRef ref) {
  for (auto [i, known] : llvm::enumerate(currentArgs))
    if (known == ref)
      return current.getArgument(i);
  currentArgs.push_back(ref);
  currentWritten.push_back(false);
  return current.getBody().addArgument(
      LLVM::LLVMPointerType::get(b.getContext()), current.getLoc());
}

Buffer KernelEmitter::open(const Storage &storage, bool forWriting) {
  Buffer buffer;
  buffer.native = storage.native;
  auto one = [&](BufferRef ref) {
    Value pointer = argument(ref);
    if (forWriting)
      currentWritten[cast<BlockArgument>(pointer).getArgNumber()] = true;
    return pointer;
  };
  buffer.pointer = one(storage.ref);
  if (storage.hasBound) {
    BufferRef bound = storage.ref;
    bound.bound = true;
    buffer.bound = one(bound);
  }
  return buffer;
}

void KernelEmitter::store(Evaluator &evaluator, Storage &storage,
                          const Index &offset, const Scalar &scalar) {
  if (scalar.bound)
    storage.hasBound = true;
  evaluator.store(open(storage, /*forWriting=*/true), offset, scalar);
}

Scalar KernelEmitter::load(Evaluator &evaluator, Type type,
                           const Storage &storage, const Index &offset) {
  return evaluator.load(type, open(storage, /*forWriting=*/false), offset);
}

KernelEmitter::Storage KernelEmitter::storageFor(Value value) {
  Operation *terminator = kernel.getBody().front().getTerminator();
  for (auto [i, returned] : llvm::enumerate(terminator->getOperands())) {
    if (returned != value)
      continue;
    Storage storage;
    storage.ref = {BufferRef::Kind::Result, static_cast<unsigned>(i), false};
    storage.hasBound = forceBounds;
    return storage;
  }
  auto type = cast<RankedTensorType>(value.getType());
  return newTemporary(type.getElementType(), type.getNumElements());
}

LogicalResult KernelEmitter::emitLaunch(Location loc, int64_t items,
                                        Body body) {
  if (items == 0)
    return success();
  LoweredLaunch launch;
  launch.name = prefix + "_" + std::to_string(lowered.launches.size());
  launch.block = knobs.blockSize;
  launch.grid = gridFor(items, knobs);
  if (launch.grid > INT32_MAX)
    return emitError(loc, "needs more blocks than a launch can have");

  b.setInsertionPointToEnd(gpuModule.getBody());
  current =
      gpu::GPUFuncOp::create(b, loc, launch.name, b.getFunctionType({}, {}));
  current->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  current.setKnownBlockSize(
      ArrayRef<int32_t>{static_cast<int32_t>(launch.block), 1, 1});
  currentArgs.clear();
  currentWritten.clear();
  b.setInsertionPointToStart(&current.getBody().front());

  Evaluator evaluator(b, loc, domain, indexBits, knobs.unroll, checks,
                      gpuModule);
  evaluator.findBuffer = [&](Value tensor) -> std::optional<Buffer> {
    auto it = inMemory.find(tensor);
    if (it == inMemory.end())
      return std::nullopt;
    return open(it->second, /*forWriting=*/false);
  };
  evaluator.statusPointer = [&]() {
    Value pointer = argument({BufferRef::Kind::Status, 0, false});
    currentWritten[cast<BlockArgument>(pointer).getArgNumber()] = true;
    return pointer;
  };

  IndexBuilder &indices = evaluator.getIndices();
  Index blockId =
      indices.from(gpu::BlockIdOp::create(b, loc, gpu::Dimension::x));
  Index threadId =
      indices.from(gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x));
  Index first = indices.add(indices.mul(blockId, launch.block), threadId);
  int64_t threads = launch.grid * launch.block;
  auto guarded = [&](Index id, bool certain) -> LogicalResult {
    if (certain)
      return body(evaluator, id);
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                              indices.get(id), indices.get(Index(items)));
    auto ifOp = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    evaluator.pushScope();
    LogicalResult result = body(evaluator, id);
    evaluator.popScope();
    return result;
  };
  LogicalResult result = success();
  if (knobs.elementsPerThread == 1) {
    result = guarded(first, threads == items);
  } else {
    auto values = evaluator.loop(
        Index(0), Index(knobs.elementsPerThread), 1, {},
        [&](Index i, ValueRange) -> FailureOr<SmallVector<Value>> {
          Index id = indices.add(first, indices.mul(i, threads));
          if (failed(guarded(id, threads * knobs.elementsPerThread == items)))
            return failure();
          return SmallVector<Value>();
        });
    result = failed(values) ? failure() : success();
  }
  if (failed(result))
    return failure();
  gpu::ReturnOp::create(b, loc);

  SmallVector<Type> types(currentArgs.size(),
                          LLVM::LLVMPointerType::get(b.getContext()));
  current.setFunctionType(b.getFunctionType(types, {}));
  for (unsigned i = 0; i < currentArgs.size(); ++i) {
    current.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                       b.getUnitAttr());
    if (!currentWritten[i])
      current.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                         b.getUnitAttr());
  }
  launch.args = currentArgs;
  lowered.launches.push_back(std::move(launch));
  return success();
}

LogicalResult KernelEmitter::emitElements(const PlannedLaunch &launch) {
  Value first = launch.values.front();
  auto shape = cast<RankedTensorType>(first.getType()).getShape();
  SmallVector<Storage> storages;
  for (Value value : launch.values)
    storages.push_back(storageFor(value));
  LogicalResult result = emitLaunch(
      first.getLoc(), ShapedType::getNumElements(shape),
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        SmallVector<Index> at = evaluator.getIndices().delinearize(id, shape);
        for (auto [value, storage] : llvm::zip(launch.values, storages)) {
          FailureOr<Scalar> scalar = evaluator.element(value, at);
          if (failed(scalar))
            return failure();
          store(evaluator, storage, id, *scalar);
        }
        return success();
      });
  for (auto [value, storage] : llvm::zip(launch.values, storages))
    inMemory[value] = storage;
  return result;
}

LogicalResult KernelEmitter::emitSplit(const PlannedLaunch &launch) {
  auto op = cast<linalg::LinalgOp>(launch.values.front().getDefiningOp());
  auto type = cast<RankedTensorType>(launch.values.front().getType());
  int64_t terms = reductionSize(op), results = type.getNumElements();
  // About 64 terms a part or more, and no more parts than fill a large GPU.
  int64_t parts = std::clamp<int64_t>(terms / 64, 1, 4096);
  parts = std::max<int64_t>(
      1, std::min<int64_t>(parts, 262144 / std::max<int64_t>(1, results)));
  int64_t length = llvm::divideCeil(terms, parts);
  bool ordered;
  canSplit(op, ordered);
  auto fixed = resultLoops(op, 0);
  if (failed(fixed))
    return op.emitError(
        "an output map that is no permutation is not supported");
  auto loopsOf = [&](ArrayRef<Index> at) {
    SmallVector<std::optional<Index>> loops(op.getNumLoops());
    for (auto [loop, index] : llvm::zip(*fixed, at))
      if (loop)
        loops[*loop] = index;
    return loops;
  };
  SmallVector<Type> types;
  SmallVector<Storage> partial;
  for (Value value : launch.values) {
    types.push_back(cast<RankedTensorType>(value.getType()).getElementType());
    partial.push_back(newTemporary(types.back(), results * parts));
  }
  LogicalResult first = emitLaunch(
      op.getLoc(), results * parts,
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        Index part = indices.rem(id, parts), element = indices.div(id, parts);
        auto loops = loopsOf(indices.delinearize(element, type.getShape()));
        auto neutral = evaluator.neutralValues(op, loops);
        if (failed(neutral))
          return failure();
        // Neighbouring threads read neighbours, unless order matters.
        Index begin = ordered ? indices.mul(part, length) : part, end(terms);
        if (ordered) {
          Value last = indices.get(indices.add(begin, length));
          end = Index(
              arith::MinSIOp::create(b, op.getLoc(), last, indices.get(end))
                  .getResult());
        }
        auto values = evaluator.computePart(op, loops, begin, end,
                                            ordered ? 1 : parts, *neutral);
        if (failed(values))
          return failure();
        for (auto [storage, value] : llvm::zip(partial, *values))
          store(evaluator, storage, id, value);
        return success();
      });
  if (failed(first))
    return failure();
  SmallVector<Storage> storages;
  for (Value value : launch.values)
    storages.push_back(value.use_empty()
                           ? newTemporary(types[storages.size()], results)
                           : storageFor(value));
  LogicalResult second = emitLaunch(
      op.getLoc(), results,
      [&](Evaluator &evaluator, const Index &id) -> LogicalResult {
        IndexBuilder &indices = evaluator.getIndices();
        auto values = evaluator.combineParts(
            op, loopsOf(indices.delinearize(id, type.getShape())), parts,
            [&](Index part) {
              Index at = indices.add(indices.mul(id, parts), part);
              SmallVector<Scalar> loaded;
              for (auto [storage, elementType] : llvm::zip(partial, types))
                loaded.push_back(load(evaluator, elementType, storage, at));
              return loaded;
            });
        if (failed(values))
          return failure();
        for (auto [storage, value] : llvm::zip(storages, *values))
          store(evaluator, storage, id, value);
        return success();
      });
  for (auto [value, storage] : llvm::zip(launch.values, storages))
    inMemory[value] = storage;
  return second;
}

LogicalResult KernelEmitter::emitCopies() {
  Operation *terminator = kernel.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    auto it = inMemory.find(value);
    BufferRef wanted{BufferRef::Kind::Result, static_cast<unsigned>(i), false};
    if (it != inMemory.end() && it->second.ref == wanted)
      continue;
    // An argument, or a value that is returned twice.
    auto type = cast<RankedTensorType>(value.getType());
    Storage storage;
    storage.ref = wanted;
    storage.hasBound = forceBounds;
    LogicalResult result = emitLaunch(
        terminator->getLoc(), type.getNumElements(),
        [&, value = value](Evaluator &evaluator,
                           const Index &id) -> LogicalResult {
          auto at = evaluator.getIndices().delinearize(id, type.getShape());
          FailureOr<Scalar> scalar = evaluator.element(value, at);
          if (failed(scalar))
            return failure();
          store(evaluator, storage, id, *scalar);
          return success();
        });
    if (failed(result))
      return failure();
    lowered.resultHasBound[i] = storage.hasBound;
  }
  return success();
}

FailureOr<LoweredKernel> KernelEmitter::emit() {
  auto launches = planLaunches(kernel);
  if (failed(launches))
    return failure();

  // 32-bit indices if every count fits with room for the threads past the end.
  int64_t largest = 0;
  auto consider = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      largest = std::max(
          largest, tensor.getNumElements() *
                       (isa<ComplexType>(tensor.getElementType()) ? 2 : 1));
  };
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      consider(type);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      largest = std::max(largest, reductionSize(linalgOp));
  });
  for (Type type : kernel.getArgumentTypes())
    consider(type);
  bool fits = largest < (int64_t(1) << 30);
  if (knobs.indexBits == 32 && !fits)
    return kernel.emitError("index_bits = 32 is too narrow for a tensor of ")
           << largest << " elements";
  indexBits = knobs.indexBits ? knobs.indexBits : fits ? 32 : 64;

  for (auto [i, argument] : llvm::enumerate(kernel.getArguments())) {
    Storage storage;
    storage.ref = {BufferRef::Kind::Argument, static_cast<unsigned>(i), false};
    storage.native = arguments[i].native;
    storage.hasBound = arguments[i].hasBound;
    inMemory[argument] = storage;
  }
  for (const PlannedLaunch &launch : *launches) {
    Operation *op = launch.values.front().getDefiningOp();
    LogicalResult result = failure();
    switch (launch.kind) {
    case PlannedLaunch::Kind::Elements:
      result = emitElements(launch);
      break;
    case PlannedLaunch::Kind::Split:
      result = emitSplit(launch);
      break;
    case PlannedLaunch::Kind::Scan:
      result = emitScan(cast<tm_tensor::ScanOp>(op));
      break;
    case PlannedLaunch::Kind::Sort:
      result = emitSort(cast<tm_tensor::SortOp>(op));
      break;
    case PlannedLaunch::Kind::Scatter:
      result = emitScatter(cast<tm_tensor::ScatterOp>(op));
      break;
    }
    if (failed(result))
      return failure();
  }
  lowered.resultHasBound.assign(kernel.getNumResults(), false);
  for (auto &[value, storage] : inMemory)
    if (storage.ref.kind == BufferRef::Kind::Result)
      lowered.resultHasBound[storage.ref.index] = storage.hasBound;
  if (failed(emitCopies()))
    return failure();
  if (domain == Domain::Native)
    lowered.temporaryBoundBytes.assign(lowered.temporaryBytes.size(), 0);
  return std::move(lowered);
}
