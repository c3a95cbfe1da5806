// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast Python is read, in bytes a second on one core, and how much memory a tree takes for each byte of text.
//
//     parse_bench FILE|DIR… [--benchmark_repetitions=9 …]
//
// Without files only generated text is read: kernels of 1,000 to 100,000 lines, whose speeds must not differ (linear time).

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "syntax/lexer.h"
#include "syntax/parse.h"

using namespace tilewright;
namespace fs = std::filesystem;

static std::vector<std::string> read_all(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && entry.path().extension() == ".py") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

static std::string generated(int lines) {
  static constexpr std::string_view kernel = R"(
@ct.kernel(occupancy=2)
def softmax_kernel(output, input, n_rows: ct.Constant[int], TILE_SIZE: ct.Constant[int]):
    """One row at a time, as often as there are rows for this block."""
    pid = ct.bid(0)
    num_programs = ct.num_blocks(0)
    offsets = ct.arange(TILE_SIZE, dtype=ct.int32)

    for row_idx in range(pid, n_rows, num_programs):
        # The row, with what is past its end as -inf
        row = ct.gather(input, (row_idx, offsets), check_bounds=True, padding_value=-math.inf)
        row = ct.astype(row, ct.float32)
        row_minus_max = ct.sub(row, ct.max(row, 0, keepdims=True))
        numerator = ct.exp(row_minus_max)
        softmax_output = ct.truediv(numerator, ct.sum(numerator, 0, keepdims=True))
        ct.scatter(output, (row_idx, offsets), ct.astype(softmax_output, input.dtype), check_bounds=True)
    if n_rows > 1 and TILE_SIZE % 2 == 0: print(f"{n_rows} rows of {TILE_SIZE:>6}")
)";
  std::string text;
  for (int line = 0; line < lines; line += 20) text += kernel;
  return text;
}

static size_t bytes_of(const std::vector<std::string>& texts) {
  size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

static void lex_all(benchmark::State& state, const std::vector<std::string>& texts) {
  for (auto _ : state) {
    for (const std::string& text : texts) {
      diag::Diagnostics errors;
      benchmark::DoNotOptimize(syntax::lex({.file = source::FileId{0}, .text = text}, errors));
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes_of(texts) * state.iterations()));
}

static void parse_all(benchmark::State& state, const std::vector<std::string>& texts, syntax::Checks checks) {
  for (auto _ : state) {
    for (const std::string& text : texts) benchmark::DoNotOptimize(syntax::parse(source::FileId{0}, text, {.checks = checks}));
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes_of(texts) * state.iterations()));
}

// Allocated at the end; the peak is higher by one growing vector at most.
static void memory(benchmark::State& state, const std::string& text) {
  size_t taken = 0;
  for (auto _ : state) {
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    const syntax::Tree tree = syntax::parse(source::FileId{0}, text);
    taken = mallinfo2().uordblks + mallinfo2().hblkhd - before;
  }
  state.counters["memory/text"] = static_cast<double>(taken) / static_cast<double>(text.size());
}

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  const std::vector<fs::path> paths(words + 1, words + count);
  const std::vector<std::string> texts = read_all(paths);
  if (!texts.empty()) {
    benchmark::RegisterBenchmark("lex/files", lex_all, texts);
    benchmark::RegisterBenchmark("parse/files", parse_all, texts, syntax::Checks::Syntax);
    benchmark::RegisterBenchmark("parse_and_check/files", parse_all, texts, syntax::Checks::Scopes);
  }
  for (const int lines : {1'000, 10'000, 100'000}) {
    const std::string size = "/lines:" + std::to_string(lines);
    const std::vector<std::string> one = {generated(lines)};
    benchmark::RegisterBenchmark(("lex" + size).c_str(), lex_all, one);
    benchmark::RegisterBenchmark(("parse_and_check" + size).c_str(), parse_all, one, syntax::Checks::Scopes);
    benchmark::RegisterBenchmark(("memory" + size).c_str(), memory, one.front());
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
