// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiler for Python. This file converts values and decides nothing; a bug of ours (InternalError) becomes a RuntimeError,
// so that it does not take the caller's process with it.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/check.h"
#include "diag/json.h"
#include "diag/text.h"
#include "driver/batch.h"
#include "driver/interpret.h"
#include "driver/options.h"
#include "driver/run_file.h"
#include "driver/trace.h"
#include "driver/version.h"

namespace nb = nanobind;

namespace tilewright::python {

static nb::object object(const Json& json) {
  struct Visitor {
    nb::object operator()(std::nullptr_t) const { return nb::none(); }
    nb::object operator()(bool value) const { return nb::bool_(value); }
    nb::object operator()(int64_t value) const { return nb::int_(value); }
    nb::object operator()(double value) const { return nb::float_(value); }
    nb::object operator()(const std::string& value) const {
      return nb::steal(PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "replace"));
    }
    nb::object operator()(const Json::Array& array) const {
      nb::list out;
      for (const Json& element : array) out.append(object(element));
      return out;
    }
    nb::object operator()(const Json::Object& members) const {
      nb::dict out;
      for (const auto& [name, member] : members) out[name.c_str()] = object(member);
      return out;
    }
  };
  return std::visit(Visitor{}, json.value);
}

// The text of a file, in UTF-8. Throws where it is neither str nor bytes, or has a surrogate by itself.
static std::string bytes_of(nb::handle text) {
  if (nb::isinstance<nb::bytes>(text)) {
    const auto bytes = nb::cast<nb::bytes>(text);
    return {static_cast<const char*>(bytes.data()), bytes.size()};
  }
  if (!nb::isinstance<nb::str>(text)) {
    throw nb::type_error(("a text is str or bytes, not " + nb::cast<std::string>(nb::inst_name(text))).c_str());
  }
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data) throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

static void set_bug(const InternalError& error) {
  PyErr_SetString(PyExc_RuntimeError, (std::string("a bug of Tilewright: ") + error.what()).c_str());
}

static nb::object convert(nb::handle text, const std::string& path, const std::string& numerics, uint32_t line_width) {
  driver::Options options;
  const auto mode = driver::numerics_named(numerics);
  if (!mode) throw nb::value_error(mode.reason().c_str());
  options.numerics = *mode;
  options.style.line_width = line_width;

  std::string bytes = bytes_of(text);
  driver::Outcome outcome;
  try {
    const nb::gil_scoped_release others_run;
    outcome.conversion = driver::convert(path, std::move(bytes), options);
  } catch (const InternalError& error) {
    set_bug(error);
    throw nb::python_error();
  }
  nb::object out = object(driver::report(outcome));
  const bool refused = outcome.conversion.status == driver::Status::Refused;
  out["text"] = refused ? nb::none() : object(Json{outcome.conversion.text});
  return out;
}

// (address, dtype, shape, strides in elements, address of the marks of what is unwritten or 0)
static interp::Array array_of(const nb::tuple& tuple) {
  const auto name = nb::cast<std::string>(tuple[1]);
  const auto dtype = ir::scalar_named(name == "bool" ? "bool_" : name);
  if (!dtype) throw nb::type_error(("arrays of " + name + " are not supported").c_str());
  interp::Array out = interp::array_over(reinterpret_cast<void*>(nb::cast<uintptr_t>(tuple[0])), *dtype,
                                         nb::cast<std::vector<int64_t>>(tuple[2]), nb::cast<std::vector<int64_t>>(tuple[3]));
  out.unwritten = reinterpret_cast<uint8_t*>(nb::cast<uintptr_t>(tuple[4]));
  return out;
}

// A bool, int or float of Python's; nullopt for anything else, and for integers that 64 bits do not hold.
static std::optional<sym::Value> number_of(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) {
    int overflow = 0;
    const int64_t number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow ? std::nullopt : std::optional<sym::Value>(number);
  }
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  return std::nullopt;
}

