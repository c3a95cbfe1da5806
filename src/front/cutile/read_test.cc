// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading, on the files of tests/golden/front, one subject a file: the input, `# ---- reads ----`, the program, `# ---- says
// ----`, the diagnostics. With TILEWRIGHT_UPDATE set, the test writes what it finds. tests/golden/front/test_verdicts.py asks
// NVIDIA's front end about the same things.

#include "front/cutile/read.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "ir/text.h"
#include "ir/verify.h"
#include "syntax/parse.h"

namespace tilewright::front::cutile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view reads = "# ---- reads ----\n";
constexpr std::string_view says = "# ---- says ----\n";

// Files that import each other, by name: `main` is read.
struct Package {
  source::Files files;
  std::map<std::string, std::unique_ptr<syntax::Tree>> trees;

  // The usual case: one file.
  explicit Package(const std::string& text) : Package(std::map<std::string, std::string>{{"main", text}}) {}
  explicit Package(const std::map<std::string, std::string>& texts) {
    files.reserve(texts.size());
    for (const auto& [name, text] : texts) {
      const auto id = files.add(source::File(name + ".py", text));
      trees[name] = std::make_unique<syntax::Tree>(syntax::parse(id, files[id].text()));
      EXPECT_TRUE(trees[name]->ok()) << text;
    }
  }

  ReadResult read(const Options& options = {}) const {
    const ImportResolver resolver = [this](const ImportRequest& request) -> const syntax::Tree* {
      const auto tree = trees.find(request.module);
      return tree == trees.end() || request.level > 1 ? nullptr : tree->second.get();
    };
    return cutile::read(*trees.at("main"), resolver, options);
  }

  std::string told(const ReadResult& result) const {
    std::string text;
    for (const diag::Diagnostic& one : result.diagnostics) {
      const source::Position at = files[one.span.file].position(one.span.begin);
      text += "# " + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + std::string(one.code) +
              (one.severity == diag::Severity::Note ? " note: " : " error: ") + one.message;
      for (const std::string& note : one.notes) text += " (" + note + ")";
      text += "\n";
    }
    return text;
  }
};

std::string commented(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out += end == at ? "#\n" : "# " + std::string(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

// The tests run in the repository or in a folder of it.
fs::path folder() {
  for (fs::path at = fs::current_path(); !at.empty() && at != at.root_path(); at = at.parent_path()) {
    if (fs::exists(at / "tests/golden/front")) return at / "tests/golden/front";
  }
  ADD_FAILURE() << "tests/golden/front is not above the working directory";
  return {};
}

std::vector<fs::path> golden_files() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder())) {
    if (entry.path().extension() == ".py" && !entry.path().filename().string().starts_with("test_"))
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string input_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  return text.substr(0, text.find(reads));
}

TEST(Read, reads_each_golden_file_as_it_says) {
  for (const fs::path& path : golden_files()) {
    SCOPED_TRACE(path.filename().string());
    const std::string input = input_of(path);
    const Package package(input);
    const ReadResult result = package.read();
    EXPECT_EQ(ir::text(ir::verify(result.program)), "");
    const std::string found = input + std::string(reads) + commented(ir::text(result.program, ir::Places::Omit)) +
                              std::string(says) + package.told(result);
    if (std::getenv("TILEWRIGHT_UPDATE")) {
      std::ofstream(path, std::ios::binary) << found;
      continue;
    }
    std::ifstream stream(path, std::ios::binary);
    EXPECT_EQ(found, std::string(std::istreambuf_iterator<char>(stream), {}));
  }
}

TEST(Read, gives_programs_whose_text_reads_back) {
  for (const fs::path& path : golden_files()) {
    SCOPED_TRACE(path.filename().string());
    const std::string text = ir::text(Package(input_of(path)).read().program);
    const auto back = ir::parse(text);
    ASSERT_TRUE(back.ok()) << back.reason();
    EXPECT_EQ(ir::text(*back), text);
  }
}

