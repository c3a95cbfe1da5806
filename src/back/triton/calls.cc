// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters and calls. An array becomes its pointer and those extents and strides that are used, in a kernel and in a helper
// alike.

#include <algorithm>

#include "back/triton/extents.h"
#include "back/triton/lower.h"
#include "back/triton/messages.h"
#include "base/check.h"
#include "ir/walk.h"

namespace tilewright::back::triton {

using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

void Lowering::plan_parameters() {
  const std::vector<ir::Param>& params = program_.functions[function_].params;
  const auto constant = [&](const ir::Param& param) {
    return type(param.value).kind == ir::TypeKind::Const || type(param.value).kind == ir::TypeKind::DtypeConst;
  };
  // What arrays carry stands before the first constant that no array follows.
  size_t behind_arrays = 0;
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i].value && (is_array(params[i].value) || type(params[i].value).kind == ir::TypeKind::ArrayList))
      behind_arrays = i + 1;
  }
  size_t insert = behind_arrays;
  while (insert < params.size() && !(params[insert].value && constant(params[insert]))) ++insert;

  std::vector<Slot> carried;
  const auto carry = [&](Carries what) {
    for (uint32_t i = 0; i < params.size(); ++i) {
      if (!params[i].value || !is_array(params[i].value)) continue;
      const Fields fields = demand_.of(params[i].value);
      const std::string stem = std::string(name(params[i].value)) + (what == Carries::Extent ? "_shape_" : "_stride_");
      for (uint32_t axis = 0; axis < 32; ++axis) {
        if (what == Carries::Extent ? fields.extent(axis) : fields.stride(axis))
          carried.push_back({what, i, axis, std::string(fresh(stem + std::to_string(axis))), false});
      }
    }
  };
  carry(Carries::Extent);
  carry(Carries::Stride);

  std::vector<Slot> last;
  for (uint32_t i = 0; i < params.size(); ++i) {
    if (i == insert) out_.slots.insert(out_.slots.end(), carried.begin(), carried.end());
    const ValueId value = params[i].value;
    if (!value) continue;
    const std::string name(this->name(value));
    if (type(value).kind == ir::TypeKind::ArrayList) {
      const Fields fields = demand_.of(value);
      if (fields.address || fields.extents || fields.strides) out_.slots.push_back({Carries::Table, i, 0, name, false});
      if (fields.length) out_.slots.push_back({Carries::Length, i, 0, std::string(fresh(name + "_len")), false});
      if (fields.address) last.push_back({Carries::Dtype, i, 0, std::string(fresh(name + "_dtype")), true});
      continue;
    }
    slot_of_[i] = out_.slots.size();
    out_.slots.push_back({Carries::Author, i, 0, name, constant(params[i])});
  }
  if (insert >= params.size()) out_.slots.insert(out_.slots.end(), carried.begin(), carried.end());
  out_.slots.insert(out_.slots.end(), last.begin(), last.end());

  for (uint32_t i = 0; i < params.size(); ++i) {
    const ValueId value = params[i].value;
    if (!value) continue;
    if (is_const(value) && !program_.arena.literal_of(type(value).value))
      constants_.try_emplace(type(value).value, value_names_[value.index]);
    if (!is_array(value)) continue;
    View view{.pointer = python_.atom(name(value)), .label = std::string(name(value)), .extents = {}, .strides = {}};
    view.extents.resize(32);
    view.strides.resize(32);
    for (const Slot& slot : out_.slots) {
      if (slot.param != i) continue;
      if (slot.what == Carries::Extent) view.extents[slot.axis] = python_.atom(slot.name);
      if (slot.what == Carries::Stride) view.strides[slot.axis] = python_.atom(slot.name);
    }
    views_[value] = std::move(view);
  }
}

