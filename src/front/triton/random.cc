// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Random numbers: Philox, a function of the seed and of the offset of each lane, calculated as Triton's library does.

#include <array>

#include "front/triton/builtins.h"

namespace tilewright::front::triton {

using ir::OpKind;
using ir::Scalar;
using ir::ValueId;

namespace {

// Ops at the place of one call.
class Random {
 public:
  Random(Reader& reader, NodeId node) : reader_(reader), node_(node) {}

  ValueId binary(OpKind kind, ValueId a, ValueId b) {
    ir::Attrs attrs;
    attrs.spelling = ir::Spelling::Library;
    return triton::binary(reader_, node_, kind, ir_val(a), ir_val(b), std::move(attrs)).value;
  }
  ValueId with_integer(OpKind kind, ValueId a, int64_t b) { return binary(kind, a, integer(reader_, node_, b)); }
  ValueId cast(ValueId value, Scalar scalar, OpKind kind = OpKind::Cast) {
    ir::Attrs attrs;
    attrs.dtype = reader_.types().known(scalar);
    attrs.spelling = ir::Spelling::Library;
    const ir::TypeId type = reader_.types().tile(attrs.dtype, shape_of(reader_, value));
    return emit(reader_, node_, kind, {value}, type, std::move(attrs));
  }

  // Two factors of 32 bits, the second a constant.
  ValueId upper_half(ValueId a, int64_t b) {
    ir::Attrs attrs;
    attrs.dtype = reader_.types().known(Scalar::U32);
    attrs.spelling = ir::Spelling::Library;
    const ValueId factor = as_tensor(reader_, node_, integer(reader_, node_, b), attrs.dtype);
    const ir::TypeId type = type_id(reader_, a);
    return emit(reader_, node_, OpKind::MulHigh, {a, factor}, type, std::move(attrs));
  }

  // Four random numbers of 32 bits for each lane of `low` and `high`, the halves of its offset.
  std::array<ValueId, 4> philox(ValueId seed, ValueId low, ValueId high, int64_t rounds) {
    const ValueId key = cast(seed, Scalar::U64);
    ValueId k0 = cast(key, Scalar::U32);
    ValueId k1 = cast(with_integer(OpKind::Shr, key, 32), Scalar::U32);
    const ValueId zero = with_integer(OpKind::Mul, low, 0);
    std::array<ValueId, 4> c{low, high, zero, zero};
    for (int64_t round = 0; round < rounds; ++round) {
      const ValueId even = binary(OpKind::BitXor, binary(OpKind::BitXor, upper_half(c[2], 0xCD9E8D57), c[1]), k0);
      const ValueId odd = binary(OpKind::BitXor, binary(OpKind::BitXor, upper_half(c[0], 0xD2511F53), c[3]), k1);
      c = {even, with_integer(OpKind::Mul, c[2], 0xCD9E8D57), odd, with_integer(OpKind::Mul, c[0], 0xD2511F53)};
      k0 = with_integer(OpKind::Add, k0, 0x9E3779B9);
      k1 = with_integer(OpKind::Add, k1, 0xBB67AE85);
    }
    return c;
  }

  // In [0, 1), of 31 bits.
  ValueId uniform(ValueId bits) {
    const ValueId x = cast(bits, Scalar::I32, OpKind::Bitcast);
    const ValueId mirrored = with_integer(OpKind::Sub, binary(OpKind::Sub, integer(reader_, node_, 0), x), 1);
    const ValueId negative = compare(reader_, node_, OpKind::CmpLt, ir_val(x), ir_val(integer(reader_, node_, 0))).value;
    ir::Attrs attrs;
    attrs.dtype = reader_.types().known(Scalar::I32);
    attrs.spelling = ir::Spelling::Library;
    const ValueId positive = emit(reader_, node_, OpKind::Where, {negative, mirrored, x}, type_id(reader_, x), std::move(attrs));
    return binary(OpKind::Mul, positive, number(4.6566127342e-10));
  }