const Kernel& kernel_of(const ReadResult& result, std::string_view name) {
  return *std::find_if(result.kernels.begin(), result.kernels.end(), [&](const Kernel& kernel) { return kernel.name == name; });
}

TEST(Read, goes_on_after_a_kernel_that_is_refused) {
  const Package package(
      "import cuda.tile as ct\n"
      "@ct.kernel\ndef a(x):\n    ct.store(x, 0, nothing)\n"
      "@ct.kernel\ndef b(x):\n    ct.store(x, 0, 1)\n");
  const ReadResult result = package.read();
  EXPECT_EQ(kernel_of(result, "a").status, KernelStatus::Refused);
  EXPECT_EQ(kernel_of(result, "b").status, KernelStatus::Read);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].kernel, "a");
  EXPECT_EQ(result.program.functions.size(), 1u);
}

TEST(Read, follows_helpers_and_constants_of_other_files) {
  const Package package(std::map<std::string, std::string>{
      {"main",
       "import cuda.tile as ct\nfrom .maths import scaled as s, FACTOR as K\nimport maths\nfrom . import maths as again\n"
       "@ct.kernel\ndef k(x):\n    ct.store(x, 0, s(ct.load(x, 0, 16)) * K * maths.LIMIT * again.LIMIT)\n"},
      {"maths",
       "import math\nfrom .deeper import twice\nFACTOR = 2.0 * math.pi\nLIMIT = 3\n\ndef scaled(x):\n    return twice(x) * "
       "LIMIT\n"},
      {"deeper", "def twice(x):\n    return x + x\n"},
  });
  const ReadResult result = package.read();
  EXPECT_EQ(package.told(result), "");
  ASSERT_EQ(result.module.helpers.size(), 2u);
  EXPECT_EQ(result.module.helpers[0].name, "twice");
  EXPECT_EQ(result.module.helpers[1].name, "scaled");
  std::vector<std::string> names;
  for (const Constant& constant : result.module.constants) {
    names.push_back(constant.name);
    EXPECT_TRUE(constant.value.has_value()) << constant.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"K", "again.LIMIT", "maths.LIMIT", "LIMIT"}));
  // callees before callers
  EXPECT_EQ((*result.program.functions.begin()).name, "twice");
}

TEST(Read, tells_which_names_the_file_binds_to_cutile) {
  const Package package(
      "import cuda.tile as ct\nimport cuda.tile\nfrom cuda import tile\nfrom cuda.tile import RoundingMode as RMd, load\n"
      "ConstInt = ct.Constant[int]\nAlias = ConstInt\n");
  const ReadResult result = package.read();
  const std::map<std::string, std::string> names = {{"RMd", "cuda.tile.RoundingMode"},
                                                    {"ct", "cuda.tile"},
                                                    {"cuda", "cuda"},
                                                    {"load", "cuda.tile.load"},
                                                    {"tile", "cuda.tile"}};
  EXPECT_EQ(result.module.library_names, names);
  EXPECT_EQ(result.module.annotations,
            (std::map<std::string, std::string>{{"Alias", "ConstInt"}, {"ConstInt", "ct.Constant[int]"}}));
}

TEST(Read, takes_what_the_host_passes_as_the_dtype_of_a_number) {
  const Package package(
      "import cuda.tile as ct\n@ct.kernel\ndef k(x, s):\n    ct.store(x, 0, ct.zeros((16,), ct.float32) * s)\n");
  Options options;
  EXPECT_EQ(package.read(options).kernels[0].scalars.size(), 0u);
  options.scalar_hints[{"k", "s"}] = ir::Scalar::F32;
  const ReadResult result = package.read(options);
  ASSERT_EQ(result.kernels[0].scalars.size(), 1u);
  EXPECT_EQ(result.kernels[0].scalars[0].parameter, 1u);
  EXPECT_EQ(result.kernels[0].scalars[0].scalar, ir::Scalar::F32);
}

