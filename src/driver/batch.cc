// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/batch.h"

#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "diag/json.h"
#include "driver/in_order.h"

namespace tilewright::driver {

using diag::Message;
using diag::Severity;

static constexpr Message<std::string_view> cannot_read{"TW080", "{}"};
static constexpr Message<std::string_view> cannot_write{"TW081", "{}"};
static constexpr Message<std::string_view> unknown_style{"TW082", "{}"};
static constexpr Message<std::string_view> bug{"TW089", "internal error: {}"};

static void add(Outcome& outcome, Severity severity, const Message<std::string_view>& message, std::string_view reason) {
  outcome.conversion.diagnostics.push_back(diag::report(severity, {}, message, reason));
}

static void fail(Outcome& outcome, Fate fate, const Message<std::string_view>& message, std::string_view reason) {
  outcome.fate = fate;
  outcome.conversion.status = Status::Refused;
  outcome.output.clear();
  add(outcome, Severity::Error, message, reason);
}

static Outcome nameless(const std::string& path) {
  Outcome outcome;
  outcome.conversion.main = outcome.conversion.files.add(source::File(path, ""));
  return outcome;
}

static Outcome read_and_convert(const Job& job, const Options& options) {
  const bool standard_input = job.input == standard_stream;
  const std::string shown = standard_input ? "<stdin>" : job.input;
  Outcome outcome = nameless(shown);
  if (!job.trouble.empty()) {
    fail(outcome, Fate::Unreadable, cannot_read, job.trouble);
    return outcome;
  }
  auto text = standard_input ? source::read_standard_input() : source::read_bytes(job.input);
  if (!text) {
    fail(outcome, Fate::Unreadable, cannot_read, text.reason());
    return outcome;
  }
  try {
    outcome.conversion = convert(shown, std::move(*text), options);
  } catch (const InternalError& error) {
    fail(outcome, Fate::Bug, bug, error.what());
    outcome.conversion.diagnostics.back().notes.push_back(
        "this is a bug of Tilewright, not of your code; please send the file `" + shown + "`");
  }
  return outcome;
}

static void write(Outcome& outcome, const Job& job, Write how) {
  const Status status = outcome.conversion.status;
  if (status == Status::Refused) return;
  if (status == Status::Unchanged && job.when_unchanged == Job::WhenUnchanged::Skip && job.output != standard_stream) return;
  outcome.output = job.output;
  if (job.output == standard_stream) {  // the command's own to write
    outcome.differs = status != Status::Unchanged;
    return;
  }
  const auto present = source::read_bytes(job.output);
  outcome.differs = !present || *present != outcome.conversion.text;
  if (how == Write::Nothing || !outcome.differs) return;
  std::error_code error;
  const auto folder = std::filesystem::path(job.output).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  const auto written = source::write_bytes(job.output, outcome.conversion.text);
  if (!written) fail(outcome, Fate::Unwritable, cannot_write, written.reason());
}

void run(const std::vector<Job>& jobs, const Batch& batch) {
  Styles styles;
  std::vector<Styles::Found> found;
  for (const Job& job : jobs) found.push_back(styles.of(std::filesystem::path(job.input).parent_path()));

  std::vector<Outcome> outcomes(jobs.size());
  const auto one = [&](size_t i) {
    Options options = batch.options;
    options.style = found[i].style;
    Outcome outcome = read_and_convert(jobs[i], options);
    if (outcome.fate == Fate::Fine) {
      const Status status = outcome.conversion.status;
      if (status == Status::Refused || status == Status::Partly) outcome.fate = Fate::Refusal;
      write(outcome, jobs[i], batch.write);
    }
    if (!found[i].trouble.empty()) add(outcome, Severity::Warning, unknown_style, found[i].trouble);
    outcomes[i] = std::move(outcome);
  };
  const auto told = [&](size_t i) {
    batch.told(outcomes[i]);
    outcomes[i] = Outcome{};
  };
  in_order(jobs.size(), batch.workers, {.run = one, .told = told, .waiting = batch.waiting});
}

std::string_view word(Status status) {
  switch (status) {
    case Status::Converted: return "converted";
    case Status::Partly: return "partly";
    case Status::Refused: return "refused";
    case Status::Unchanged: return "unchanged";
  }
  return {};
}

Json report(const Outcome& outcome) {
  const Conversion& conversion = outcome.conversion;
  Json::Array kernels;
  for (const Kernel& kernel : conversion.kernels) {
    kernels.push_back({Json::Object{
        {"name", {kernel.name}},
        {"status", {std::string(word(kernel.status))}},
        {"line", {int64_t{kernel.line}}},
    }});
  }
  Json::Array diagnostics;
  for (const auto& d : conversion.diagnostics) diagnostics.push_back(diag::to_json(conversion.files, conversion.main, d));
  return {Json::Object{
      {"path", {conversion.files[conversion.main].path()}},
      {"output", outcome.output.empty() ? Json{} : Json{outcome.output}},
      {"status", {std::string(word(conversion.status))}},
      {"kernels", {std::move(kernels)}},
      {"diagnostics", {std::move(diagnostics)}},
  }};
}

}  // namespace tilewright::driver
