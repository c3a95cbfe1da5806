// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// `ct.launch(stream, grid, kernel, (a, b))` becomes `launch_kernel(grid, a, b)`, or `expression(grid, *arguments)`.

#include <algorithm>

#include "back/host/editor.h"
#include "back/host/messages.h"

namespace tilewright::back::host {

using namespace syntax;

static bool is_primary(const Tree& tree, NodeId node) {
  return tree.is(node, NodeKind::Name) || tree.is(node, NodeKind::Attribute) || tree.is(node, NodeKind::Subscript) ||
         tree.is(node, NodeKind::Call);
}

static bool has_string_over_lines(const Tree& tree, source::Span span) {
  const syntax::Tokens& tokens = tree.tokens();
  for (size_t i = tree.token_from(span.begin).index; i < tokens.size() && tokens.begin(i) < span.end; ++i) {
    const Token token = tokens[i];
    const bool string = token.kind == TokenKind::String || token.kind == TokenKind::FStringMiddle;
    if (string && tree.text(token).find_first_of("\r\n") != std::string_view::npos) return true;
  }
  return false;
}

// The grid and the kernel's arguments as they are to be written, each with the comments that belong to it.
std::vector<Argument> Editor::launch_arguments(NodeId call, const ir::Launch& launch) const {
  struct Item {
    source::Span span;
    int argument;  // -1: the stream or the kernel, which is written elsewhere or not at all
  };
  std::vector<Argument> out;
  std::vector<Item> items;
  const NodeList given = tree_.as<Call>(call).args;
  const auto take = [&](NodeId node, std::string before, std::string after) {
    const source::Span span = tree_.parenthesized_span(node);
    std::string text = text_of(span);
    const bool fixed = text.find('\n') != std::string::npos && has_string_over_lines(tree_, span);
    items.push_back({span, static_cast<int>(out.size())});
    out.push_back({.text = before + std::move(text) + after,
                   .margin = fixed ? std::nullopt : std::optional(std::string(margin(span.begin))),
                   .comments_above = {},
                   .comment = {}});
  };
  items.push_back({tree_.span(given[0]), -1});
  take(NodeId{launch.grid.index}, "", "");
  items.push_back({tree_.span(given[2]), -1});
  const NodeId arguments{launch.arguments.index};
  if (const auto tuple = tree_.get_if<Tuple>(arguments)) {
    for (const NodeId element : tuple->elts) take(element, "", "");
  } else {
    const bool plain = is_primary(tree_, arguments) || tree_.parenthesized_span(arguments) != tree_.span(arguments);
    take(arguments, plain ? "*" : "*(", plain ? "" : ")");
  }

  const source::Span whole = tree_.span(call);
  std::vector<std::string> closing;
  for (const Comment& comment : tree_.comments_in(whole)) {
    const auto inside = [&](const Item& item) { return item.span.contains(comment.span); };
    if (std::any_of(items.begin(), items.end(), inside)) continue;
    const Item* before = nullptr;
    const Item* after = nullptr;
    for (const Item& item : items) {
      if (item.span.end <= comment.span.begin && file_.line_of(item.span.end) == file_.line_of(comment.span.begin))
        before = &item;
      if (!after && item.span.begin >= comment.span.end && item.argument >= 0) after = &item;
    }
    const bool about_stream = before == &items[0];
    if (about_stream) continue;  // goes with the stream
    if (before && before->argument >= 0)
      out[static_cast<size_t>(before->argument)].comment = comment.text;
    else if (after)
      out[static_cast<size_t>(after->argument)].comments_above.emplace_back(comment.text);
    else
      closing.emplace_back(comment.text);
  }
  if (!closing.empty()) out.push_back({.text = "", .margin = {}, .comments_above = std::move(closing), .comment = {}});
  return out;
}

void Editor::edit_launches() {
  std::vector<const ir::Site*> launches;
  for (const ir::Site& site : sites_.sites)
    if (site.kind == ir::SiteKind::Launch && !left_alone(site)) launches.push_back(&site);
  std::stable_sort(launches.begin(), launches.end(),
                   [](const auto* a, const auto* b) { return a->span.size() < b->span.size(); });
  for (const ir::Site* site : launches) edit_launch(*site);
}

// The `with` that makes a launch happen on its stream; nothing if it is the current one.
static std::string stream_context(const ir::Launch& launch, const std::string& stream, const std::string& device) {
  switch (launch.stream_kind) {
    case ir::StreamKind::Current: return {};
    case ir::StreamKind::CurrentOf: return "torch.cuda.device(" + device + ")";
    case ir::StreamKind::DefaultHandle: return "torch.cuda.stream(torch.cuda.default_stream())";
    case ir::StreamKind::Handle: return "torch.cuda.stream(torch.cuda.ExternalStream(" + stream + "))";
    case ir::StreamKind::Object: return "torch.cuda.stream(" + stream + ")";
  }
  return {};
}

// The same as an expression.
static std::string stream_value(const ir::Launch& launch, const std::string& stream) {
  switch (launch.stream_kind) {
    case ir::StreamKind::DefaultHandle: return "torch.cuda.default_stream()";
    case ir::StreamKind::Handle: return "torch.cuda.ExternalStream(" + stream + ")";
    case ir::StreamKind::Current:
    case ir::StreamKind::CurrentOf:
    case ir::StreamKind::Object: return stream;
  }
  return stream;
}

void Editor::edit_launch(const ir::Site& site) {
  const NodeId node{site.node.index};
  const ir::Launch& launch = sites_.launches[site.detail];
  for (const NodeId keyword : tree_.as<Call>(node).keywords)
    note(diag::report(diag::Severity::Note, tree_.span(keyword), message::dependent_launch));

  drop(tree_.span(tree_.as<Call>(node).func));
  if (launch.stream_kind == ir::StreamKind::Current) drop(tree_.span(tree_.as<Call>(node).args[0]));
  const NodeId kernel{launch.kernel.index};
  std::string callee = text_of(tree_.span(kernel));
  if (!is_primary(tree_, kernel)) callee = "(" + callee + ")";
  std::vector<Argument> arguments = launch_arguments(node, launch);
  const auto text_at = [&](ir::OriginId origin) { return origin ? text_of(tree_.span(NodeId{origin.index})) : std::string(); };
  const std::string stream = text_at(launch.stream);
  const std::string context = stream_context(launch, stream, text_at(launch.device));

  const NodeId statement = tree_.statement_of(node);
  const source::Span line = tree_.span(statement);
  const bool is_statement =
      tree_.parent(node) == statement && (tree_.is(statement, NodeKind::Expr) || tree_.is(statement, NodeKind::Return));
  const bool alone = starts_line(line.begin) && ends_logical_line(line.end);

  std::string margin_now = indent(line.begin);
  const uint32_t column =
      site.span.begin - line_start(site.span.begin) + columns(indent(site.span.begin)) - columns(margin(site.span.begin));
  Place place{.indent = indent(site.span.begin), .column = column, .behind = 0, .width = naming_.names.line_width};
  if (context.empty()) {
    const uint32_t line_end = line_start(site.span.end) + static_cast<uint32_t>(file_.line(file_.line_of(site.span.end)).size());
    if (!is_statement) place.behind = line_end - site.span.end;
    std::string text = lay_out(callee, arguments, place);
    write(text);
    return edits.replace(site.span, ended(std::move(text)));
  }
  if (is_statement && alone) {
    place.indent = margin_now + "    ";
    const std::string_view keyword = tree_.is(statement, NodeKind::Return) ? "return " : "";
    place.column = columns(place.indent) + columns(keyword);
    std::string text = "with " + context + ":\n" + place.indent + std::string(keyword) + lay_out(callee, arguments, place);
    write(text);
    return edits.replace(line, ended(std::move(text)));
  }
  need("launch_on", node);
  arguments.insert(arguments.begin(), {{.text = stream_value(launch, stream), .margin = {}, .comments_above = {}, .comment = {}},
                                       {.text = callee, .margin = {}, .comments_above = {}, .comment = {}}});
  place.behind = 1;
  std::string text = lay_out(naming_.launch_on, arguments, place);
  write(text);
  edits.replace(site.span, ended(std::move(text)));
}

// A line may have become too long by a longer name: its outermost call is laid out again, as black would do; an assigned
// expression that is no call gets parentheses.
void Editor::refit(const ir::Site& site) {
  const uint32_t begin = line_start(site.span.begin);
  const std::string_view old = file_.line(file_.line_of(begin));
  const source::Span line{tree_.file(), begin, begin + static_cast<uint32_t>(old.size())};
  const uint32_t moved_by = columns(margin(begin)) - columns(indent(begin));
  if (!edits.has(site.span) || !line.contains(site.span) || edits.crosses(line)) return;
  if (columns(text_of(line)) - moved_by <= std::max(naming_.names.line_width, columns(old))) return;

  NodeId outermost;
  NodeId value;
  for (NodeId at{site.node.index}; at && line.contains(tree_.span(at)); at = tree_.parent(at)) {
    if (tree_.is(at, NodeKind::Call) && !has_comment(tree_.span(at))) outermost = at;
    const auto assign = tree_.get_if<Assign>(tree_.parent(at));
    if (assign && assign->value == at && starts_line(tree_.span(tree_.parent(at)).begin)) value = at;
  }
  if (value && !tree_.is(value, NodeKind::Call)) {
    if (tree_.parenthesized_span(value) != tree_.span(value) || tree_.is(value, NodeKind::Tuple)) return;
    const std::string inner = indent(begin) + "    ";
    const std::string text = "(\n" + inner + text_of(tree_.span(value)) + "\n" + indent(begin) + ")";
    write(text);
    return edits.replace(tree_.span(value), ended(text));
  }
  if (!outermost) return;
  const Call view = tree_.as<Call>(outermost);
  std::vector<NodeId> given(view.args.begin(), view.args.end());
  given.insert(given.end(), view.keywords.begin(), view.keywords.end());
  std::sort(given.begin(), given.end(), [&](NodeId a, NodeId b) { return tree_.span(a).begin < tree_.span(b).begin; });
  std::vector<Argument> arguments;
  for (const NodeId one : given) {
    const source::Span span = tree_.is(one, NodeKind::Keyword) ? tree_.span(one) : tree_.parenthesized_span(one);
    arguments.push_back({.text = text_of(span), .margin = {}, .comments_above = {}, .comment = {}});
  }
  if (arguments.empty()) return;
  const source::Span span = tree_.span(outermost);
  const Place place{.indent = indent(begin),
                    .column = columns(text_of({tree_.file(), begin, span.begin})) - moved_by,
                    .behind = line.end - span.end,
                    .width = naming_.names.line_width};
  const std::string text = lay_out(text_of(tree_.span(view.func)), arguments, place);
  write(text);
  edits.replace(span, ended(text));
}

bool Editor::has_comment(source::Span span) const { return !tree_.comments_in(span).empty(); }

void Editor::refit_lines() {
  for (const ir::Site& site : sites_.sites)
    if (!left_alone(site) && site.kind != ir::SiteKind::Launch && site.kind != ir::SiteKind::Timeout) refit(site);
}

}  // namespace tilewright::back::host
