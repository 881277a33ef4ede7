//===- PlanJson.cpp - Launch plans as JSON --------------------------------===//
//
// Fields that have their usual value are left out of places and views, so that
// a plan can be read by eye. The reader takes what the writer writes, in any
// order, and nothing else: a field that it does not know may change the meaning
// of the others.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"
#include "ks/Base/Package.h"

#include <functional>
#include <limits>

namespace mlir::ks {

using Space = LaunchArg::Space;

static constexpr std::string_view kSpaces[] = {"input", "output", "workspace",
                                               "status"};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
class Writer {
public:
  std::string write(const LaunchPlan &plan);

private:
  /// `"name": ` after what separates it from the field before.
  void key(std::string_view name) {
    text += text.back() == '{' ? "" : ", ";
    text += quoteJson(name) + ": ";
  }
  void field(std::string_view name, int64_t value) {
    key(name);
    text += std::to_string(value);
  }
  void field(std::string_view name, std::string_view value) {
    key(name);
    text += quoteJson(value);
  }
  template <typename Range> void integers(const Range &values) {
    text += '[';
    for (size_t i = 0; i < values.size(); ++i)
      text += (i ? ", " : "") + std::to_string(values[i]);
    text += ']';
  }
  /// A list, each element on a line of its own.
  template <typename T, typename Fn>
  void list(std::string_view name, const std::vector<T> &values, Fn element) {
    text += ",\n" + quoteJson(name) + ": [";
    for (size_t i = 0; i < values.size(); ++i) {
      text += i ? ",\n  " : "\n  ";
      element(values[i]);
    }
    text += ']';
  }
  void buffer(const BufferDesc &desc, bool isInput);
  void place(const LaunchArg &arg);
  void step(const Step &step);
  void result(const ResultDesc &result);

  std::string text;
};
} // namespace

void Writer::buffer(const BufferDesc &desc, bool isInput) {
  text += '{';
  field("dtype", name(desc.dtype));
  key("shape");
  integers(desc.shape);
  if (!desc.name.empty())
    field("name", desc.name);
  if (isInput)
    field("kind", name(desc.kind));
  text += '}';
}

void Writer::place(const LaunchArg &arg) {
  text += '{';
  field("space", kSpaces[static_cast<size_t>(arg.space)]);
  if (arg.index)
    field("index", arg.index);
  if (arg.offset)
    field("offset", arg.offset);
  if (arg.stride)
    field("stride", arg.stride);
  if (arg.flip)
    field("flip", arg.flip);
  text += '}';
}

void Writer::step(const Step &step) {
  text += '{';
  if (step.kind == Step::Kind::Loop) {
    field("loop", step.count);
    field("steps", step.length);
  } else {
    field(step.kind == Step::Kind::Copy ? "copy" : "launch", step.index);
  }
  text += '}';
}

void Writer::result(const ResultDesc &result) {
  text += '{';
  field(result.of == ResultDesc::Of::Output ? "output" : "input", result.index);
  if (result.view) {
    key("sizes");
    integers(result.view->sizes);
    key("strides");
    integers(result.view->strides);
    field("offset", result.view->offset);
  }
  text += '}';
}

std::string Writer::write(const LaunchPlan &plan) {
  text = "{";
  field("function", plan.function);
  field("chip", plan.chip);
  field("workspace_bytes", static_cast<int64_t>(plan.workspaceBytes));
  field("python", plan.python);
  list("inputs", plan.inputs,
       [&](const BufferDesc &desc) { buffer(desc, true); });
  list("outputs", plan.outputs,
       [&](const BufferDesc &desc) { buffer(desc, false); });
  list("mutated", plan.mutated, [&](const Mutation &mutation) {
    text += '{';
    field("result", mutation.result);
    field("input", mutation.input);
    text += '}';
  });
  list("results", plan.results, [&](const ResultDesc &desc) { result(desc); });
  list("checks", plan.checks,
       [&](const std::string &check) { text += quoteJson(check); });
  list("steps", plan.steps, [&](const Step &it) { step(it); });
  list("launches", plan.launches, [&](const Launch &launch) {
    text += '{';
    field("kernel", launch.kernel);
    key("grid");
    integers(launch.grid);
    key("block");
    integers(launch.block);
    key("args");
    text += '[';
    for (size_t i = 0; i < launch.args.size(); ++i) {
      text += i ? ", " : "";
      place(launch.args[i]);
    }
    text += "]}";
  });
  list("copies", plan.copies, [&](const Copy &copy) {
    text += '{';
    key("from");
    place(copy.from);
    key("to");
    place(copy.to);
    field("bytes", static_cast<int64_t>(copy.bytes));
    text += '}';
  });
  return text + "}\n";
}

