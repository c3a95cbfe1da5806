// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// The handlers of Triton's functions, by family.

#pragma once

#include "front/triton/dialect.h"

namespace tilewright::front::triton {

// launch.cc
Val read_program_id(Reader& reader, const Call& call);
Val read_barrier(Reader& reader, const Call& call);
Val read_assume(Reader& reader, const Call& call);
Val read_device_assert(Reader& reader, const Call& call);
Val read_hint(Reader& reader, const Call& call);
Val read_nothing(Reader& reader, const Call& call);
Val read_range_value(Reader& reader, const Call& call);
Val read_len(Reader& reader, const Call& call);
Val read_python_number(Reader& reader, const Call& call);
Val read_next_power_of_2(Reader& reader, const Call& call);
Val read_identity(Reader& reader, const Call& call);
// memory.cc
Val read_load(Reader& reader, const Call& call);
Val read_store(Reader& reader, const Call& call);
Val read_atomic(Reader& reader, const Call& call);
Val read_atomic_cas(Reader& reader, const Call& call);
Val read_pointer_type(Reader& reader, const Call& call);
// windows.cc
Val read_make_block_ptr(Reader& reader, const Call& call);
Val read_advance(Reader& reader, const Call& call);
Val read_make_descriptor(Reader& reader, const Call& call);
Val read_descriptor_load(Reader& reader, const Call& call);
Val read_descriptor_store(Reader& reader, const Call& call);
Val read_descriptor_atomic(Reader& reader, const Call& call);
Val read_descriptor_gather(Reader& reader, const Call& call);
Val read_descriptor_scatter(Reader& reader, const Call& call);
// math.cc
Val read_unary_function(Reader& reader, const Call& call);
Val read_any_unary(Reader& reader, const Call& call);
Val read_min_max(Reader& reader, const Call& call);
Val read_clamp(Reader& reader, const Call& call);
Val read_arithmetic_function(Reader& reader, const Call& call);
Val read_float_division(Reader& reader, const Call& call);
Val read_float_function(Reader& reader, const Call& call);
Val read_fma(Reader& reader, const Call& call);
Val read_mul_high(Reader& reader, const Call& call);
Val read_where(Reader& reader, const Call& call);
Val read_cast(Reader& reader, const Call& call);
Val read_cdiv(Reader& reader, const Call& call);
Val read_sigmoid(Reader& reader, const Call& call);
Val read_softmax(Reader& reader, const Call& call);
Val read_swizzle2d(Reader& reader, const Call& call);
Val read_dtype_question(Reader& reader, const Call& call);
// A function of float32 or float64 as the hardware calculates it.
ir::ValueId float_function(Reader& reader, NodeId node, ir::OpKind kind, ir::ValueId x,
                           ir::Rounding rounding = ir::Rounding::Default);
// random.cc
enum class RandomKind : uint8_t { Bits, FourBits, Uniform, FourUniform, Normal, FourNormal };
Val read_random(Reader& reader, const Call& call);
// shape.cc
Val read_arange(Reader& reader, const Call& call);
Val read_full(Reader& reader, const Call& call);
Val read_zeros_like(Reader& reader, const Call& call);
Val read_reshape(Reader& reader, const Call& call);
Val read_ravel(Reader& reader, const Call& call);
Val read_item(Reader& reader, const Call& call);
Val read_permute(Reader& reader, const Call& call);
Val read_expand_dims(Reader& reader, const Call& call);
Val read_broadcast_to(Reader& reader, const Call& call);
Val read_broadcast(Reader& reader, const Call& call);
Val read_join(Reader& reader, const Call& call);
Val read_split(Reader& reader, const Call& call);
Val read_interleave(Reader& reader, const Call& call);
Val read_flip(Reader& reader, const Call& call);
Val read_take(Reader& reader, const Call& call);
// reduce.cc
Val read_sum(Reader& reader, const Call& call);
Val read_extreme(Reader& reader, const Call& call);
Val read_argument_of_extreme(Reader& reader, const Call& call);
Val read_bit_reduction(Reader& reader, const Call& call);
Val read_cumulative(Reader& reader, const Call& call);
Val read_reduce_by(Reader& reader, const Call& call);
Val read_scan_by(Reader& reader, const Call& call);
Val read_map_by(Reader& reader, const Call& call);
Val read_sort(Reader& reader, const Call& call);
Val read_histogram(Reader& reader, const Call& call);
Val read_dot(Reader& reader, const Call& call);

// The reduction of a tile along an axis, or of all of it.
ir::ValueId reduced(Reader& reader, NodeId node, ir::ValueId x, ir::Reduction reduction, std::optional<uint32_t> axis,
                    bool keep_dims);

}  // namespace tilewright::front::triton
