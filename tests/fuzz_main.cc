// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The main of every x_fuzz.cc, which states one property in LLVMFuzzerTestOneInput (libFuzzer's name, so that clang's engine can
// drive it too) and aborts where it does not hold.
//
//     x_fuzz FILE|DIR…                  each file once: what every check does
//     x_fuzz --seconds 60 FILE|DIR…     then changed at random, until the time is up; --seed N starts elsewhere
//
// Half of the changes are of bytes, half of whole expressions and statements (fuzz_splices.h). An input that is being tried is
// kept in fuzz_input.txt, so that a crash leaves it behind; one that takes half a minute counts as an endless loop.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "tests/fuzz_splices.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fs = std::filesystem;

static void try_input(const std::string& text) {
  alarm(30);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

static void collect(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) return files.push_back(path);
  std::vector<fs::path> inside;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".py") inside.push_back(entry.path());
  }
  std::sort(inside.begin(), inside.end());
  files.insert(files.end(), inside.begin(), inside.end());
}

class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, uint64_t seed) : corpus_(corpus), splices_(corpus), random_(seed) {}

  std::string next() {
    if (!splices_.empty() && below(2) == 0) return splices_.next(random_);
    std::string text = pick(corpus_);
    if (text.size() > 20000) text = text.substr(below(text.size() - 20000), 20000);
    for (size_t n = 1 + below(4); n > 0; --n) change(text);
    return text;
  }

 private:
  size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }
  const std::string& pick(const std::vector<std::string>& from) { return from[below(from.size())]; }

  // A piece of a line or a few lines of any file.
  std::string piece() {
    const std::string& text = pick(corpus_);
    const size_t begin = below(text.size());
    return text.substr(begin, 1 + below(below(4) == 0 ? 400 : 20));
  }

  void change(std::string& text) {
    static const std::vector<std::string> words = {"(",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   ":",
                                                   ",",
                                                   "\n",
                                                   "\n    ",
                                                   "    ",
                                                   "\t",
                                                   "'",
                                                   "\"\"\"",
                                                   "f'{",
                                                   "}'",
                                                   "\\",
                                                   "#",
                                                   "=",
                                                   ":=",
                                                   "*",
                                                   "**",
                                                   "@",
                                                   "->",
                                                   ".",
                                                   "...",
                                                   ";",
                                                   "if ",
                                                   "else",
                                                   "for ",
                                                   "in ",
                                                   "lambda ",
                                                   "def f(",
                                                   "class C",
                                                   "return ",
                                                   "match x:",
                                                   "case ",
                                                   "ct.",
                                                   "0x",
                                                   "1e",
                                                   "\r",
                                                   "\f",
                                                   "\xEF\xBB\xBF",
                                                   "\xFF",
                                                   std::string(1, '\0'),
                                                   "é",
                                                   "async ",
                                                   "await ",
                                                   "not ",
                                                   "import "};
    const size_t at = below(text.size() + 1);
    switch (below(7)) {
      case 0: text.insert(at, words[below(words.size())]); break;
      case 1: text.erase(at, 1 + below(8)); break;
      case 2: text.erase(at, 1 + below(200)); break;
      case 3: text.insert(at, piece()); break;
      case 4: text.resize(at); break;
      case 5:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      default: text.insert(at, text.substr(below(text.size() + 1), below(100))); break;
    }
  }

  const std::vector<std::string>& corpus_;
  const tilewright::fuzz::Splices splices_;
  std::mt19937_64 random_;
};

int main(int count, char** words) {
  std::vector<fs::path> files;
  double seconds = 0;
  uint64_t seed = 1;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--seconds" && i + 1 < count) {
      seconds = std::atof(words[++i]);
    } else if (word == "--seed" && i + 1 < count) {
      seed = std::strtoull(words[++i], nullptr, 10);
    } else {
      collect(word, files);
    }
  }
  std::vector<std::string> corpus;
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    try_input(corpus.back());
  }
  size_t tried = corpus.size();
  if (corpus.empty()) corpus.emplace_back();
  Mutator mutator(corpus, seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (; std::chrono::steady_clock::now() < end; ++tried) {
    const std::string text = mutator.next();
    std::ofstream("fuzz_input.txt", std::ios::binary) << text;
    try_input(text);
  }
  if (seconds > 0) fs::remove("fuzz_input.txt");
  std::printf("%zu inputs\n", tried);
  return 0;
}