PyId Lowering::call(const Op& op) {
  const Callee& callee = callees_.at(op.attrs.rare->function);
  if (!callee.ok) out_.ok = false;
  out_.asserts = out_.asserts || callee.asserts;
  out_.helpers.insert(op.attrs.rare->function);
  const std::vector<ir::Param>& params = program_.functions[op.attrs.rare->function].params;
  std::vector<ValueId> operands(params.size());
  size_t next = 0;
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i].value) operands[i] = op.operands[next++];
  }
  const auto own_slot = [&](ValueId list, Carries what) -> PyId {
    for (const Slot& slot : out_.slots) {
      if (slot.what == what && program_.functions[function_].params[slot.param].value == list) return python_.atom(slot.name);
    }
    TW_CHECK(false, "a list of arrays that is no parameter");
    return {};
  };
  std::vector<PyId> arguments;
  for (const Slot& slot : callee.slots) {
    const ValueId operand = operands[slot.param];
    switch (slot.what) {
      case Carries::Author: arguments.push_back(is_array(operand) ? view(operand).pointer : value(operand)); break;
      case Carries::Extent: arguments.push_back(view(operand).extents[slot.axis]); break;
      case Carries::Stride: arguments.push_back(view(operand).strides[slot.axis]); break;
      case Carries::Table:
      case Carries::Length:
      case Carries::Dtype: arguments.push_back(own_slot(operand, slot.what)); break;
      case Carries::Parts: arguments.push_back(*parts_); break;
    }
  }
  // What the helper asks of a launch, and what it needs, is the kernel's too.
  out_.guards.floats.insert(callee.guards.floats);
  out_.guards.not_float8_e5m2.insert(callee.guards.not_float8_e5m2);
  out_.guards.not_bool.insert(callee.guards.not_bool);
  out_.guards.not_float64.insert(callee.guards.not_float64);
  Resources& all = out_.resources;
  all.tiles.insert(all.tiles.end(), callee.resources.tiles.begin(), callee.resources.tiles.end());
  all.products.insert(all.products.end(), callee.resources.products.begin(), callee.resources.products.end());
  all.stages.insert(all.stages.end(), callee.resources.stages.begin(), callee.resources.stages.end());
  return python_.call(callee.name, arguments);
}

// --- text

namespace {

std::string text_of(const Slot& slot) { return slot.constant ? slot.name + ": tl.constexpr" : slot.name; }

}  // namespace

// The author's lines, with their comments; what arrays carry in lines of its own.
std::string Lowering::signature() {
  const ir::Function& function = program_.functions[function_];
  const FunctionRemarks* const written = settings_.author.function(function_);
  const std::string_view text = settings_.author.text(function.span.file);
  std::vector<Row> rows;
  const std::string head = "def " + out_.name + "(";
  const uint32_t width = settings_.names.line_width;

  syntax::Comments comments;
  uint32_t start = 0;
  if (written) {
    comments = written->comments->inner;
    start = written->begin;
  }
  // Lines are counted from the one that the function begins on; above it are negative ones.
  std::vector<size_t> line_ends;  // as far as somebody asked
  const auto line_at = [&](uint32_t offset) -> int64_t {
    if (offset < start) return -1;
    while (line_ends.empty() || line_ends.back() < offset)
      line_ends.push_back(std::min(text.find('\n', line_ends.empty() ? start : line_ends.back() + 1), text.size()));
    return std::lower_bound(line_ends.begin(), line_ends.end(), offset) - line_ends.begin();
  };
  std::vector<int64_t> param_lines;
  for (const ir::Param& param : function.params)
    param_lines.push_back(!text.empty() && param.node ? line_at(param.span.begin) : -1);
  std::vector<int64_t> comment_lines;
  for (const syntax::Comment& comment : comments) comment_lines.push_back(line_at(comment.span.begin));
  const auto own_line = [&](const syntax::Comment& comment) {
    size_t at = comment.span.begin;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
    return at == 0 || text[at - 1] == '\n';
  };
  std::vector<bool> used(comments.size());

  // Strides in one row if they fit, else a row an array.
  const auto add_carried = [&](Carries what) {
    size_t length = 8;
    for (const Slot& slot : out_.slots) length += slot.what == what ? slot.name.size() + 2 : 0;
    const bool together = what == Carries::Extent || length <= width;
    const Slot* last = nullptr;
    for (const Slot& slot : out_.slots) {
      if (slot.what != what) continue;
      if (!last || (!together && slot.param != last->param)) rows.push_back({});
      last = &slot;
      rows.back().items.push_back(slot.name);
    }
  };

  int64_t current = -2;
  bool carried = false;
  bool several_lines = false;
  for (const Slot& slot : out_.slots) {
    if (slot.what == Carries::Extent || slot.what == Carries::Stride) {
      if (!carried) {
        add_carried(Carries::Extent);
        add_carried(Carries::Stride);
      }
      carried = true;
      current = -2;
      continue;
    }
    const int64_t line = slot.what == Carries::Dtype || slot.what == Carries::Parts ? -3 : param_lines[slot.param];
    if (line != current || rows.empty()) {
      rows.push_back({});
      for (size_t i = 0; i < comments.size(); ++i) {
        if (used[i] || line < 0 || comment_lines[i] >= line || comment_lines[i] < 0 || !own_line(comments[i])) continue;
        used[i] = true;
        rows.back().leading.emplace_back(comments[i].text);
      }
    }
    current = line;
    several_lines = several_lines || line > 0;
    rows.back().items.push_back(text_of(slot));
    for (size_t i = 0; i < comments.size(); ++i) {
      if (used[i] || line < 0 || comment_lines[i] != line) continue;
      used[i] = true;
      rows.back().comment = comments[i].text;
    }
  }
  // What a line says of parameters that are gone, goes too. Comments of decorators stand in front of the def.
  for (uint32_t param = 0; param < function.params.size(); ++param) {
    const int64_t line = param_lines[param];
    for (size_t i = 0; i < comments.size(); ++i)
      used[i] = used[i] || (line >= 0 && comment_lines[i] == line && !own_line(comments[i]));
  }
  signature_comments_.clear();
  for (size_t i = 0; i < comments.size(); ++i) {
    if (!used[i]) signature_comments_.emplace_back(comments[i].text);
  }
  return format_rows(head, rows, "):", 0, width, several_lines ? Lines::Several : Lines::AsFew);
}

