// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/program.h"

#include <utility>

namespace tilewright::ir {
namespace {

constexpr OpInfo infos[] = {
#define OP(name, text, family, effect, operands, meaning) {#text, Family::family, Effect::effect, operands, meaning},
#include "ir/ops.def"
#undef OP
};

}  // namespace

const OpInfo& info(OpKind kind) { return infos[static_cast<size_t>(kind)]; }

std::optional<OpKind> op_named(std::string_view text) {
  for (size_t i = 0; i < std::size(infos); ++i) {
    if (infos[i].text == text) return static_cast<OpKind>(i);
  }
  return std::nullopt;
}

Program::Program(const Program& other)
    : arena(other.arena),
      types(other.types),
      ops(other.ops),
      values(other.values),
      blocks(other.blocks),
      vars(other.vars),
      functions(other.functions) {
  types.rebind(arena);
}

Program::Program(Program&& other) noexcept
    : arena(std::move(other.arena)),
      types(std::move(other.types)),
      ops(std::move(other.ops)),
      values(std::move(other.values)),
      blocks(std::move(other.blocks)),
      vars(std::move(other.vars)),
      functions(std::move(other.functions)) {
  types.rebind(arena);
}

Program& Program::operator=(Program other) noexcept {
  arena = std::move(other.arena);
  types = std::move(other.types);
  types.rebind(arena);
  ops = std::move(other.ops);
  values = std::move(other.values);
  blocks = std::move(other.blocks);
  vars = std::move(other.vars);
  functions = std::move(other.functions);
  return *this;
}

std::span<VarId> written_vars(Op& op) {
  if (op.kind != OpKind::Set) return {};
  if (op.attrs.var) return {&op.attrs.var, 1};
  return op.attrs.rare ? std::span(op.attrs.rare.edit().vars) : std::span<VarId>();
}

std::span<const VarId> written_vars(const Op& op) {
  if (op.kind != OpKind::Set) return {};
  return op.attrs.var ? std::span(&op.attrs.var, 1) : std::span(op.attrs.rare->vars);
}

void write_to(Attrs& attrs, std::span<const VarId> vars) {
  const bool one = vars.size() == 1;
  attrs.var = one ? vars[0] : VarId::none();
  if (!one || attrs.rare) attrs.rare.edit().vars = one ? OneList<VarId>() : OneList<VarId>(vars);
}

std::optional<sym::Value> literal_of(const Program& program, const Op& op) {
  if (op.kind != OpKind::Literal || op.results.size() != 1) return std::nullopt;
  const Type& type = program.types[program.values[op.results[0]].type];
  return type.kind == TypeKind::Const ? program.arena.literal_of(type.value) : std::nullopt;
}

OpId append(Program& program, BlockId block, Op op, const ShortList<TypeId>& results) {
  const OpId id{static_cast<uint32_t>(program.ops.size())};
  for (const TypeId type : results) op.results.push_back(program.values.add({.type = type, .definition = id, .name = {}}));
  program.ops.add(std::move(op));
  program.blocks[block].ops.push_back(id);
  return id;
}

}  // namespace tilewright::ir
