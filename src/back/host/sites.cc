// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Sites that are a name, or hardly more.

#include <algorithm>

#include "back/host/editor.h"
#include "back/host/messages.h"

namespace tilewright::back::host {

using namespace syntax;

static std::string_view torch_dtype(std::string_view cutile) { return cutile == "bool_" ? "bool" : cutile; }

// A compile error of cuTile is one of Triton's; a limit on compile time is never exceeded, since there is none.
static std::string_view triton_error(std::string_view cutile) {
  if (cutile == "TileError" || cutile == "TileInternalError" || cutile == "TileCompilerExecutionError")
    return "triton.TritonError";
  if (cutile == "TileCompilerTimeoutError") return "TimeoutError";
  return "triton.CompilationError";
}

void Editor::need(std::string_view support, NodeId user) {
  const NodeId statement = module_statement(user);
  const auto [at, fresh] = support_.try_emplace(std::string(support), statement);
  if (!fresh && tree_.span(statement).begin < tree_.span(at->second).begin) at->second = statement;
}

void Editor::edit_sites() {
  std::vector<const ir::Site*> calls;  // calls are rewritten after what is in them
  for (const ir::Site& site : sites_.sites) {
    if (left_alone(site)) continue;
    if (site.kind == ir::SiteKind::MakeKernel)
      calls.push_back(&site);
    else
      edit_site(site);
  }
  std::stable_sort(calls.begin(), calls.end(), [](const auto* a, const auto* b) { return a->span.size() < b->span.size(); });
  for (const ir::Site* site : calls) edit_made_kernel(*site);
}

void Editor::edit_site(const ir::Site& site) {
  const NodeId node{site.node.index};
  const auto become = [&](std::string text) {
    write(text);
    if (tree_.is_constant(node, ConstantKind::Str)) {  // a quoted annotation keeps its quotes
      const std::string_view old = tree_.text(node);
      const size_t open = old.find_first_of("'\"");
      text = std::string(old.substr(0, open + 1)) + text + old.back();
    }
    drop(site.span);
    edits.replace(site.span, std::move(text));
  };
  switch (site.kind) {
    case ir::SiteKind::KernelValue: return become(launch_names_[site.detail]);
    case ir::SiteKind::Search: {
      need("search", node);
      need("Launcher", node);
      const auto outer = tree_.get_if<Call>(tree_.parent(node));
      if (outer && outer->func == node) {
        for (const NodeId keyword : outer->keywords) {
          const Keyword view = tree_.as<Keyword>(keyword);
          if (view.arg != "single_run_timeout_sec" && view.arg != "flush_l2") continue;
          search_keywords_.emplace(view.arg);
          note(diag::report(diag::Severity::Note, tree_.span(keyword), message::search_keyword, view.arg));
        }
      }
      if (tree_.text(node) != naming_.search) become(naming_.search);
      own_searches_.insert(site.span.begin);
      return;
    }
    case ir::SiteKind::Cdiv: return become("triton.cdiv");
    case ir::SiteKind::Dtype: return become("torch." + std::string(torch_dtype(site.name.string())));
    case ir::SiteKind::DtypeClass: return become("torch.dtype");
    case ir::SiteKind::KernelClass: need("Launcher", node); return become(naming_.names.launcher);
    case ir::SiteKind::ByTarget: need("by_target", node); return become(naming_.by_target);
    case ir::SiteKind::Error:
      note(diag::report(diag::Severity::Note, site.span, message::error, site.name.string(), triton_error(site.name.string())));
      return become(std::string(triton_error(site.name.string())));
    case ir::SiteKind::Timeout: return drop_timeout(site);
    case ir::SiteKind::Launch:
    case ir::SiteKind::MakeKernel:
    case ir::SiteKind::Refused: return;
  }
}

// `ct.kernel(k._pyfunc, occupancy=2)` is k with other hints.
void Editor::edit_made_kernel(const ir::Site& site) {
  const NodeId node{site.node.index};
  const Call outer = tree_.as<Call>(node);
  const auto inner = tree_.get_if<Call>(outer.func);  // `ct.kernel(occupancy=2)(k._pyfunc)`
  NodeId kernel = outer.args[0];
  if (const auto attribute = tree_.get_if<Attribute>(kernel)) kernel = attribute->value;
  std::string text = text_of(tree_.span(kernel));
  drop(tree_.span(inner ? inner->func : outer.func));
  const NodeList keywords = inner ? inner->keywords : outer.keywords;
  if (!keywords.empty()) {
    std::vector<Argument> hints;
    for (const NodeId keyword : keywords)
      hints.push_back({.text = text_of(tree_.span(keyword)),
                       .margin = std::string(margin(tree_.span(keyword).begin)),
                       .comments_above = {},
                       .comment = {}});
    const Place place{.indent = indent(site.span.begin),
                      .column = site.span.begin - line_start(site.span.begin),
                      .behind = 1,
                      .width = naming_.names.line_width};
    text = lay_out(text + ".replace_hints", hints, place);
  }
  write(text);
  edits.replace(site.span, ended(std::move(text)));
}

// `with ct.compiler_timeout(5):` has nothing to do any more; its block moves out by one level.
void Editor::drop_timeout(const ir::Site& site) {
  const NodeId item{site.node.index};
  const NodeId with = tree_.parent(item);
  note(diag::report(diag::Severity::Note, site.span, message::timeout));
  const NodeList items = tree_.as<With>(with).items;
  drop(tree_.span(item));
  if (items.size() > 1) {
    const size_t at = static_cast<size_t>(std::find(items.begin(), items.end(), item) - items.begin());
    source::Span span = tree_.span(item);
    if (at + 1 < items.size())
      span.end = tree_.span(items[at + 1]).begin;
    else
      span.begin = tree_.span(items[at - 1]).end;
    return edits.remove(span);
  }
  const NodeList body = tree_.as<With>(with).body;
  const uint32_t begin = tree_.span(with).begin;
  const uint32_t first = tree_.decorated_span(body[0]).begin;
  if (!starts_line(first) || !starts_line(begin)) return edits.remove({tree_.file(), begin, first});  // `with …: statement`
  uint32_t end = next_logical_line(tree_.span(body.back()).end);
  for (const Comment& comment : tree_.closing_comments(with)) end = std::max(end, next_line(comment.span.end));
  const uint32_t inside = next_line(tree_.span(item).end);
  const bool nested = inside < dedented_to_;
  dedented_to_ = std::max(dedented_to_, end);
  dedents_.push_back({.span = {tree_.file(), inside, end},
                      .from = std::string(margin(first)),
                      .to = std::string(margin(begin)),
                      .nested = nested});
  // The header goes, with the line that it stands on; a comment behind the colon stays on a line of its own.
  const auto comment = tree_.trailing_comment(with);
  uint32_t header_end = line_start(first);
  for (const Comment& above : tree_.leading_comments(body[0])) header_end = std::min(header_end, line_start(above.span.begin));
  edits.replace({tree_.file(), line_start(begin), header_end},
                comment ? ended(std::string(margin(begin)) + std::string(comment->text) + "\n") : std::string());
}

void Editor::drop_timeouts() {
  if (dedents_.empty()) return;
  std::vector<source::Span> strings;  // a line may begin inside of one: it stays as it is
  std::vector<uint32_t> open;
  for (const Token token : tree_.tokens()) {
    if (token.kind == TokenKind::String) strings.push_back(tree_.span(token));
    if (token.kind == TokenKind::FStringStart) open.push_back(token.begin);
    if (token.kind == TokenKind::FStringEnd && !open.empty()) {
      if (open.size() == 1) strings.push_back({tree_.file(), open.back(), token.end});
      open.pop_back();
    }
  }
  const auto in_string = [&](uint32_t at) {
    const auto after = std::upper_bound(strings.begin(), strings.end(), at,
                                        [](uint32_t place, const source::Span& one) { return place <= one.begin; });
    return after != strings.begin() && std::prev(after)->end > at;
  };
  std::map<uint32_t, std::string> margins;                                      // by line start: as they are to be
  for (auto dedent = dedents_.rbegin(); dedent != dedents_.rend(); ++dedent) {  // inner ones first
    for (uint32_t at = dedent->span.begin; at < dedent->span.end; at = next_line(at)) {
      const std::string_view old = margin(at);
      if (in_string(at) || !old.starts_with(dedent->from) || file_.line(file_.line_of(at)).size() == old.size()) continue;
      margins.try_emplace(at, old).first->second.erase(dedent->to.size(), dedent->from.size() - dedent->to.size());
    }
  }
  for (const auto& [at, now] : margins) {
    const source::Span span{tree_.file(), at, at + static_cast<uint32_t>(margin(at).size())};
    if (span.size() > 0 && !edits.covers(span)) edits.replace(span, now);
  }
}

}  // namespace tilewright::back::host
