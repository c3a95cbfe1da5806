// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Host code that a converted file may need and the author did not write. Each text stands for a piece of cuTile's host side and
// is as short as its use allows; it becomes part of the user's file, so it has to read as theirs.

#include "back/host/editor.h"
#include "base/check.h"
#include "syntax/parse.h"

namespace tilewright::back::host {

static std::string with_names(std::string text, const Naming& naming) {
  const std::pair<std::string_view, const std::string*> words[] = {{"$Launcher", &naming.names.launcher},
                                                                   {"$search", &naming.search},
                                                                   {"$launch_on", &naming.launch_on},
                                                                   {"$by_target", &naming.by_target}};
  for (const auto& [word, name] : words)
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) text.replace(at, word.size(), *name);
  return text;
}

static constexpr const char* launcher = R"py(class $Launcher:
    """A kernel as a value: called with a grid and the kernel's arguments."""

    def __init__(self, function, **hints):
        self.function = function
        self.hints = hints

    def __call__(self, grid, *args):
        self.function(grid, *args, num_warps=self.hints.get("num_worker_warps"))

    def replace_hints(self, **hints):
        """The same kernel with other hints: num_worker_warps becomes num_warps, others have no effect."""
        return $Launcher(self.function, **{**self.hints, **hints}))py";

static constexpr const char* search_body = R"py(:
    """Times the kernel with every configuration; the result's `best.config` is the fastest one."""
    if len(search_space) == 0:
        raise ValueError("Search space is empty.")
    successes, failures = [], []
    for config in search_space:
        tuned = kernel if isinstance(kernel, $Launcher) else kernel(config)
        if hints_fn is not None:
            tuned = tuned.replace_hints(**hints_fn(config))
        grid = grid_fn(config)
        mean_us = 0.0
        try:
            args = args_fn(config)
            with torch.cuda.stream(stream):
                tuned(grid, *args)
                if not triton.knobs.runtime.interpret:
                    mean_us = 1000 * triton.testing.do_bench(lambda: tuned(grid, *args))
        except Exception as error:
            failures.append((config, type(error), str(error)))
            continue
        successes.append(SimpleNamespace(config=config, mean_us=mean_us))
        if triton.knobs.runtime.interpret:
            break
    if not successes:
        config, error, message = failures[0]
        raise ValueError(f"No valid config found in search space.\nConfig: {config}\n{error.__name__}: {message}")
    best = min(successes, key=lambda success: success.mean_us)
    if not quiet:
        print(f"{len(successes)} succeeded, {len(failures)} failed, best: {best.config} ({best.mean_us:.1f} us)")
    return SimpleNamespace(best=best, successes=successes, failures=failures))py";

static constexpr const char* launch_on = R"py(def $launch_on(stream, kernel, grid, *args):
    with torch.cuda.stream(stream):
        kernel(grid, *args))py";

static constexpr const char* by_target = R"py(def $by_target(default=None, **values):
    """The value for the current GPU, such as sm_90=2, or else the default."""
    if not torch.cuda.is_available():
        return default
    major, minor = torch.cuda.get_device_capability()
    return values.get(f"sm_{major}{minor}", default))py";

// Docstrings keep their three double quotes.
static std::string with_quotes(std::string text, char quote) {
  if (quote == '"') return text;
  const syntax::Tree tree = syntax::parse(source::FileId{0}, text);
  std::vector<uint32_t> places;
  for (const syntax::Token token : tree.tokens()) {
    const bool string = token.kind == syntax::TokenKind::String && !tree.text(token).starts_with("\"\"\"");
    if (string || token.kind == syntax::TokenKind::FStringEnd) places.push_back(token.end - 1);
    if (string) places.push_back(token.begin);
    if (token.kind == syntax::TokenKind::FStringStart) places.push_back(token.end - 1);
  }
  for (const uint32_t at : places) text[at] = quote;
  return text;
}

static std::string plain_text(std::string_view name, const Naming& naming, const std::set<std::string>& search_keywords) {
  if (name == "Launcher") return with_names(launcher, naming);
  if (name == "launch_on") return with_names(launch_on, naming);
  if (name == "by_target") return with_names(by_target, naming);
  TW_CHECK(name == "search", "no such support");
  std::vector<Argument> parameters;
  for (const char* parameter : {"search_space", "stream", "grid_fn", "kernel", "args_fn", "hints_fn=None", "*", "quiet=False"})
    parameters.push_back({.text = parameter, .margin = {}, .comments_above = {}, .comment = {}});
  for (const std::string& keyword : search_keywords)
    parameters.push_back({.text = keyword + "=None", .margin = {}, .comments_above = {}, .comment = {}});
  const Place place{.indent = "", .column = 0, .behind = 1, .width = naming.names.line_width};
  return with_names(lay_out("def $search", parameters, place) + search_body, naming);
}

std::string support_text(std::string_view name, const Naming& naming, const std::set<std::string>& search_keywords) {
  return with_quotes(plain_text(name, naming, search_keywords), naming.names.quote);
}

}  // namespace tilewright::back::host
