// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiler for Python. This file converts values and decides nothing; a bug of ours (InternalError) becomes a RuntimeError,
// so that it does not take the caller's process with it.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "base/check.h"
#include "driver/batch.h"
#include "driver/options.h"
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

static std::string bytes_of(nb::handle text) {
  if (nb::isinstance<nb::bytes>(text)) {
    const auto bytes = nb::cast<nb::bytes>(text);
    return {static_cast<const char*>(bytes.data()), bytes.size()};
  }
  return nb::cast<std::string>(text);
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
    PyErr_SetString(PyExc_RuntimeError, (std::string("a bug of Tilewright: ") + error.what()).c_str());
    throw nb::python_error();
  }
  nb::object out = object(driver::report(outcome));
  const bool refused = outcome.conversion.status == driver::Status::Refused;
  out["text"] = refused ? nb::none() : object(Json{outcome.conversion.text});
  return out;
}

NB_MODULE(_ext, module) {
  module.def("version", [] { return std::string(driver::version()); });
  module.def("convert", &convert, nb::arg("text"), nb::arg("path") = "<text>", nb::kw_only(), nb::arg("numerics") = "default",
             nb::arg("line_width") = 100u);
}

}  // namespace tilewright::python
