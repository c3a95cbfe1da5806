// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/trace.h"

#include "interp/machine.h"
#include "interp/walk.h"
#include "ir/walk.h"

namespace tilewright::interp {

template <class Element>
static void add(Traced& out, typename Element::Stored bits) {
  const auto value = Element::decode(bits);
  if constexpr (std::floating_point<typename Element::Computed>) {
    out.numbers.push_back(static_cast<double>(value));
  } else {
    out.integers.push_back(static_cast<int64_t>(value));
  }
}

static Traced traced(std::string name, const Tile& tile) {
  Traced out{.name = std::move(name), .dtype = tile.dtype(), .extents = tile.extents()};
  if (tile.type->kept == Kept::Real) {
    const auto* elements = tile.data.as<const Real>();
    for (int64_t i = 0; i < tile.count(); ++i) out.numbers.push_back(elements[i].value);
  } else {
    with_element(tile.dtype(), [&](auto element) {
      using Element = decltype(element);
      for (int64_t i = 0; i < tile.count(); ++i) add<Element>(out, tile.data.as<const typename Element::Stored>()[i]);
    });
  }
  if (!tile.undefined) return out;
  for (int64_t i = 0; i < tile.count(); ++i) out.has_meaning.push_back(tile.undefined.as<const Mark>()[i] == no_mark);
  return out;
}

Traced traced(std::string name, const Array& array) {
  Traced out{.name = std::move(name), .dtype = array.dtype, .extents = array.extents};
  with_element(array.dtype, [&](auto element) {
    using Element = decltype(element);
    const auto* base = reinterpret_cast<const typename Element::Stored*>(array.base);
    each_row(array.extents, array.strides, [&](int64_t offset, int64_t count, int64_t step) {
      for (int64_t i = 0; i < count; ++i) add<Element>(out, base[offset + i * step]);
    });
  });
  return out;
}

void Machine::trace(ir::ValueId value, std::string name, bool is_stored) {
  const auto* tile = std::get_if<Tile>(&values_[value.index]);
  if (!tile || traced_.size() == options_.trace->most) return;
  traced_.push_back(interp::traced(std::move(name), *tile));
  traced_.back().is_stored = is_stored;
}

// What has a name, what a variable gets that has another one, and what is stored.
void Machine::trace(const ir::Op& op, const Access& access) {
  const Trace& wanted = *options_.trace;
  const source::Span start{op.span.file, op.span.begin, op.span.begin};
  if (index_ != wanted.program || !wanted.line.contains(start)) return;
  for (const ir::ValueId result : op.results) {
    const std::string& name = program().values[result].name;
    if (!name.empty()) trace(result, name, false);
  }
  if (op.kind == ir::OpKind::Set) {
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const std::string& name = program().vars[ir::written_vars(op)[i]].name;
      if (program().values[op.operands[i]].name != name) trace(op.operands[i], name, false);
    }
  }
  if (access.value) trace(access.value, name_of(access.array), true);
}

}  // namespace tilewright::interp