  // Two normally distributed numbers of two uniform ones.
  std::array<ValueId, 2> normal(ValueId u1, ValueId u2) {
    ir::Attrs attrs;
    attrs.dtype = reader_.types().known(Scalar::F32);
    attrs.spelling = ir::Spelling::Library;
    const ir::TypeId type = type_id(reader_, u1);
    const ValueId least = as_tensor(reader_, node_, number(1.0e-7), attrs.dtype);
    const ValueId safe = emit(reader_, node_, OpKind::Max, {least, u1}, type, attrs);
    const ValueId angle = binary(OpKind::Mul, number(6.283185307179586), u2);
    const ValueId log = float_function(reader_, node_, OpKind::Log, safe);
    const ValueId radius = float_function(reader_, node_, OpKind::Sqrt, binary(OpKind::Mul, number(-2.0), log));
    return {binary(OpKind::Mul, radius, float_function(reader_, node_, OpKind::Cos, angle)),
            binary(OpKind::Mul, radius, float_function(reader_, node_, OpKind::Sin, angle))};
  }

 private:
  ValueId number(double value) { return literal(reader_, node_, sym::Value{value}); }

  Reader& reader_;
  NodeId node_;
};

std::optional<std::array<ValueId, 4>> random_bits(Reader& reader, const Call& call, std::string_view offset_name) {
  const auto seed = tensor_argument(reader, call, "seed");
  const auto offset = tensor_argument(reader, call, offset_name);
  if (!seed || !offset) return std::nullopt;
  int64_t rounds = 10;
  if (call.given("n_rounds")) {
    const auto given = as_known_int(reader, call.at("n_rounds"), call.value("n_rounds"), "the number of rounds");
    if (!given) return std::nullopt;
    if (*given < 0 || *given > 64) {
      error(reader, call.at("n_rounds"), messages::bad_option, "n_rounds", "between 0 and 64", std::to_string(*given));
      return std::nullopt;
    }
    rounds = *given;
  }
  for (const auto& [name, value] : {std::pair{std::string_view("seed"), *seed}, std::pair{offset_name, *offset}}) {
    const auto kind = class_of(reader, value);
    if (!kind || *kind == ir::ScalarClass::Signed || *kind == ir::ScalarClass::Unsigned) continue;
    error(reader, call.at(name), messages::wrong_kind, "`" + std::string(name) + "`", "of integers",
          describe(reader, ir_val(value)));
    return std::nullopt;
  }
  const auto scalar = reader.types().scalar_of(dtype_of(reader, *offset));
  if (!scalar) {
    error_with(reader, call.at(offset_name), "convert it: `.to(tl.int32)`", messages::of_open_dtype, call.builtin->name,
               dtype_text(reader, dtype_of(reader, *offset)));
    return std::nullopt;
  }
  Random random(reader, call.node);
  const ValueId low = random.cast(*offset, Scalar::U32);
  const bool is_wide = ir::bits_of(*scalar) > 32;
  const ValueId high = is_wide ? random.cast(random.with_integer(OpKind::Shr, *offset, 32), Scalar::U32)
                               : random.with_integer(OpKind::Mul, low, 0);
  return random.philox(*seed, low, high, rounds);
}

Val tuple_of(const std::array<ValueId, 4>& values) {
  return tuple_val({ir_val(values[0]), ir_val(values[1]), ir_val(values[2]), ir_val(values[3])});
}

}  // namespace

Val read_random(Reader& reader, const Call& call) {
  const auto kind = static_cast<RandomKind>(call.builtin->variant);
  const auto bits = random_bits(reader, call, kind == RandomKind::FourUniform ? "offsets" : "offset");
  if (!bits) return {};
  Random random(reader, call.node);
  std::array<ValueId, 4> uniform = {};
  switch (kind) {
    case RandomKind::Bits: return ir_val((*bits)[0]);
    case RandomKind::FourBits: return tuple_of(*bits);
    case RandomKind::Uniform: return ir_val(random.uniform((*bits)[0]));
    case RandomKind::Normal: {
      const ValueId u1 = random.uniform((*bits)[0]);
      return ir_val(random.normal(u1, random.uniform((*bits)[1]))[0]);
    }
    case RandomKind::FourUniform:
    case RandomKind::FourNormal: break;
  }
  for (size_t i = 0; i < 4; ++i) uniform[i] = random.uniform((*bits)[i]);
  if (kind == RandomKind::FourUniform) return tuple_of(uniform);
  const auto first = random.normal(uniform[0], uniform[1]);
  const auto second = random.normal(uniform[2], uniform[3]);
  return tuple_of({first[0], first[1], second[0], second[1]});
}

}  // namespace tilewright::front::triton
