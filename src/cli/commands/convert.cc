// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include <charconv>
#include <thread>

#include "cli/command.h"
#include "cli/diff.h"
#include "cli/terminal.h"
#include "driver/batch.h"
#include "driver/version.h"

namespace tilewright::cli::commands {

using driver::Fate;

static Result<unsigned> workers(const Arguments& arguments) {
  const std::string text = arguments.value("--jobs", "");
  if (text.empty()) return std::max(std::thread::hardware_concurrency(), 1u);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > 1024) {
    return Trouble{"`--jobs` is a number from 1 to 1024, not `" + text + "`"};
  }
  return number;
}

static std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words{""};
  for (const char c : list) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

static Result<driver::Options> compiler_options(const Arguments& arguments) {
  driver::Options options;
  options.numerics = *driver::numerics_named(arguments.value("--numerics", "default"));  // the table has let nothing else pass
  if (!arguments.has("--gpu")) return options;
  const auto gpus = driver::gpus_named(split(arguments.value("--gpu", "")));
  if (!gpus) return Trouble{"`--gpu`: " + gpus.reason()};
  return options;
}

// What does not go together.
static std::string conflict(const Arguments& arguments) {
  const bool json = arguments.value("--format", "text") == "json";
  if (arguments.has("--output") && arguments.has("--in-place")) return "`--output` and `--in-place` name different places";
  if (json && arguments.has("--diff")) return "`--format json` and `--diff` both want standard output";
  if (json && arguments.value("--output", "") == driver::standard_stream)
    return "`--format json` and `-o -` both want standard output";
  if (json && !arguments.has("--output") && arguments.operands[0] == driver::standard_stream) {
    return "`--format json` and the result of `-` both want standard output; `-o PATH` takes the result";
  }
  return {};
}

static driver::Destination destination(const Arguments& arguments) {
  if (arguments.has("--in-place")) return {.where = driver::Where::InPlace, .path = {}};
  if (arguments.has("--output")) return {.where = driver::Where::To, .path = arguments.value("--output", "")};
  return {};
}

static Status status_of(Fate fate) {
  switch (fate) {
    case Fate::Fine: return Status::Done;
    case Fate::Refusal: return Status::Findings;
    case Fate::Unreadable: return Status::Trouble;
    case Fate::Unwritable: return Status::Trouble;
    case Fate::Bug: return Status::Bug;
  }
  return Status::Bug;
}

