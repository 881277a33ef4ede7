//===- Result.h - A value or an error message -------------------*- C++ -*-===//
//
// The error type of the libraries that see no LLVM: a value, or a message that
// says what failed and names the file, op or option. Messages are lower case
// and carry no full stop.
//
//===----------------------------------------------------------------------===//
#ifndef KS_BASE_RESULT_H
#define KS_BASE_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace mlir::ks {

/// A failure, said in one line.
struct Error {
  std::string message;
};

/// A `T` or an Error. `T` may not be Error itself.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }
  /// The message; only valid on failure.
  const std::string &error() const { return std::get<1>(state).message; }
  Error takeError() { return std::move(std::get<1>(state)); }

private:
  std::variant<T, Error> state;
};

/// Success, or an Error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failed(true), message(std::move(error.message)) {}

  explicit operator bool() const { return !failed; }
  const std::string &error() const { return message; }
  Error takeError() { return Error{std::move(message)}; }

private:
  bool failed = false;
  std::string message;
};

} // namespace mlir::ks

#endif // KS_BASE_RESULT_H
