// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "cli/command.h"
#include "cli/terminal.h"
#include "driver/interpret.h"
#include "driver/run_file.h"

namespace tilewright::cli::commands {

using Numbers = std::array<int64_t, 3>;

constexpr int64_t largest = (int64_t{1} << 31) - 1;

static Status complain_of(const std::string& reason) {
  complain(reason);
  return Status::Trouble;
}

// What an option's value is: up to that many numbers with commas between them, each from `least` to `largest`.
struct Kind {
  std::string_view text;  // "one to three numbers"
  size_t most = 1;
  int64_t least = 0;
};

// Those that are not given are `missing`.
static std::optional<Numbers> numbers_of(std::string_view text, const Kind& kind, int64_t missing) {
  Numbers out = {missing, missing, missing};
  for (size_t axis = 0; axis < kind.most; ++axis) {
    const std::string_view word = text.substr(0, text.find(','));
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out[axis]);
    if (error != std::errc() || end != word.data() + word.size() || out[axis] < kind.least || out[axis] > largest) return {};
    if (word.size() == text.size()) return out;
    text.remove_prefix(word.size() + 1);
  }
  return {};
}

static std::string text_of(const Numbers& numbers) {
  return std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," + std::to_string(numbers[2]);
}

static bool is_grid(const interp::Grid& grid) {
  const auto fits = [](int64_t programs, int64_t most) { return programs <= most; };
  if (std::equal(grid.begin(), grid.end(), driver::most_programs.begin(), fits)) return true;
  complain("a grid has at most " + text_of(driver::most_programs) + " programs, not `" + text_of(grid) + "`");
  return false;
}

// Whether that program can be traced.
static bool is_traceable(const Arguments& arguments, const driver::RunOptions& options) {
  if (!arguments.has("--program")) return true;
  if (!arguments.has("--trace")) {
    complain("`--program` says which program is traced, and needs `--trace LINE`");
    return false;
  }
  for (size_t axis = 0; axis < options.grid.size(); ++axis) {
    if (options.program[axis] < options.grid[axis]) continue;
    complain("`--program` is one of the grid, which has " + text_of(options.grid) + " programs, not `" +
             text_of(options.program) + "`");
    return false;
  }
  return true;
}

static Status run_kernel(const Arguments& arguments) {
  driver::RunOptions options;
  const std::string& operand = arguments.operands[0];
  const size_t colons = operand.rfind("::");
  const std::string path = operand.substr(0, colons);
  if (colons != std::string::npos) options.kernel = operand.substr(colons + 2);
  options.numbers = *driver::numbers_named(arguments.value("--numbers", "ieee"));

  const auto is_right = [&](std::string_view option, const Kind& kind, int64_t missing, Numbers& out) {
    if (!arguments.has(option)) return true;
    const std::string text = arguments.value(option, "");
    const auto read = numbers_of(text, kind, missing);
    if (!read) {
      complain("`" + std::string(option) + "` is " + std::string(kind.text) + " from " + std::to_string(kind.least) + " to " +
               std::to_string(largest) + ", not `" + text + "`");
    }
    if (read) out = *read;
    return read.has_value();
  };
  Numbers line = {};
  Numbers seed = {};
  constexpr Kind extents{.text = "one to three numbers, as in `4,2`, each", .most = 3};
  if (!is_right("--grid", extents, 1, options.grid) || !is_right("--program", extents, 0, options.program))
    return Status::Trouble;
  if (!is_right("--trace", {.text = "the number of a line", .least = 1}, 0, line)) return Status::Trouble;
  if (!is_right("--seed", {.text = "a number"}, 0, seed)) return Status::Trouble;
  if (arguments.has("--trace")) options.line = static_cast<uint32_t>(line[0]);
  options.seed = static_cast<uint64_t>(seed[0]);
  if (!is_grid(options.grid) || !is_traceable(arguments, options)) return Status::Trouble;

  const std::string launch = arguments.value("--launch", "");
  if (launch.empty()) return complain_of("`run` needs `--launch LAUNCH.json`: the shapes and dtypes of the kernel's arguments");
  auto described = source::read_bytes(launch);
  if (!described) return complain_of(described.reason());
  options.launch = std::move(*described);
  auto text = source::read_bytes(path);
  if (!text) return complain_of(text.reason());
  const driver::RunOfFile ran = driver::run_file(path, std::move(*text), options);
  Status status = put(ran.text);
  for (const auto& d : ran.diagnostics) {
    tell(diag::render_text(ran.files, d, colour()));
    if (d.severity == diag::Severity::Error) status = worse(status, Status::Findings);
  }
  if (!ran.remark.empty()) complain(ran.remark);
  return ran.trouble.empty() ? status : complain_of(ran.trouble);
}

static constexpr Option options[] = {
    {.name = "--launch", .value = "LAUNCH.json", .help = "the kernel's arguments, as for `dump --specialize`"},
    {.name = "--grid", .value = "X[,Y[,Z]]", .help = "programs along each axis (1)"},
    {.name = "--numbers",
     .value = "SYSTEM",
     .choices = "ieee|poison",
     .help = "poison: elements without a meaning are followed until they count (docs/interpreter.md)"},
    {.name = "--trace", .value = "LINE", .help = "print the tiles that get a name or are stored on this line"},
    {.name = "--program", .value = "X[,Y[,Z]]", .help = "the program of the grid that is traced (0,0,0)"},
    {.name = "--seed", .value = "N", .help = "of the random elements of arrays (0)"},
};

extern constinit const Command run{
    .name = "run",
    .summary = "Run a kernel on the CPU, for a quick look",
    .operands = "FILE[::KERNEL]",
    .count = Operands::One,
    .about =
        "Runs a cuTile kernel on arrays that are made for it (floats normally distributed, integers from 0 to 9) and prints "
        "what\n"
        "they are afterwards: dtype, shape, least and largest element, mean, and the elements at the edges. Lists of arrays,\n"
        "descriptors, dtypes and texts are not made. On your own arrays, lists of them, and in the number system `algebra`:\n"
        "`tilewright.interpret` in Python.\n"
        "\n"
        "Exit status 1: the kernel was refused, or it went wrong. A line on which the program calculates nothing is told.\n",
    .options = options,
    .run = run_kernel,
};

}  // namespace tilewright::cli::commands