static std::string count(size_t number, std::string_view thing) {
  return std::to_string(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

// "bmm.py: partly converted to bmm_triton.py (2 of 3 kernels)"
static std::string summary(const driver::Outcome& outcome, driver::Write write) {
  const auto& conversion = outcome.conversion;
  size_t done = 0;
  for (const auto& kernel : conversion.kernels) done += kernel.status == driver::Status::Converted;
  const size_t all = conversion.kernels.size();
  const std::string kernels = done == all ? count(all, "kernel") : std::to_string(done) + " of " + count(all, "kernel");
  const std::string& path = conversion.files[conversion.main].path();
  const std::string to = outcome.output.empty() || outcome.output == driver::standard_stream || outcome.output == path
                             ? ""
                             : " to " + outcome.output;
  const bool stands = write == driver::Write::Nothing && !outcome.output.empty() && !outcome.differs;
  if (stands && conversion.status != driver::Status::Unchanged && conversion.status != driver::Status::Refused)
    return path + ": " + outcome.output + " is up to date (" + kernels + ")\n";
  switch (conversion.status) {
    case driver::Status::Converted:
      return path + ": " + (write == driver::Write::Nothing ? "would be " : "") + "converted" + to + " (" + kernels + ")\n";
    case driver::Status::Partly:
      return path + ": " + (write == driver::Write::Nothing ? "would be " : "") + "partly converted" + to + " (" + kernels +
             ")\n";
    case driver::Status::Refused: return path + ": refused\n";
    case driver::Status::Unchanged: return path + ": no cuTile kernels\n";
  }
  return {};
}

// What the run has to say, one file after the other.
struct Teller {
  enum class Format { Text, Json } format = Format::Text;
  enum class Mode { Write, Check, Diff } mode = Mode::Write;
  diag::Colour colour = diag::Colour::Never;
  Status status = Status::Done;
  Json::Array files = {};

  driver::Write write() const { return mode == Mode::Write ? driver::Write::Outputs : driver::Write::Nothing; }

  void text(const driver::Outcome& outcome) {
    const auto& conversion = outcome.conversion;
    std::string out;
    for (const auto& d : conversion.diagnostics) out += diag::render_text(conversion.files, d, colour);
    if (outcome.fate < Fate::Unreadable) out += summary(outcome, write());
    tell(out);
  }

  void told(const driver::Outcome& outcome) {
    const auto& conversion = outcome.conversion;
    status = worse(status, status_of(outcome.fate));
    const bool changes = !outcome.output.empty() && outcome.differs;
    if (mode != Mode::Write && changes) status = worse(status, Status::Findings);
    if (format == Format::Json) {
      files.push_back(driver::report(outcome));
      return;
    }
    text(outcome);
    const std::string& path = conversion.files[conversion.main].path();
    if (mode == Mode::Diff && !outcome.output.empty()) {
      const std::string& after = outcome.output == driver::standard_stream ? path : outcome.output;
      status = worse(status, put(unified_diff(path, conversion.files[conversion.main].text(), after, conversion.text)));
    }
    if (mode == Mode::Write && outcome.output == driver::standard_stream) status = worse(status, put(conversion.text));
  }

  void finish() {
    if (format == Format::Json) {
      status = worse(
          status, put(write_json({Json::Object{{"version", {std::string(driver::version())}}, {"files", {std::move(files)}}}})));
    }
  }
};

static Status wrong_usage(const std::string& reason) {
  complain(reason);
  return Status::Trouble;
}

static Status run(const Arguments& arguments) {
  if (const std::string reason = conflict(arguments); !reason.empty()) return wrong_usage(reason);
  const auto threads = workers(arguments);
  if (!threads) return wrong_usage(threads.reason());
  auto options = compiler_options(arguments);
  if (!options) return wrong_usage(options.reason());
  const auto jobs = driver::plan(arguments.operands, destination(arguments));
  if (!jobs) return wrong_usage(jobs.reason());

  if (jobs->empty()) {
    std::string places;
    for (const std::string& operand : arguments.operands) places += (places.empty() ? "`" : ", `") + operand + "`";
    tell("no Python files to convert in " + places + "\n");
  }

  Teller teller{.colour = colour()};
  if (arguments.value("--format", "text") == "json") teller.format = Teller::Format::Json;
  if (arguments.has("--check")) teller.mode = Teller::Mode::Check;
  if (arguments.has("--diff")) teller.mode = Teller::Mode::Diff;
  Progress progress(jobs->size());
  driver::Batch batch{
      .options = *options,
      .write = teller.write(),
      .workers = *threads,
      .told =
          [&](driver::Outcome& outcome) {
            progress.clear();
            teller.told(outcome);
          },
  };
  if (is_watched()) batch.waiting = [&](size_t done) { progress.tick(done); };
  driver::run(*jobs, batch);
  progress.clear();
  teller.finish();
  return teller.status;
}

static constexpr Option options[] = {
    {.name = "--output", .letter = 'o', .value = "PATH", .help = "write to this file or folder; `-` is standard output"},
    {.name = "--in-place", .help = "write over the input"},
    {.name = "--diff", .help = "write nothing; show what would change, and exit with 1 if something would"},
    {.name = "--check", .help = "write nothing; exit with 1 if an output is missing or would change"},
    {.name = "--numerics",
     .value = "MODE",
     .choices = "strict|default|fast",
     .help = "strict: the original's bits wherever Triton can; default: what cuTile promises; fast: any rounding"},
    {.name = "--gpu",
     .value = "sm_80,sm_90,…",
     .help = "GPUs to fit; every launch fits sm_80, sm_90, sm_100 and sm_120 in any case"},
    {.name = "--format",
     .value = "FORMAT",
     .choices = "text|json",
     .help = "json: one document on standard output (docs/convert.schema.json)"},
    {.name = "--jobs",
     .letter = 'j',
     .value = "N",
     .help = "files at a time (default: one per core); the output does not depend on it"},
};

extern constinit const Command convert{
    .name = "convert",
    .summary = "Convert cuTile files to Triton",
    .operands = "FILE|DIR…",
    .count = Operands::Many,
    .about =
        "Writes X_triton.py beside X.py, unless told otherwise; `-` as FILE is standard input and goes to standard output. A "
        "folder\n"
        "is searched for *.py; with `-o` it is mirrored there, files without kernels included. A kernel that follows a line\n"
        "`# tilewright: keep` is left alone. Line width and quotes follow ruff's or black's settings in pyproject.toml.\n",
    .options = options,
    .run = run,
};

}  // namespace tilewright::cli::commands
