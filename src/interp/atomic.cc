// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomic updates, lane after lane. The result of a lane that is outside has no meaning.

#include <atomic>
#include <cstring>

#include "base/check.h"
#include "interp/addresses.h"
#include "interp/algebra.h"
#include "interp/arithmetic.h"
#include "interp/unwritten.h"

namespace tilewright::interp {
namespace {

template <class T>
T combined(ir::Atomic kind, T old, T value) {
  namespace a = arithmetic;
  switch (kind) {
    case ir::Atomic::Exchange: return value;
    case ir::Atomic::Add: return a::Add::of(old, value);
    case ir::Atomic::Max: return a::Max::of(old, value);
    case ir::Atomic::Min: return a::Min::of(old, value);
    case ir::Atomic::And:
      if constexpr (std::integral<T>) return a::BitAnd::of(old, value);
      break;
    case ir::Atomic::Or:
      if constexpr (std::integral<T>) return a::BitOr::of(old, value);
      break;
    case ir::Atomic::Xor:
      if constexpr (std::integral<T>) return a::BitXor::of(old, value);
      break;
  }
  TW_CHECK(false, "a bit operation on floats");
}

// Replaces an element by `change` of it; the old one.
template <class Stored, class Change>
Stored exchanged(Stored& element, Change&& change) {
  const std::atomic_ref<Stored> shared(element);
  Stored old = shared.load();
  while (!shared.compare_exchange_weak(old, change(old))) {
  }
  return old;
}

// The result, all of it without a meaning where lanes are outside.
Tile old_values(Machine& machine, const ir::Op& op, const Addresses& addresses) {
  Tile out = machine.make(op.results[0]);
  std::fill_n(out.data.data(), out.type->bytes(), std::byte{0});
  if (!machine.follows_undefined()) return out;
  out.undefined = machine.no_marks(out.count());
  for (int64_t lane = 0; lane < out.count(); ++lane) {
    if (!addresses.is_active(lane)) out.undefined.as<Mark>()[lane] = machine.mark(op, Reason::Left);
  }
  return out;
}

// Memory that nothing has written has an exchange's value afterwards; whatever else meets it stops the program. `out` is the
// result, if there is one.
void meet_unwritten(Machine& machine, const ir::Op& op, const Array& array, const Addresses& addresses, Tile* out) {
  if (!array.unwritten || !machine.follows_undefined()) return;
  const bool is_exchange = op.kind == ir::OpKind::AtomicRmw && op.attrs.rare->atomic == ir::Atomic::Exchange;
  for (int64_t lane = 0; lane < addresses.lanes.count; ++lane) {
    if (!addresses.is_active(lane) || !is_unwritten(array, addresses.offset(lane))) continue;
    const Mark mark = machine.mark(op, Reason::Unwritten);
    if (!is_exchange) return machine.fail_undefined(op, mark, "is updated", lane, addresses.lanes.extents);
    if (out) out->undefined.as<Mark>()[lane] = mark;
    set_written(array, addresses.offset(lane));
  }
}

// In order, as all updates of floats are.
void update_reals(Machine& machine, const ir::Op& op, const Access& access, const Addresses& addresses, const LaneValues& values,
                  Tile* out) {
  auto* to = reinterpret_cast<Real*>(addresses.array.base);
  for (int64_t lane = 0; lane < addresses.lanes.count; ++lane) {
    if (!addresses.is_active(lane)) continue;
    Real& place = to[addresses.offset(lane)];
    if (machine.looks_for_races()) touch(machine, op, access, addresses, lane, &place, Touch::Atomic);
    const Real now = algebra::updated(*machine.field(), op.attrs.rare->atomic, place, values.at<Real>(lane));
    if (!now.is_known()) {
      return machine.fail_undefined(op, machine.mark(op, now.reason()), "is stored", lane, addresses.lanes.extents);
    }
    if (out) out->data.as<Real>()[lane] = place;
    place = now;
  }
}

}  // namespace

void atomic_rmw(Machine& machine, const ir::Op& op, const Access& access) {
  const std::optional<Addresses> addresses = addresses_of(machine, op, access, "a lane updates");
  if (!addresses) return;
  const LaneValues values = values_of(machine, op, access.value, addresses->array.dtype, *addresses);
  if (machine.stopped()) return;
  const bool has_result = !op.results.empty();
  Tile out = has_result ? old_values(machine, op, *addresses) : Tile{};
  meet_unwritten(machine, op, addresses->array, *addresses, has_result ? &out : nullptr);
  if (machine.stopped()) return;
  if (addresses->array.kept == Kept::Real) {
    update_reals(machine, op, access, *addresses, values, has_result ? &out : nullptr);
    if (has_result) machine.set(op.results[0], std::move(out));
    return;
  }
  with_element(addresses->array.dtype, [&](auto element) {
    using Element = decltype(element);
    using Stored = typename Element::Stored;
    auto* to = reinterpret_cast<Stored*>(addresses->array.base);
    for (int64_t lane = 0; lane < addresses->lanes.count; ++lane) {
      if (!addresses->is_active(lane)) continue;
      const auto value = Element::decode(values.at<Stored>(lane));
      Stored& place = to[addresses->offset(lane)];
      if (machine.looks_for_races()) touch(machine, op, access, *addresses, lane, &place, Touch::Atomic);
      const Stored old = exchanged(
          place, [&](Stored before) { return Element::encode(combined(op.attrs.rare->atomic, Element::decode(before), value)); });
      if (has_result) out.data.as<Stored>()[lane] = old;
    }
  });
  if (has_result) machine.set(op.results[0], std::move(out));
}

// Elements are compared as bits, as hardware does.
void atomic_cas(Machine& machine, const ir::Op& op, const Access& access) {
  const std::optional<Addresses> addresses = addresses_of(machine, op, access, "a lane updates");
  if (!addresses) return;
  if (addresses->array.kept == Kept::Real) return machine.fail_undefined(op, machine.mark(op, Reason::Bits), "is compared");
  const LaneValues expected = values_of(machine, op, access.expected, addresses->array.dtype, *addresses);
  const LaneValues desired = values_of(machine, op, access.desired, addresses->array.dtype, *addresses);
  if (machine.stopped()) return;
  const bool has_result = !op.results.empty();
  Tile out = has_result ? old_values(machine, op, *addresses) : Tile{};
  meet_unwritten(machine, op, addresses->array, *addresses, has_result ? &out : nullptr);
  if (machine.stopped()) return;
  with_bits(bytes_of(addresses->array.dtype), [&](auto bits) {
    using T = decltype(bits);
    auto* to = reinterpret_cast<T*>(addresses->array.base);
    for (int64_t lane = 0; lane < addresses->lanes.count; ++lane) {
      if (!addresses->is_active(lane)) continue;
      const T old = exchanged(to[addresses->offset(lane)],
                              [&](T before) { return before == expected.at<T>(lane) ? desired.at<T>(lane) : before; });
      if (has_result) out.data.as<T>()[lane] = old;
    }
  });
  if (has_result) machine.set(op.results[0], std::move(out));
}

}  // namespace tilewright::interp
