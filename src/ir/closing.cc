// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "ir/closing.h"

#include "ir/text.h"

namespace tilewright::ir {

void Closing::bind(const std::string& atom, const sym::Value& value) {
  constants_[atom] = value;
  dtypes_.clear();
  types_.clear();
}

// An atom is a constant parameter, or a comparison of dtypes: "elem(0) == float32".
sym::ExprId Closing::lookup(const sym::Atom& atom) {
  if (const auto found = constants_.find(atom.key); found != constants_.end()) return program_.arena.literal(found->second);
  const auto argument_of = [&](size_t end) -> const Argument* {
    for (size_t i = 0; i < launch_.arguments.size() && i < names_.size(); ++i) {
      if (names_[i] == std::string_view(atom.key).substr(0, end)) return &launch_.arguments[i];
    }
    return nullptr;
  };
  // "X is None", "N is float", `MODE == "gelu"`: what a parameter of the kernel is.
  for (const auto& [what, kind] : {std::pair{" is None", ArgumentKind::None}, std::pair{" is float", ArgumentKind::Float}}) {
    if (!atom.key.ends_with(what)) continue;
    const Argument* argument = argument_of(atom.key.size() - std::string_view(what).size());
    return argument ? program_.arena.literal(argument->kind == kind) : sym::ExprId{};
  }
  if (const size_t sign = atom.key.find(" == \""); sign != std::string::npos) {
    if (const Argument* argument = argument_of(sign)) {
      const std::string_view wanted = std::string_view(atom.key).substr(sign + 5);
      return program_.arena.literal(argument->kind == ArgumentKind::String &&
                                    argument->text == wanted.substr(0, wanted.size() - 1));
    }
  }
  const size_t sign = atom.key.rfind(" == ");
  if (sign == std::string::npos) return {};
  const std::optional<DtypeId> left = parse_dtype(program_, std::string_view(atom.key).substr(0, sign));
  const std::optional<DtypeId> right = parse_dtype(program_, std::string_view(atom.key).substr(sign + 4));
  if (!left || !right) return {};
  const std::optional<Scalar> a = program_.types.scalar_of(dtype(*left));
  const std::optional<Scalar> b = program_.types.scalar_of(dtype(*right));
  if (!a || !b) return {};
  return program_.arena.literal(*a == *b);
}

sym::ExprId Closing::expression(sym::ExprId id) {
  return program_.arena.substitute(id, [&](const sym::Atom& atom) { return lookup(sym::Atom(atom)); });
}

DtypeId Closing::dtype(DtypeId id) {
  if (!id) return id;
  if (const auto found = dtypes_.find(id); found != dtypes_.end()) return found->second;
  Types& types = program_.types;
  const Dtype open = types[id];
  DtypeId closed = id;
  switch (open.kind) {
    case DtypeKind::Known: break;
    case DtypeKind::Element:
      if (open.index < launch_.arguments.size()) {
        const Argument& argument = launch_.arguments[open.index];
        if (argument.kind == ArgumentKind::Array || argument.kind == ArgumentKind::ArrayList ||
            argument.kind == ArgumentKind::Window)
          closed = types.known(argument.dtype);
      }
      break;
    case DtypeKind::Argument:
      if (open.index < launch_.arguments.size()) {
        const Argument& argument = launch_.arguments[open.index];
        const bool is_number =
            argument.kind == ArgumentKind::Bool || argument.kind == ArgumentKind::Int || argument.kind == ArgumentKind::Float;
        if (is_number) closed = types.known(argument.dtype);
      }
      break;
    case DtypeKind::Promote: {
      const DtypeId a = dtype(open.a);
      closed = types.promote(a, dtype(open.b));
      break;
    }
    case DtypeKind::Adapt: closed = types.adapt(dtype(open.a), open.loose); break;
    case DtypeKind::FloatOf: closed = types.float_of(dtype(open.a)); break;
    case DtypeKind::CountOf: closed = types.count_of(dtype(open.a)); break;
    case DtypeKind::Accumulator: closed = types.accumulator(dtype(open.a)); break;
    case DtypeKind::Common: {
      const DtypeId a = dtype(open.a);
      closed = types.common(a, dtype(open.b));
      break;
    }
    case DtypeKind::Widened: closed = types.widened(dtype(open.a), open.widening); break;
    case DtypeKind::Pointer: closed = types.pointer(dtype(open.a)); break;
    case DtypeKind::Passed:
      if (open.index < launch_.arguments.size() && launch_.arguments[open.index].kind == ArgumentKind::Dtype)
        closed = types.known(launch_.arguments[open.index].dtype);
      break;
    case DtypeKind::Select: {
      // Only the side that is taken is looked at: the other may be an error under this condition.
      const std::optional<bool> truth = program_.arena.truth_of(expression(open.condition));
      if (truth) closed = dtype(*truth ? open.a : open.b);
      break;
    }
  }
  dtypes_.emplace(id, closed);
  return closed;
}

TypeId Closing::type(TypeId id) {
  if (!id) return id;
  if (const auto found = types_.find(id); found != types_.end()) return found->second;
  Types& types = program_.types;
  const Type open = types[id];
  TypeId closed = id;
  switch (open.kind) {
    case TypeKind::Tile:
    case TypeKind::Window: {
      std::vector<sym::ExprId> shape;
      for (const sym::ExprId extent : open.shape) shape.push_back(expression(extent));
      closed = open.kind == TypeKind::Tile ? types.tile(dtype(open.dtype), std::move(shape))
                                           : types.window(dtype(open.dtype), std::move(shape));
      break;
    }
    case TypeKind::Const: {
      const sym::ExprId value = expression(open.value);
      LooseKind loose = open.loose;
      if (const std::optional<sym::Value> literal = program_.arena.literal_of(value); literal && !open.strict) {
        loose = std::holds_alternative<double>(*literal)    ? LooseKind::Float
                : std::holds_alternative<int64_t>(*literal) ? LooseKind::Int
                                                            : LooseKind::Bool;
      }
      closed = open.strict ? types.strict_constant(dtype(open.dtype), loose, value) : types.constant(loose, value);
      break;
    }
    case TypeKind::DtypeConst: closed = types.dtype_constant(dtype(open.dtype)); break;
    case TypeKind::Array:
    case TypeKind::ArrayList: {
      uint32_t rank = open.rank;
      const Dtype element = types[open.dtype];
      // What is passed, also where the kernel uses it with another rank in branches that this launch does not take.
      if (element.kind == DtypeKind::Element && element.index < launch_.arguments.size()) {
        rank = launch_.arguments[element.index].rank;
      }
      closed = open.kind == TypeKind::Array ? types.array(dtype(open.dtype), rank) : types.array_list(dtype(open.dtype), rank);
      break;
    }
    case TypeKind::None: break;
  }
  types_.emplace(id, closed);
  return closed;
}

std::optional<std::string> Closing::conflict(DtypeId id) const {
  if (!id) return std::nullopt;
  const Dtype& dtype = program_.types[id];
  switch (dtype.kind) {
    case DtypeKind::Known: return std::nullopt;
    case DtypeKind::Element: return "parameter " + std::to_string(dtype.index) + " is no array";
    case DtypeKind::Argument: return "parameter " + std::to_string(dtype.index) + " is no number";
    case DtypeKind::Common:
    case DtypeKind::Promote: {
      for (const DtypeId part : {dtype.a, dtype.b}) {
        if (std::optional<std::string> inner = conflict(part)) return inner;
      }
      return program_.types.text(dtype.a) + " and " + program_.types.text(dtype.b) + " have no common dtype";
    }
    case DtypeKind::Accumulator: {
      if (std::optional<std::string> inner = conflict(dtype.a)) return inner;
      return "there is no matrix product of " + program_.types.text(dtype.a);
    }
    case DtypeKind::Adapt:
    case DtypeKind::FloatOf:
    case DtypeKind::CountOf:
    case DtypeKind::Widened:
    case DtypeKind::Pointer: return conflict(dtype.a);
    case DtypeKind::Passed: return "parameter " + std::to_string(dtype.index) + " is no dtype";
    case DtypeKind::Select: return "nothing says whether " + program_.arena.text(dtype.condition);
  }
  return std::nullopt;
}

}  // namespace tilewright::ir