// A number, a text, a list of such, ("library", dotted name), ("function", name, line, number), or None.
static front::Live live_of(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return {bytes_of(value)};
  if (nb::isinstance<nb::list>(value)) {
    std::vector<front::Live> items;
    for (const nb::handle item : nb::cast<nb::list>(value)) items.push_back(live_of(item));
    return {std::move(items)};
  }
  if (nb::isinstance<nb::tuple>(value)) {
    const auto tuple = nb::cast<nb::tuple>(value);
    const auto name = nb::cast<std::string>(tuple[1]);
    if (nb::cast<std::string>(tuple[0]) == "library") return {front::LibraryName{name}};
    return {front::LiveFunction{.name = name, .line = nb::cast<uint32_t>(tuple[2]), .number = nb::cast<uint32_t>(tuple[3])}};
  }
  const auto number = number_of(value);
  return number ? front::Live{*number} : front::Live{};
}

// An array as of array_of, the extents of tiles, the padding's name.
static interp::Descriptor descriptor_of(const nb::tuple& tuple) {
  const bool is_nan = nb::cast<std::string>(tuple[3]) == "nan";
  return {.array = array_of(nb::cast<nb::tuple>(tuple[1])),
          .extents = nb::cast<std::vector<int64_t>>(tuple[2]),
          .padding = is_nan ? ir::Padding::Nan : ir::Padding::Zero};
}

// A number, (address, dtype, extents, strides), ("descriptor", array, extents, padding), ("dtype", name), a text, or a list of
// arrays.
static interp::Argument argument_of(nb::handle value) {
  if (const auto number = number_of(value)) return *number;
  if (nb::isinstance<nb::str>(value)) return interp::Text{bytes_of(value)};
  if (nb::isinstance<nb::tuple>(value)) {
    const auto tuple = nb::cast<nb::tuple>(value);
    if (!nb::isinstance<nb::str>(tuple[0])) return array_of(tuple);
    if (nb::cast<std::string>(tuple[0]) == "descriptor") return descriptor_of(tuple);
    const auto name = nb::cast<std::string>(tuple[1]);
    const auto dtype = ir::scalar_named(name == "bool" ? "bool_" : name);
    if (!dtype) throw nb::type_error(("the dtype " + name + " is not supported").c_str());
    return *dtype;
  }
  if (!nb::isinstance<nb::list>(value)) return interp::Nothing{};
  interp::ArrayList out;
  for (const nb::handle item : nb::cast<nb::list>(value)) out.push_back(array_of(nb::cast<nb::tuple>(item)));
  return out;
}

static driver::CpuLaunch launch_of(const nb::list& arguments, const interp::Grid& grid) {
  driver::CpuLaunch out{.arguments = {}, .grid = grid};
  for (const nb::handle argument : arguments) out.arguments.push_back(argument_of(argument));
  return out;
}

// `line` is traced for that program of the grid; 0 for none.
static interp::Options options_of(const driver::Runnable& file, bool races, unsigned threads, int64_t iterations, uint32_t line,
                                  const interp::Grid& program) {
  const auto trace = line ? file.trace_of(line, program) : std::nullopt;
  if (line && !trace) throw nb::value_error(("the kernel's file has no line " + std::to_string(line)).c_str());
  return {.watch = races ? interp::Watch::Races : interp::Watch::Accesses,
          .threads = threads,
          .iterations = iterations,
          .trace = trace,
          .is_cancelled = [] {
            const nb::gil_scoped_acquire mine;
            return PyErr_CheckSignals() != 0;
          }};
}

// What a function of the driver returns, while other threads of Python run.
template <class Function>
static auto without_python(Function&& function) {
  decltype(function()) out;
  try {
    const nb::gil_scoped_release others_run;
    out = function();
  } catch (const InternalError& error) {
    set_bug(error);
    throw nb::python_error();
  }
  if (PyErr_Occurred()) throw nb::python_error();
  return out;
}

// (the text of all diagnostics of a launch that did not go well, they themselves), else None.
static nb::object troubles(const driver::Runnable& file, const interp::Report& report) {
  if (report.diagnostics.empty()) return nb::none();
  std::string text;
  nb::list all;
  for (const diag::Diagnostic& diagnostic : report.diagnostics) {
    text += diag::render_text(file.files(), diagnostic, diag::Colour::Never);
    all.append(object(diag::to_json(file.files(), file.main(), diagnostic)));
  }
  return nb::make_tuple(object(Json{text}), all);
}

static nb::object traced(const interp::Report& report) {
  std::string text;
  for (const interp::Traced& tile : report.traced) text += driver::text_of(tile);
  return object(Json{text});
}

