// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/run_file.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "driver/launch_spec.h"
#include "driver/modules.h"
#include "driver/reading.h"
#include "driver/trace.h"
#include "interp/machine.h"
#include "interp/modulus.h"
#include "ir/walk.h"

namespace tilewright::driver {
namespace {

constexpr double most_bytes = 1u << 30;  // of one array

// Memory for the arrays of a launch, and the arguments that it is run with.
struct Made {
  std::vector<std::vector<std::byte>> memory;
  std::vector<interp::Argument> arguments;
};

sym::Value element(ir::Scalar dtype, interp::Random& random) {
  switch (ir::class_of(dtype)) {
    case ir::ScalarClass::Bool: return static_cast<int64_t>(random() % 2);
    case ir::ScalarClass::Unsigned:
    case ir::ScalarClass::Signed: return static_cast<int64_t>(random() % 10);
    case ir::ScalarClass::Float:
    case ir::ScalarClass::Restricted: break;
  }
  const auto uniform = [&] { return static_cast<double>((random() >> 11) + 1) * 0x1p-53; };
  const double length = std::sqrt(-2 * std::log(uniform()));
  return length * std::cos(2 * std::numbers::pi * uniform());
}

// "" or why there is no such array.
std::string add_array(const ir::Argument& wanted, interp::Random& random, Made& out) {
  interp::Array array = interp::array_over(nullptr, wanted.dtype, wanted.shape, wanted.strides);
  double reach = 1;
  for (size_t axis = 0; axis < wanted.shape.size(); ++axis) {
    if (wanted.shape[axis] < 0) return "an extent is negative";
    reach += static_cast<double>(wanted.shape[axis]) * std::fabs(static_cast<double>(wanted.strides[axis]));
  }
  if (!interp::is_supported(wanted.dtype))
    return std::string("the interpreter has no arithmetic on ") + ir::name_of(wanted.dtype);
  const auto width = static_cast<int64_t>(array.width());
  if (reach * static_cast<double>(width) > most_bytes) return "an array of more than a GiB is not made";
  std::vector<std::byte>& memory = out.memory.emplace_back(static_cast<size_t>((array.last - array.first + 1) * width));
  for (int64_t at = 0; at < static_cast<int64_t>(memory.size()); at += width) {
    interp::write_constant(element(wanted.dtype, random), wanted.dtype, memory.data() + at);
  }
  array.base = memory.data() - array.first * width;
  out.arguments.emplace_back(std::move(array));
  return "";
}

// "" or why the launch cannot be made.
std::string make(const ir::LaunchSpec& launch, uint64_t seed, Made& out) {
  interp::Random random(seed);
  for (const ir::Argument& argument : launch.arguments) {
    std::string reason;
    switch (argument.kind) {
      case ir::ArgumentKind::Array: reason = add_array(argument, random, out); break;
      case ir::ArgumentKind::ArrayList: reason = "lists of arrays are not made"; break;
      case ir::ArgumentKind::Bool:
      case ir::ArgumentKind::Int:
      case ir::ArgumentKind::Float: out.arguments.emplace_back(*argument.value); break;
      case ir::ArgumentKind::Window:
      case ir::ArgumentKind::Dtype:
      case ir::ArgumentKind::String: reason = "descriptors, dtypes and texts are not made"; break;
      case ir::ArgumentKind::None:
      case ir::ArgumentKind::Other: out.arguments.emplace_back(interp::Nothing{}); break;
    }
    if (!reason.empty()) return "argument " + std::to_string(&argument - launch.arguments.data()) + ": " + reason;
  }
  return "";
}

std::string nothing_on(uint32_t line) { return "nothing is calculated on line " + std::to_string(line); }

// Whether ops of the kernel, or of functions that it may call, begin on the line.
bool has_ops_on(const source::Span& line, const ir::Program& program, ir::FunctionId kernel) {
  bool found = false;
  for (uint32_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[ir::FunctionId{i}];
    if (function.kind == ir::FunctionKind::Kernel && ir::FunctionId{i} != kernel) continue;
    ir::each_op(program, function.body, [&](ir::OpId op) {
      const source::Span& span = program.ops[op].span;
      found |= line.contains({span.file, span.begin, span.begin});
    });
  }
  return found;
}

// Why a kernel of that name cannot be run: what was said of it, or that there is none.
void explain_missing(RunOfFile& out, const front::ReadResult& read, const std::string& name) {
  const auto named = [&](std::string_view wanted) {
    return std::find_if(read.kernels.begin(), read.kernels.end(), [&](const front::Kernel& one) { return one.name == wanted; });
  };
  const auto kernel = named(name);
  if (kernel == read.kernels.end()) {
    out.trouble = "there is no kernel `" + name + "`";
  } else if (kernel->status == front::KernelStatus::Kept) {
    out.trouble = "`" + name + "` is marked `tilewright: keep`, so it was not read";
  } else {
    const auto is_of_it = [&](const diag::Diagnostic& found) {  // or of what it calls
      return found.kernel == name || named(found.kernel) == read.kernels.end();
    };
    std::copy_if(read.diagnostics.begin(), read.diagnostics.end(), std::back_inserter(out.diagnostics), is_of_it);
    if (!has_errors(out.diagnostics)) out.trouble = "`" + name + "` was refused";
  }
}

void run(RunOfFile& out, const ir::Program& program, ir::FunctionId kernel, const ir::LaunchSpec& launch,
         const interp::Options& options, const RunOptions& asked) {
  ir::Specialized special = ir::specialize(program, kernel, launch);
  out.diagnostics.insert(out.diagnostics.end(), special.diagnostics.begin(), special.diagnostics.end());
  if (has_errors(special.diagnostics)) return;
  check(special.program, ir::Form::Closed);
  Made made;
  if (out.trouble = make(launch, asked.seed, made); !out.trouble.empty()) return;
  const interp::Report report = interp::run(special.program, special.kernel, made.arguments, asked.grid, options);
  out.diagnostics.insert(out.diagnostics.end(), report.diagnostics.begin(), report.diagnostics.end());
  for (const interp::Traced& tile : report.traced) out.text += text_of(tile);
  if (has_errors(report.diagnostics)) return;
  if (asked.line && report.traced.empty()) {
    out.remark = nothing_on(*asked.line) + " by program (" + std::to_string(asked.program[0]) + ", " +
                 std::to_string(asked.program[1]) + ", " + std::to_string(asked.program[2]) + ")";
  }
  for (size_t i = 0; i < made.arguments.size(); ++i) {
    const auto* array = std::get_if<interp::Array>(&made.arguments[i]);
    if (array) out.text += text_of(interp::traced(program.functions[kernel].params[i].name, *array));
  }
}

}  // namespace

RunOfFile run_file(std::string path, std::string text, const RunOptions& options) {
  RunOfFile out;
  const source::FileId file = out.files.add(source::File(std::move(path), std::move(text)));
  Modules modules(out.files);
  const syntax::Tree& tree = modules.parse(file);
  out.diagnostics = tree.errors();
  if (!tree.ok()) return out;
  const auto device = front::cutile::read(tree, resolver(modules));
  check(device.program);

  auto launch = read_launch(options.launch);
  if (!launch) {
    out.trouble = launch.reason();
    return out;
  }
  if (!options.kernel.empty()) launch->kernel = options.kernel;
  interp::Options running{.numbers = options.numbers};
  if (options.line) running.trace = trace_of(out.files, file, *options.line, options.program);
  if (options.line && !running.trace) {
    out.trouble = "the file has no line " + std::to_string(*options.line);
    return out;
  }
  const auto kernel = ir::kernel_named(device.program, launch->kernel);
  if (!kernel) {
    explain_missing(out, device, launch->kernel);
  } else if (running.trace && !has_ops_on(running.trace->line, device.program, *kernel)) {
    out.trouble = nothing_on(*options.line) + " by `" + launch->kernel + "`";
  } else {
    run(out, device.program, *kernel, *launch, running, options);
  }
  diag::sort(out.diagnostics);
  return out;
}

}  // namespace tilewright::driver
