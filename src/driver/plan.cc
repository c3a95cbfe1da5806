// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which files a command line means, and where each one's result goes.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "driver/batch.h"

namespace tilewright::driver {

namespace fs = std::filesystem;

static std::string named(const fs::path& path) { return "`" + path.string() + "`"; }

static Job unreadable(const fs::path& path, const std::error_code& error) {
  return {.input = path.string(), .output = {}, .trouble = "cannot read " + named(path) + ": " + error.message()};
}

// What no person means when they name a folder: hidden folders (environments, caches) and compiled Python.
static bool skipped(const fs::path& name) { return name.string().starts_with('.') || name == "__pycache__"; }

struct Walk {
  fs::path output;  // a folder in which results are written, not searched for inputs
  std::vector<Job> jobs;

  void folder(const fs::path& path) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) entries.push_back(*it);
    if (error) jobs.push_back(unreadable(path, error));
    std::sort(entries.begin(), entries.end());
    for (const auto& entry : entries) {
      if (skipped(entry.path().filename())) continue;
      if (entry.is_directory(error) && !entry.is_symlink(error)) {
        if (output.empty() || !fs::equivalent(entry.path(), output, error)) folder(entry.path());
      } else if (entry.path().extension() == ".py" && entry.is_regular_file(error)) {
        jobs.push_back({.input = entry.path().string(), .output = {}, .trouble = {}});
      }
    }
  }
};

static fs::path beside(const fs::path& input) {
  fs::path name = input.stem();
  name += "_triton";
  name += input.extension();
  return input.parent_path() / name;
}

static bool ends_in_separator(const std::string& path) { return path.ends_with('/'); }

static fs::path normal(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : full;
}

struct Planner {
  const Destination& destination;
  bool into_folder = false;  // `-o PATH` names one

  std::string output(const fs::path& input, const fs::path& inside) const {
    if (input == standard_stream) return destination.where == Where::To ? destination.path : std::string(standard_stream);
    switch (destination.where) {
      case Where::Beside: return beside(input).string();
      case Where::InPlace: return input.string();
      case Where::To: return into_folder ? (fs::path(destination.path) / inside).string() : destination.path;
    }
    return {};
  }

  std::vector<Job> jobs(const std::string& input) const {
    std::error_code error;
    if (input == standard_stream || !fs::is_directory(input, error)) {
      return {{.input = input, .output = output(input, fs::path(input).filename()), .trouble = {}}};
    }
    Walk walk{.output = fs::path(into_folder ? destination.path : ""), .jobs = {}};
    walk.folder(input);
    for (Job& job : walk.jobs) {
      job.output = output(job.input, fs::path(job.input).lexically_relative(input));
      if (destination.where == Where::To) job.when_unchanged = Job::WhenUnchanged::Copy;
    }
    return std::move(walk.jobs);
  }
};

static std::optional<Trouble> wrong(const std::vector<std::string>& inputs, const Destination& destination, bool into_folder) {
  const bool standard_input = std::find(inputs.begin(), inputs.end(), standard_stream) != inputs.end();
  if (standard_input && inputs.size() > 1) return Trouble{"`-` stands for standard input and comes alone"};
  if (standard_input && destination.where == Where::InPlace) return Trouble{"standard input cannot be changed in place"};
  std::error_code error;
  const bool folder =
      std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) { return fs::is_directory(input, error); });
  if (destination.where != Where::To || into_folder || (inputs.size() == 1 && !folder)) return std::nullopt;
  if (destination.path == standard_stream) return Trouble{"standard output takes the result of one file"};
  return Trouble{"`" + destination.path + "` is a file; several files and folders need a folder to go to"};
}

// No result may take the place of another one, nor of an input.
static std::optional<Trouble> clash(const std::vector<Job>& jobs, Where where) {
  std::map<fs::path, std::string> inputs;
  for (const Job& job : jobs) inputs.emplace(normal(job.input), job.input);
  std::map<fs::path, std::string> outputs;
  for (const Job& job : jobs) {
    if (job.output == standard_stream || job.output.empty()) continue;
    const fs::path path = normal(job.output);
    if (const auto [it, fresh] = outputs.emplace(path, job.input); !fresh) {
      return Trouble{named(it->second) + " and " + named(job.input) + " would both be written to " + named(job.output)};
    }
    if (const auto it = inputs.find(path); where == Where::To && it != inputs.end()) {
      return Trouble{named(job.output) + " is an input; `--in-place` changes files where they are"};
    }
  }
  return std::nullopt;
}

Result<std::vector<Job>> plan(const std::vector<std::string>& inputs, const Destination& destination) {
  std::error_code error;
  Planner planner{.destination = destination};
  if (destination.where == Where::To && destination.path != standard_stream) {
    const bool several = inputs.size() > 1 || fs::is_directory(inputs.front(), error);
    const bool exists = fs::exists(destination.path, error);
    planner.into_folder = exists ? fs::is_directory(destination.path, error) : several || ends_in_separator(destination.path);
  }
  if (const auto trouble = wrong(inputs, destination, planner.into_folder)) return *trouble;

  std::vector<Job> jobs;
  std::set<fs::path> seen;
  for (const std::string& input : inputs) {
    for (Job& job : planner.jobs(input)) {
      if (seen.insert(normal(job.input)).second) jobs.push_back(std::move(job));
    }
  }
  // `convert a.py a_triton.py`: the second is the first one's result, not something to convert.
  if (destination.where == Where::Beside) {
    std::set<fs::path> outputs;
    for (const Job& job : jobs) {
      if (job.output != standard_stream) outputs.insert(normal(job.output));
    }
    std::erase_if(jobs, [&](const Job& job) { return outputs.contains(normal(job.input)); });
  }
  if (const auto trouble = clash(jobs, destination.where)) return *trouble;
  return jobs;
}

}  // namespace tilewright::driver
