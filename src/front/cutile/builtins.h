// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// cuTile's table of everything that device code can call by name, and its handlers by family.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "front/common/builtins.h"
#include "front/cutile/messages.h"

namespace tilewright::front::cutile {

const Builtin* find_builtin(BuiltinSet set, std::string_view name);
// What device code may call and we do not convert, by its full name (`cuda.tile.printf`, `operator.add`): what to say instead.
std::optional<std::string_view> unconverted_reason(std::string_view dotted);
std::optional<std::string_view> unconverted_method(std::string_view name);
bool is_host_name(std::string_view name);
// A name that is close to a builtin's: "did you mean".
std::string_view closest_builtin(std::string_view name);

// The families -----------------------------------------------------------------------------------------------------------------

// launch.cc
Val read_bid(Reader& reader, const Call& call);
Val read_range_value(Reader& reader, const Call& call);
// memory.cc
Val read_load(Reader& reader, const Call& call);
Val read_store(Reader& reader, const Call& call);
Val read_gather(Reader& reader, const Call& call);
Val read_scatter(Reader& reader, const Call& call);
Val read_num_tiles(Reader& reader, const Call& call);
Val read_slice_method(Reader& reader, const Call& call);
struct ElementIndex {
  std::vector<ir::ValueId> values = {};
  std::vector<sym::ExprId> shape = {};
};
std::optional<ElementIndex> element_index(Reader& reader, NodeId node, const Val& val, ir::ValueId array);
// Whether a value broadcasts to a shape; reports if not.
bool fits(Reader& reader, NodeId node, ir::ValueId value, const std::vector<sym::ExprId>& shape);
std::optional<std::vector<ir::ValueId>> tile_index(Reader& reader, NodeId node, const Val& val, ir::ValueId array);
enum class HasTma : uint8_t { No, Yes };
bool read_hints(Reader& reader, const Call& call, ir::Attrs& attrs, HasTma has_tma);
// A constant, known or of the launch: which bounds are tested.
bool read_bounds(Reader& reader, const Call& call, ir::Attrs& attrs);
// views.cc
Val read_tiled_view(Reader& reader, const Call& call);
Val read_view_load(Reader& reader, const Call& call);
Val read_view_store(Reader& reader, const Call& call);
Val read_view_num_tiles(Reader& reader, const Call& call);
Val read_view_atomic(Reader& reader, const Call& call);
Val read_index_slice(Reader& reader, const Call& call);
Val read_load_advanced(Reader& reader, const Call& call);
Val read_store_advanced(Reader& reader, const Call& call);
// atomic.cc
Val read_atomic_rmw(Reader& reader, const Call& call);
Val read_atomic_cas(Reader& reader, const Call& call);
bool check_atomic_dtype(Reader& reader, const Call& call, ir::DtypeId dtype, ir::Atomic atomic);
// math.cc
Val read_binary_function(Reader& reader, const Call& call);
Val read_compare_function(Reader& reader, const Call& call);
Val read_unary_function(Reader& reader, const Call& call);
Val read_min_max_builtin(Reader& reader, const Call& call);
Val read_divmod(Reader& reader, const Call& call);
Val read_where(Reader& reader, const Call& call);
Val read_astype(Reader& reader, const Call& call);
Val read_bitcast(Reader& reader, const Call& call);
Val read_constant_function(Reader& reader, const Call& call);  // int(), float(), bool()
Val read_ensure_constant(Reader& reader, const Call& call);
Val construct_dtype(Reader& reader, NodeId node, ir::DtypeId dtype, const std::vector<Argument>& arguments);
// Options of float arithmetic: rounding_mode, flush_to_zero, propagate_nan, as far as the signature has them.
bool read_float_options(Reader& reader, const Call& call, ir::OpKind kind, ir::Attrs& attrs);
bool check_float_options(Reader& reader, const Call& call, ir::DtypeId dtype, const ir::Attrs& attrs);
// create.cc
Val read_arange(Reader& reader, const Call& call);
Val read_full(Reader& reader, const Call& call);
Val read_zeros_ones(Reader& reader, const Call& call);
// shape.cc
Val read_reshape(Reader& reader, const Call& call);
Val read_permute(Reader& reader, const Call& call);
Val read_transpose(Reader& reader, const Call& call);
Val read_expand_dims(Reader& reader, const Call& call);
Val read_broadcast_to(Reader& reader, const Call& call);
Val read_cat(Reader& reader, const Call& call);
Val read_extract(Reader& reader, const Call& call);
Val read_item(Reader& reader, const Call& call);
Val read_len(Reader& reader, const Call& call);
Val read_tuple(Reader& reader, const Call& call);
// reduce.cc
Val read_reduce(Reader& reader, const Call& call);
Val read_scan(Reader& reader, const Call& call);
Val read_mma(Reader& reader, const Call& call);
Val read_matmul(Reader& reader, const Call& call);

}  // namespace tilewright::front::cutile