// (what went wrong or None, the text of what was traced)
static nb::object launch(const driver::Runnable& file, const nb::list& arguments, const interp::Grid& grid,
                         const std::string& numbers, bool races, unsigned threads, int64_t iterations, uint32_t line,
                         const interp::Grid& program) {
  const driver::CpuLaunch launch = launch_of(arguments, grid);
  const auto system = driver::numbers_named(numbers);
  if (!system) throw nb::value_error(system.reason().c_str());
  interp::Options options = options_of(file, races, threads, iterations, line, program);
  options.numbers = *system;
  const interp::Report report = without_python([&] { return file.launch(launch, options); });
  return nb::make_tuple(troubles(file, report), traced(report));
}

template <class T>
static nb::bytes bytes_of(const std::vector<T>& elements) {
  return nb::bytes(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
}

// (what went wrong or None, the text of what was traced, for each argument a list of its arrays): bytes of numbers, values and
// errors, or of the elements.
static nb::object launch_in_algebra(const driver::Runnable& file, const nb::list& arguments, const interp::Grid& grid,
                                    uint64_t seed, bool races, unsigned threads, int64_t iterations, uint32_t line,
                                    const interp::Grid& program) {
  const driver::CpuLaunch launch = launch_of(arguments, grid);
  const interp::Options options = options_of(file, races, threads, iterations, line, program);
  const driver::AlgebraReport report = without_python([&] { return file.launch_in_algebra(launch, options, seed); });
  nb::list out;
  for (const std::vector<driver::AlgebraArray>& of_argument : report.arrays) {
    nb::list arrays;
    for (const driver::AlgebraArray& array : of_argument) {
      arrays.append(
          nb::make_tuple(bytes_of(array.numbers), bytes_of(array.values), bytes_of(array.errors), bytes_of(array.bytes)));
    }
    out.append(arrays);
  }
  return nb::make_tuple(troubles(file, report.report), traced(report.report), out);
}

NB_MODULE(_ext, module) {
  module.attr("MOST_PROGRAMS") = nb::make_tuple(driver::most_programs[0], driver::most_programs[1], driver::most_programs[2]);
  module.def("version", [] { return std::string(driver::version()); });
  module.def("convert", &convert, nb::arg("text"), nb::arg("path") = "<text>", nb::kw_only(), nb::arg("numerics") = "default",
             nb::arg("line_width") = 100u);
  nb::class_<driver::Runnable>(module, "Runnable")
      .def(
          "__init__",
          [](driver::Runnable* self, const std::string& path, nb::handle text, const std::string& kernel, uint32_t line,
             nb::callable names, const std::string& dialect, const nb::dict& texts) {
            const auto live = [&](const auto& of, std::string_view name) -> std::optional<front::Live> {
              const nb::object value = names(of, nb::str(name.data(), name.size()));
              if (value.is(nb::handle(Py_NotImplemented))) return std::nullopt;
              return live_of(value);
            };
            std::map<std::string, std::string> passed;
            for (const auto& [name, value] : texts) passed.emplace(bytes_of(name), bytes_of(value));
            try {
              new (self) driver::Runnable(path, bytes_of(text),
                                          {.name = kernel,
                                           .line = line,
                                           .dialect = dialect == "triton" ? driver::Dialect::Triton : driver::Dialect::CuTile,
                                           .texts = std::move(passed),
                                           .global = live,
                                           .enclosing = live});
            } catch (const InternalError& error) {
              set_bug(error);
              throw nb::python_error();
            }
          },
          nb::arg("path"), nb::arg("text"), nb::arg("kernel"), nb::arg("line"), nb::arg("names"), nb::arg("dialect") = "cutile",
          nb::arg("texts") = nb::dict())
      .def_prop_ro("paths",
                   [](const driver::Runnable& file) {
                     nb::list out;
                     for (const source::File& read : file.files()) out.append(nb::str(read.path().c_str()));
                     return out;
                   })
      .def("launch", &launch, nb::arg("arguments"), nb::arg("grid"), nb::kw_only(), nb::arg("numbers"), nb::arg("races"),
           nb::arg("threads"), nb::arg("iterations"), nb::arg("line"), nb::arg("program"))
      .def("launch_in_algebra", &launch_in_algebra, nb::arg("arguments"), nb::arg("grid"), nb::kw_only(), nb::arg("seed"),
           nb::arg("races"), nb::arg("threads"), nb::arg("iterations"), nb::arg("line"), nb::arg("program"));
}

}  // namespace tilewright::python
