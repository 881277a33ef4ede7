//===- RunOutputs.cpp - A run's outputs, compared and printed -------------===//
//
// Buffers may be gigabytes, so the comparison goes through them in pieces.
//
//===----------------------------------------------------------------------===//
#include "RunOutputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace mlir::ks;

Tensor *mlir::ks::findTensor(NamedTensors &tensors, const std::string &name) {
  for (auto &[other, tensor] : tensors)
    if (other == name)
      return &tensor;
  return nullptr;
}

/// Elements [first, first + count) of `tensor`.
static Tensor slice(const Tensor &tensor, int64_t first, int64_t count) {
  size_t width = byteWidth(tensor.dtype);
  auto begin = tensor.bytes.begin() + first * width;
  return {tensor.dtype, {count}, {begin, begin + count * width}};
}

/// An expected array may be wider than the output that it is for.
static bool fits(DType expected, DType output) {
  if (expected == output)
    return true;
  return isFloat(expected) && isFloat(output) &&
         byteWidth(expected) > byteWidth(output);
}

/// Matches outK of the file with output K. Outputs that the file does not hold
/// (a batch norm's running statistics, say) are not compared, but one must be.
Status RunOutputs::findExpected(std::vector<const Tensor *> &wanted) {
  size_t outputs = numResults(plan);
  wanted.assign(outputs, nullptr);
  if (expectedFile.empty())
    return {};
  size_t matched = 0;
  for (size_t i = 0; i < outputs; ++i) {
    std::string name = "out" + std::to_string(i);
    const Tensor *tensor = findTensor(expected, name);
    if (!tensor)
      continue;
    const BufferDesc &output = desc(i);
    if (!fits(tensor->dtype, output.dtype) || tensor->shape != output.shape)
      return Error{expectedFile + ": '" + name + "' is " +
                   describe(tensor->dtype, tensor->shape) + ", and output " +
                   std::to_string(i) + " is " +
                   describe(output.dtype, output.shape)};
    wanted[i] = tensor;
    ++matched;
  }
  for (const auto &[name, tensor] : expected) {
    StringRef rest = name;
    size_t index;
    if (rest.consume_front("out") && !rest.getAsInteger(10, index) &&
        index >= outputs)
      return Error{expectedFile + ": has '" + name +
                   "', but the function has " + std::to_string(outputs) +
                   " outputs"};
  }
  if (matched == 0)
    return Error{expectedFile + ": no array 'out0' to " + std::string("'out") +
                 std::to_string(outputs - 1) + "'"};
  return {};
}

/// What torch.testing.assert_close allows by default for this dtype:
/// absolute + relative * |expected|.
static std::pair<double, double> tolerancesOf(DType type) {
  switch (type) {
  case DType::F64:
    return {1e-7, 1e-7};
  case DType::F32:
  case DType::C64:
    return {1e-5, 1.3e-6};
  case DType::F16:
    return {1e-5, 1e-3};
  case DType::BF16:
    return {1e-5, 1.6e-2};
  default:
    return {0, 0};
  }
}

/// Those tolerances as error bounds of the elements of an output.
static Tensor boundOf(DType type, const Tensor &expected) {
  auto [absolute, relative] = tolerancesOf(type);
  int64_t parts = expected.dtype == DType::C64 ? 2 : 1;
  Tensor bound{DType::F64, {expected.size()}, {}};
  bound.bytes.resize(expected.size() * sizeof(double));
  for (int64_t i = 0; i < expected.size(); ++i) {
    double largest = 0;
    for (int64_t part = i * parts; part < (i + 1) * parts; ++part)
      if (double size = std::fabs(elementAsDouble(expected, part));
          std::isfinite(size))
        largest = std::max(largest, size);
    double value = (absolute + relative * largest) / allowedBounds;
    std::memcpy(bound.bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bound;
}

Result<OutputCheck> RunOutputs::compare(size_t output, const Tensor *wanted) {
  OutputCheck whole;
  int64_t elements = numElements(desc(output).shape).value_or(0);
  // The reference has a complex number as two values.
  int64_t parts = 1;
  if (reference && elements)
    parts = numElements(referencePlan.outputs[2 * output].shape).value_or(0) /
            elements;
  constexpr int64_t chunk = int64_t(1) << 22;
  for (int64_t first = 0; first < elements; first += chunk) {
    int64_t count = std::min(chunk, elements - first);
    Result<Tensor> got = executor.readResult(output, first, count);
    if (!got)
      return got.takeError();
    Result<Tensor> value =
        wanted
            ? Result<Tensor>(slice(*wanted, first, count))
            : reference->readOutput(2 * output, first * parts, count * parts);
    if (!value)
      return value.takeError();
    Result<Tensor> bound =
        reference ? reference->readOutput(2 * output + 1, first, count)
                  : boundOf(got->dtype, *value);
    if (!bound)
      return bound.takeError();
    merge(whole, compareOutput(*got, *value, *bound, first));
  }
  whole.elements = elements;
  return whole;
}

Result<bool> RunOutputs::print(llvm::raw_ostream &out) {
  std::vector<const Tensor *> wanted;
  if (Status status = findExpected(wanted); !status)
    return status.takeError();
  bool right = true;
  for (size_t output = 0; output < wanted.size(); ++output) {
    const BufferDesc &buffer = desc(output);
    ResultDesc place = placeOfResult(plan, output);
    out << "output " << output;
    if (place.of == ResultDesc::Of::Input)
      out << " (new value of argument " << place.index
          << (buffer.name.empty() ? "" : ", " + buffer.name) << ")";
    out << ": " << describe(buffer.dtype, buffer.shape);
    bool compares =
        expectedFile.empty() ? reference != nullptr : wanted[output] != nullptr;
    if (compares) {
      Result<OutputCheck> check = compare(output, wanted[output]);
      if (!check)
        return check.takeError();
      out << " " << check->describe();
      right &= check->passed();
    }
    out << "\n";
  }
  return right;
}
