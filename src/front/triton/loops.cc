// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops: `range` and `tl.range` are loops of the program, `tl.static_range` is its iterations one after the other where they are
// known.

#include <algorithm>

#include "front/common/control.h"
#include "front/triton/dialect.h"

namespace tilewright::front::triton {

using ir::ValueId;

namespace {

struct Read {
  std::vector<ValueId> bounds = {};  // start, stop, step
  bool is_static = false;
  ir::Spelling spelling = ir::Spelling::Stop;
  std::string hint = {};
};

// An integer, plain or of the program.
std::optional<ValueId> as_bound(Reader& reader, NodeId node, const Val& val) {
  const auto value = as_number(reader, node, val, "an argument of `range`");
  if (!value) return std::nullopt;
  if (!is_const(reader, *value)) learn_number(reader, dtype_of(reader, *value));
  const auto kind = class_of(reader, *value);
  const bool integer_ = !kind || kind == ir::ScalarClass::Signed || kind == ir::ScalarClass::Unsigned;
  if (is_scalar(reader, *value) && integer_ && !is_pointer(reader, *value)) {
    if (is_const(reader, *value)) learn_constant(reader, type_of(reader, *value).value, ir::LooseKind::Int);
    return value;
  }
  error(reader, node, messages::wrong_kind, "an argument of `range`", "an integer", describe(reader, ir_val(*value)));
  return std::nullopt;
}

std::optional<Read> read_range(Reader& reader, NodeId iter) {
  const syntax::Tree& tree = reader.tree();
  const auto call = tree.get_if<syntax::Call>(iter);
  const Val callee = call ? read_expression(reader, call->func) : Val{};
  const bool is_range =
      callee.is(ValKind::Builtin) && (callee.builtin->name == "range" || callee.builtin->name == "static_range");
  if (!is_range) {
    if (!call || !callee.poison())
      error_with(reader, iter, "loop over `range(…)`", messages::bad_range, "a loop must be over a range");
    return std::nullopt;
  }
  Read out;
  out.is_static = callee.builtin->name == "static_range";
  std::vector<std::pair<std::string_view, NodeId>> given;
  for (const NodeId argument : call->args) {
    if (tree.is(argument, NodeKind::Starred)) {
      error(reader, argument, messages::not_in_triton, "a starred argument of `range`");
      return std::nullopt;
    }
    given.push_back({"", argument});
  }
  NodeId named[3] = {};
  for (const NodeId word : call->keywords) {
    const auto keyword = tree.as<syntax::Keyword>(word);
    static constexpr std::string_view bounds[] = {"arg1", "arg2", "step"};
    const auto at = std::find(std::begin(bounds), std::end(bounds), keyword.arg);
    if (at != std::end(bounds)) {
      named[at - std::begin(bounds)] = keyword.value;
    } else {
      out.hint.append(out.hint.empty() ? "" : ", ").append(tree.text(word));
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    if (i >= given.size() && named[i]) given.push_back({"", named[i]});
  }
  if (given.empty() || given.size() > 3) {
    error(reader, iter, messages::bad_range, "`range` takes one to three bounds");
    return std::nullopt;
  }
  std::vector<ValueId> values;
  for (const auto& [name, argument] : given) {
    const auto value = as_bound(reader, argument, read_expression(reader, argument));
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  static constexpr ir::Spelling spellings[] = {ir::Spelling::Stop, ir::Spelling::StartStop, ir::Spelling::StartStopStep};
  out.spelling = spellings[values.size() - 1];
  if (values.size() == 1) values.insert(values.begin(), integer(reader, iter, 0));
  if (values.size() == 2) values.push_back(integer(reader, iter, 1));
  out.bounds = std::move(values);
  return out;
}

std::optional<int64_t> known_bound(const Reader& reader, ValueId value) {
  return is_const(reader, value) ? reader.program.arena.integer_of(type_of(reader, value).value) : std::nullopt;
}

// The iterations of a loop, one after the other.
class Iterations {
 public:
  Iterations(Reader& reader, const syntax::For& loop, int64_t start, int64_t step, int64_t count)
      : reader_(reader),
        frame_(*reader.frame),
        loop_(loop),
        slot_(slot_of(frame_, reader.tree().as<syntax::Name>(loop.target).id)),
        rest_(frame_.blocks.back().first.subspan(frame_.blocks.back().second + 1)),
        start_(start),
        step_(step),
        count_(count) {}

  // From the i-th on. True if what follows the loop in its block has been read too.
  bool read(int64_t i) {
    for (; i < count_ && frame_.environment.reachable; ++i) {
      Binding binding;
      binding.kind = Binding::Kind::Value;
      binding.value = ir_val(integer(reader_, loop_.target, start_ + i * step_));
      frame_.environment.bindings[slot_] = std::move(binding);
      Unrolled iteration{.body = loop_.body, .after = [this, i] { go_on(i + 1); }};
      frame_.unrolled.push_back(&iteration);
      read_statements(reader_, loop_.body);
      frame_.unrolled.pop_back();
      if (iteration.is_read) return true;
    }
    return false;
  }

 private:
  void go_on(int64_t i) {
    if (!frame_.environment.reachable || read(i)) return;
    Unrolled* const around = unrolled_with(frame_, rest_);
    read_statements(reader_, rest_);
    if (!around) return;
    around->is_read = true;
    around->after();
  }

  Reader& reader_;
  Frame& frame_;
  const syntax::For& loop_;
  uint32_t slot_;
  syntax::NodeList rest_;  // of the block in which the loop stands
  int64_t start_, step_, count_;
};

// False if the iterations are not known, or too many.
bool unroll(Reader& reader, const syntax::For& statement, const Read& range) {
  const auto start = known_bound(reader, range.bounds[0]);
  const auto stop = known_bound(reader, range.bounds[1]);
  const auto step = known_bound(reader, range.bounds[2]);
  if (!start || !stop || !step || *step == 0) return false;
  constexpr int64_t most = 64;
  const int64_t distance = *step > 0 ? *stop - *start : *start - *stop;
  const int64_t stride = *step > 0 ? *step : -*step;
  if (distance > most * stride) return false;
  const int64_t count = distance > 0 ? (distance + stride - 1) / stride : 0;
  reader.frame->rest_is_read = Iterations(reader, statement, *start, *step, count).read(0);
  return true;
}

}  // namespace

void read_for(Reader& reader, NodeId node) {
  const auto statement = reader.tree().as<syntax::For>(node);
  if (!statement.orelse.empty()) {
    error(reader, statement.orelse[0], messages::loop_else, "for … else");
    return;
  }
  const auto range = read_range(reader, statement.iter);
  const bool is_name = reader.tree().is(statement.target, NodeKind::Name);
  if (range && range->is_static && is_name && unroll(reader, statement, *range)) return;
  if (!range) return read_range_loop(reader, node, std::nullopt);
  ir::Types& types = reader.types();
  ir::DtypeId dtype = dtype_of(reader, range->bounds[0]);
  for (const size_t i : {1, 2}) dtype = types.common(dtype, dtype_of(reader, range->bounds[i]));
  Range made{.start = range->bounds[0],
             .stop = range->bounds[1],
             .step = range->bounds[2],
             .spelling = range->spelling,
             .induction = types.tile(dtype, {})};
  made.hint = range->is_static ? "static" : range->hint;
  read_range_loop(reader, node, made);
}

}  // namespace tilewright::front::triton