std::string Lowering::definition_text() {
  const FunctionRemarks* const written = settings_.author.function(function_);
  const std::string head = signature();
  std::string above;
  for (const std::string& comment : signature_comments_) above += comment + "\n";
  above += "@triton.jit\n" + head;
  if (written && !written->comments->trailing.empty()) above.append("  ").append(written->comments->trailing);
  above += '\n';
  std::string out = body_text();
  out.insert(0, above);
  if (written) {
    for (const syntax::Comment& comment : written->comments->closing) {
      out.append(comment.blank_lines_before, '\n').append(4, ' ').append(comment.text).append("\n");
    }
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

std::string Lowering::support(std::string_view name) {
  out_.support.emplace(name);
  return settings_.names.support_name(name);
}

// --- what proofs took for granted

// Constants of the launch that a variable takes as an int32, each once.
std::vector<sym::ExprId> Lowering::numbers_of_constants() const {
  std::set<ir::VarId> numbers;
  for (const OpId id : ops_) {
    if (op(id).kind == OpKind::Get && is_tile(op(id).results[0]) &&
        program_.types.scalar_of(type(op(id).results[0]).dtype) == ir::Scalar::I32)
      numbers.insert(op(id).attrs.var);
  }
  std::vector<sym::ExprId> out;
  for (const OpId id : ops_) {
    if (op(id).kind != OpKind::Set) continue;
    for (size_t i = 0; i < op(id).operands.size(); ++i) {
      const ir::Type& from = type(op(id).operands[i]);
      const bool is_open = from.kind == ir::TypeKind::Const && !from.strict && from.loose == ir::LooseKind::Int &&
                           !program_.arena.literal_of(from.value);
      if (is_open && numbers.contains(ir::written_vars(op(id))[i]) && std::find(out.begin(), out.end(), from.value) == out.end())
        out.push_back(from.value);
    }
  }
  return out;
}

// Conditions on constants alone are asked when the kernel is compiled, behind its docstring.
void Lowering::assert_constants() {
  const ir::Function& function = program_.functions[function_];
  const auto is_constant = [&](sym::ExprId atom) {
    const std::string& name = program_.arena.atom_of(atom).key;
    return std::any_of(out_.slots.begin(), out_.slots.end(), [&](const Slot& slot) {
      const ir::Param& param = function.params[slot.param];
      return slot.what == Carries::Author && param.name == name && slot.name == name && is_const(param.value);
    });
  };
  PyId all;
  for (const sym::ExprId condition : function.assumes) {
    const sym::Expr& expr = program_.arena[condition];
    if (expr.kind != sym::ExprKind::Ge) continue;
    const std::vector<sym::ExprId> atoms = program_.arena.atoms_in(condition);
    if (!std::all_of(atoms.begin(), atoms.end(), is_constant)) continue;
    const PyId test = python_.infix(python_.atom(program_.arena.text(expr.operands[0])),
                                    ">=", python_.atom(program_.arena.text(expr.operands[1])));
    all = all ? python_.infix(all, "and", test) : test;
    out_.asserted.insert(condition);
  }
  // A number of 32 bits without a sign is what Triton would make of it; cuTile makes one of 64 bits.
  for (const sym::ExprId constant : numbers_of_constants()) {
    const std::vector<sym::ExprId> atoms = program_.arena.atoms_in(constant);
    if (!std::all_of(atoms.begin(), atoms.end(), is_constant)) continue;
    const PyId test = python_.infix(python_.atom(program_.arena.text(constant)), "<", python_.atom("2**31"));
    all = all ? python_.infix(all, "and", test) : test;
  }
  if (all && out_.ok) insert_statement(python_.expression(python_.call("tl.static_assert", {all})));
}

// --- what a launch has to know

// Whether a tile is as large as another one of its dtype, or larger.
static bool holds(sym::Arena& arena, const TileSize& whole, const TileSize& part) {
  return whole.dtype == part.dtype && divides(arena, elements(arena, part.shape), elements(arena, whole.shape));
}

// What either of two branches loads: their tiles in pairs where one holds the other, and the rest of both.
static std::vector<TileSize> larger_of(sym::Arena& arena, std::vector<TileSize> tiles, const std::vector<TileSize>& others) {
  std::vector<bool> paired(tiles.size());
  for (const TileSize& other : others) {
    bool found = false;
    for (size_t i = 0; i < paired.size() && !found; ++i) {
      if (paired[i] || (!holds(arena, tiles[i], other) && !holds(arena, other, tiles[i]))) continue;
      if (!holds(arena, tiles[i], other)) tiles[i] = other;
      found = paired[i] = true;
    }
    if (!found) tiles.push_back(other);
  }
  return tiles;
}

// What a tile was before it was only seen in another way.
ValueId Lowering::source_of(ValueId value) const {
  for (const Op* made = definition(value); made && !made->operands.empty(); made = definition(value)) {
    const bool same = made->kind == OpKind::Reshape || made->kind == OpKind::Permute || made->kind == OpKind::Copy ||
                      made->kind == OpKind::Cast;
    if (!same) break;
    value = made->operands[0];
  }
  return value;
}

// A variable is what all its assignments are: one branch loads a tile as it lies, the other one transposed.
bool Lowering::is_loaded(ValueId value, int depth) const {
  const Op* made = definition(source_of(value));
  if (!made) return false;
  if (made->kind == OpKind::LoadTile || made->kind == OpKind::Gather) return true;
  if (made->kind != OpKind::Get || depth == 0) return false;
  return std::all_of(sets_.begin(), sets_.end(), [&](OpId set) {
    const std::span<const ir::VarId> vars = ir::written_vars(op(set));
    for (size_t i = 0; i < vars.size(); ++i) {
      if (vars[i] == made->attrs.var && !is_loaded(op(set).operands[i], depth - 1)) return false;
    }
    return true;
  });
}

void Lowering::plan_resources() {
  for (const OpId id : ops_) {
    const Op& current = op(id);
    if (!live_[id.index]) continue;
    for (const ValueId result : current.results) {
      if (is_tile(result) && !type(result).shape.empty()) out_.resources.tiles.push_back(program_.values[result].type);
    }
    if (current.kind == OpKind::Dot) {
      const ir::TypeId accumulator = program_.values[current.results[0]].type;
      out_.resources.products.push_back({.accumulator = accumulator, .depth = shape(current.operands[0]).back()});
    }
    if (current.kind != OpKind::For && current.kind != OpKind::While) continue;
    // The innermost loops with a product: their loads are pipelined. Operands from outside stay where they are.
    bool product = false;
    bool inner_loop = false;
    Stage stage;
    const auto size_of = [&](ValueId value) { return TileSize{type(value).dtype, type(value).shape}; };
    const auto collect = [&](const auto& self, ir::BlockId block) -> std::vector<TileSize> {
      std::vector<TileSize> tiles;
      for (const OpId inner : program_.blocks[block].ops) {
        const Op& at = op(inner);
        if (ir::is_loop(at.kind)) inner_loop = true;
        if (at.kind == OpKind::Call && !callees_.at(at.attrs.rare->function).resources.products.empty()) product = true;
        if (at.kind == OpKind::Dot) {
          product = true;
          for (size_t i = 0; i < 2; ++i) {
            const ValueId source = source_of(at.operands[i]);
            const OpId made = program_.values[source].definition;
            const bool outside = !made || uses_.where[made.index].order < uses_.where[id.index].order;
            const bool loaded = made && (op(made).kind == OpKind::LoadTile || op(made).kind == OpKind::Gather);
            if (outside || (!loaded && i == 1 && op(made).kind != OpKind::Get)) {
              stage.resident.push_back(size_of(source));
            } else if (i == 0 && !is_loaded(at.operands[i])) {
              stage.computed.push_back(size_of(at.operands[i]));
            }
          }
        }
        if (at.kind == OpKind::LoadTile || at.kind == OpKind::Gather) tiles.push_back(size_of(at.results[0]));
        std::vector<std::vector<TileSize>> parts;
        for (const ir::BlockId region : at.regions) parts.push_back(self(self, region));
        // One branch or the other: of two tiles of an array the larger one, a column or a matrix.
        if (at.kind == OpKind::If && parts.size() == 2) parts = {larger_of(program_.arena, std::move(parts[0]), parts[1])};
        for (const auto& part : parts) tiles.insert(tiles.end(), part.begin(), part.end());
      }
      return tiles;
    };
    for (const ir::BlockId region : current.regions) {
      const std::vector<TileSize> tiles = collect(collect, region);
      stage.loaded.insert(stage.loaded.end(), tiles.begin(), tiles.end());
    }
    if (product && !inner_loop) out_.resources.stages.push_back(std::move(stage));
  }
}

}  // namespace tilewright::back::triton