std::string planToJson(const LaunchPlan &plan) { return Writer().write(plan); }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class Reader {
public:
  explicit Reader(std::string_view text) : json(text) {}
  Result<LaunchPlan> read();

private:
  struct Field {
    std::string_view name;
    std::function<bool()> read;
    bool required = true;
  };
  bool fail(const std::string &what);
  /// Reads an object of these fields, each at most once. `required` ones must
  /// be there.
  bool object(const std::vector<Field> &fields);
  /// Reads a list; `element` reads one into the vector's new last element.
  template <typename T>
  bool list(std::vector<T> &values, const std::function<bool(T &)> &element);
  bool string(std::string &value);
  template <typename T> bool integer(T &value);
  bool integers(std::vector<int64_t> &values);
  bool sizes(std::array<uint32_t, 3> &values);
  bool buffer(BufferDesc &desc, bool isInput);
  bool place(LaunchArg &arg);
  bool step(Step &step);
  bool result(ResultDesc &result);
  bool launch(Launch &launch);
  bool copy(Copy &copy);
  bool plan(LaunchPlan &plan);

  JsonReader json;
  std::vector<std::string> path; ///< Fields and elements that are being read.
  std::string error;
};
} // namespace

bool Reader::fail(const std::string &what) {
  if (!error.empty())
    return false;
  for (const std::string &part : path)
    error += (error.empty() || part[0] == '[' ? "" : ".") + part;
  error = (error.empty() ? "the plan " : "field '" + error + "' ") + what;
  return false;
}

bool Reader::object(const std::vector<Field> &fields) {
  std::vector<bool> seen(fields.size());
  bool parsed = json.object([&](const std::string &key) {
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name != key)
        continue;
      path.push_back(key);
      if (seen[i])
        return fail("stands there twice");
      seen[i] = true;
      if (!fields[i].read())
        return fail("is malformed at byte " + std::to_string(json.where()));
      path.pop_back();
      return true;
    }
    return fail("has the unknown field '" + key + "'");
  });
  if (!parsed)
    return fail("is malformed at byte " + std::to_string(json.where()));
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].required && !seen[i])
      return fail("has no field '" + std::string(fields[i].name) + "'");
  return true;
}

template <typename T>
bool Reader::list(std::vector<T> &values,
                  const std::function<bool(T &)> &element) {
  return json.list([&] {
    path.push_back("[" + std::to_string(values.size()) + "]");
    values.emplace_back();
    if (!element(values.back()))
      return fail("is malformed at byte " + std::to_string(json.where()));
    path.pop_back();
    return true;
  });
}

bool Reader::string(std::string &value) { return json.string(value); }

template <typename T> bool Reader::integer(T &value) {
  int64_t wide = 0;
  if (!json.integer(wide))
    return false;
  value = static_cast<T>(wide);
  if (static_cast<int64_t>(value) != wide ||
      (!std::numeric_limits<T>::is_signed && wide < 0))
    return fail("is out of range");
  return true;
}

bool Reader::integers(std::vector<int64_t> &values) {
  return list<int64_t>(values, [&](int64_t &value) { return integer(value); });
}

bool Reader::sizes(std::array<uint32_t, 3> &values) {
  std::vector<int64_t> read;
  if (!integers(read))
    return false;
  if (read.size() != values.size())
    return fail("is not of three sizes");
  for (size_t i = 0; i < values.size(); ++i) {
    if (read[i] < 0 || read[i] > std::numeric_limits<uint32_t>::max())
      return fail("is out of range");
    values[i] = static_cast<uint32_t>(read[i]);
  }
  return true;
}

bool Reader::buffer(BufferDesc &desc, bool isInput) {
  std::string type, kind;
  std::vector<Field> fields = {
      {"dtype", [&] { return string(type); }},
      {"shape", [&] { return integers(desc.shape); }},
      {"name", [&] { return string(desc.name); }, false}};
  if (isInput)
    fields.push_back({"kind", [&] { return string(kind); }});
  if (!object(fields))
    return false;
  std::optional<DType> dtype = parseDType(type);
  if (!dtype)
    return fail("has the unknown dtype '" + type + "'");
  desc.dtype = *dtype;
  if (!isInput)
    return true;
  std::optional<InputKind> parsed = parseInputKind(kind);
  if (!parsed)
    return fail("has the unknown kind '" + kind + "'");
  desc.kind = *parsed;
  return true;
}