TEST(Read, says_which_constants_must_be_equal) {
  const Package package(
      "import cuda.tile as ct\n@ct.kernel\ndef k(x, M: ct.Constant[int], N: ct.Constant[int]):\n"
      "    ct.store(x, 0, ct.load(x, 0, M) + ct.load(x, 0, N))\n");
  const ReadResult result = package.read();
  ASSERT_EQ(result.kernels[0].assumes.size(), 1u);
  EXPECT_EQ(result.program.arena.text(result.kernels[0].assumes[0]), "M == N");
}

// What a text says of a parameter where no launch gets to counts for nothing: each kernel is read as if it were not there.
TEST(Read, takes_nothing_for_known_from_statements_that_are_never_reached) {
  const std::string head =
      "import cuda.tile as ct\n"
      "def scaled(x, s, FROM_ARRAY):\n"
      "    if FROM_ARRAY:\n        return x * ct.load(s, index=(0,), shape=(1,))\n    return x * s\n"
      "def ignored(x, b, WITH_BIAS):\n"
      "    if WITH_BIAS:\n        x = x + ct.load(b, index=(0, 0), shape=(1, 1))\n    return x\n"
      "@ct.kernel\ndef k(x, p):\n    t = ct.load(x, index=(0,), shape=(16,))\n";
  const std::string tail = "    ct.store(x, index=(0,), tile=t)\n";
  const auto kind_of_p = [&](const std::string& body) {
    const Package package(head + body + tail);
    const ReadResult result = package.read();
    EXPECT_EQ(package.told(result), "");
    return result.program.functions[result.kernels[0].function].params[1].kind;
  };
  EXPECT_EQ(kind_of_p("    t = ignored(t, p, False)\n"), ir::ParamKind::Unused);
  EXPECT_EQ(kind_of_p("    if False:\n        t = t + ct.load(p, index=(0,), shape=(1,))\n    t = t * p\n"),
            ir::ParamKind::Scalar);
  EXPECT_EQ(kind_of_p("    t = scaled(t, p, False)\n"), ir::ParamKind::Scalar);
  EXPECT_EQ(kind_of_p("    t = scaled(t, p, True)\n"), ir::ParamKind::Array);
}

TEST(Read, keeps_an_import_that_may_fail) {
  const Package package(
      "try:\n    import cuda.tile as ct\nexcept ImportError:\n    ct = None\n\nif ct is not None:\n"
      "    @ct.kernel\n    def k(x):\n        ct.store(x, 0, 1)\n");
  const ReadResult result = package.read();
  ASSERT_EQ(result.kernels.size(), 1u);
  EXPECT_EQ(result.kernels[0].status, KernelStatus::Read) << package.told(result);
}

// Sizes that nobody writes by hand: answered, and in time that does not explode.
TEST(Read, survives_long_and_deep_code) {
  std::string sum = "n";
  for (int i = 0; i < 20000; ++i) sum += " + n";
  std::string ladder = "    if n == 0:\n        pass\n";
  for (int i = 1; i < 3000; ++i) ladder += "    elif n == " + std::to_string(i) + ":\n        pass\n";
  std::string growing = "    c = N\n";
  for (int i = 0; i < 200; ++i) growing += "    c = c // 3 + c % 5\n";
  growing += "    if c == 1:\n        pass\n";
  std::string nested = "    a = " + std::string(150, '(') + "n" + std::string(150, ')') + "\n";
  std::string calls = "def f0(x):\n    return x\n";
  for (int i = 1; i < 100; ++i) calls += "def f" + std::to_string(i) + "(x):\n    return f" + std::to_string(i - 1) + "(x)\n";
  for (const std::string& body : {"    a = " + sum + "\n", ladder, growing, nested, std::string("    a = f99(n)\n")}) {
    const Package package("import cuda.tile as ct\n" + calls + "@ct.kernel\ndef k(x, n: int, N: ct.Constant[int]):\n" + body);
    EXPECT_EQ(package.read().kernels.size(), 1u);
  }
}

}  // namespace
}  // namespace tilewright::front::cutile