bool Reader::place(LaunchArg &arg) {
  std::string space;
  if (!object({{"space", [&] { return string(space); }},
               {"index", [&] { return integer(arg.index); }, false},
               {"offset", [&] { return integer(arg.offset); }, false},
               {"stride", [&] { return integer(arg.stride); }, false},
               {"flip", [&] { return integer(arg.flip); }, false}}))
    return false;
  for (size_t i = 0; i < std::size(kSpaces); ++i) {
    if (kSpaces[i] != space)
      continue;
    arg.space = static_cast<Space>(i);
    return true;
  }
  return fail("has the unknown space '" + space + "'");
}

bool Reader::step(Step &step) {
  int kinds = 0;
  bool hasLength = false;
  auto kind = [&](Step::Kind value) {
    ++kinds;
    step.kind = value;
    return value == Step::Kind::Loop ? integer(step.count)
                                     : integer(step.index);
  };
  if (!object(
          {{"launch", [&] { return kind(Step::Kind::Launch); }, false},
           {"copy", [&] { return kind(Step::Kind::Copy); }, false},
           {"loop", [&] { return kind(Step::Kind::Loop); }, false},
           {"steps", [&] { return hasLength = integer(step.length); }, false}}))
    return false;
  if (kinds != 1 || hasLength != (step.kind == Step::Kind::Loop))
    return fail("is not one launch, one copy, or a loop of steps");
  return true;
}

bool Reader::result(ResultDesc &result) {
  int kinds = 0, viewFields = 0;
  View view;
  auto of = [&](ResultDesc::Of value) {
    ++kinds;
    result.of = value;
    return integer(result.index);
  };
  auto part = [&](bool read) {
    ++viewFields;
    return read;
  };
  if (!object({{"output", [&] { return of(ResultDesc::Of::Output); }, false},
               {"input", [&] { return of(ResultDesc::Of::Input); }, false},
               {"sizes", [&] { return part(integers(view.sizes)); }, false},
               {"strides", [&] { return part(integers(view.strides)); }, false},
               {"offset", [&] { return part(integer(view.offset)); }, false}}))
    return false;
  if (kinds != 1 || (viewFields != 0 && viewFields != 3))
    return fail("is not of one buffer, or has not all fields of a view");
  if (viewFields)
    result.view = std::move(view);
  return true;
}

bool Reader::launch(Launch &launch) {
  return object({{"kernel", [&] { return string(launch.kernel); }},
                 {"grid", [&] { return sizes(launch.grid); }},
                 {"block", [&] { return sizes(launch.block); }},
                 {"args", [&] {
                    return list<LaunchArg>(launch.args, [&](LaunchArg &arg) {
                      return place(arg);
                    });
                  }}});
}

bool Reader::copy(Copy &copy) {
  return object({{"from", [&] { return place(copy.from); }},
                 {"to", [&] { return place(copy.to); }},
                 {"bytes", [&] { return integer(copy.bytes); }}});
}

bool Reader::plan(LaunchPlan &plan) {
  auto mutation = [&](Mutation &it) {
    return object({{"result", [&] { return integer(it.result); }},
                   {"input", [&] { return integer(it.input); }}});
  };
  return object(
      {{"function", [&] { return string(plan.function); }},
       {"chip", [&] { return string(plan.chip); }},
       {"workspace_bytes", [&] { return integer(plan.workspaceBytes); }},
       {"python", [&] { return string(plan.python); }},
       {"inputs",
        [&] {
          return list<BufferDesc>(
              plan.inputs, [&](BufferDesc &it) { return buffer(it, true); });
        }},
       {"outputs",
        [&] {
          return list<BufferDesc>(
              plan.outputs, [&](BufferDesc &it) { return buffer(it, false); });
        }},
       {"mutated", [&] { return list<Mutation>(plan.mutated, mutation); }},
       {"results",
        [&] {
          return list<ResultDesc>(plan.results,
                                  [&](ResultDesc &it) { return result(it); });
        }},
       {"checks",
        [&] {
          return list<std::string>(plan.checks,
                                   [&](std::string &it) { return string(it); });
        }},
       {"steps",
        [&] {
          return list<Step>(plan.steps, [&](Step &it) { return step(it); });
        }},
       {"launches",
        [&] {
          return list<Launch>(plan.launches,
                              [&](Launch &it) { return launch(it); });
        }},
       {"copies", [&] {
          return list<Copy>(plan.copies, [&](Copy &it) { return copy(it); });
        }}});
}

Result<LaunchPlan> Reader::read() {
  LaunchPlan result;
  if (!plan(result))
    return Error{error};
  if (!json.atEnd())
    return Error{"the plan is malformed at byte " +
                 std::to_string(json.where())};
  return result;
}

Result<LaunchPlan> planFromJson(std::string_view text) {
  return Reader(text).read();
}

} // namespace mlir::ks
