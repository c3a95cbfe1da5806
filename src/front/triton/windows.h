// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Block pointers and tensor descriptors: both are windows.

#pragma once

#include "front/triton/dialect.h"

namespace tilewright::front::triton {

// `desc.shape`, `desc.load`, …
Val window_attribute(Reader& reader, NodeId node, ir::ValueId window, std::string_view name);
// tl.load and tl.store of a block pointer.
Val load_block(Reader& reader, const Call& call, ir::ValueId window, ir::Attrs attrs);
Val store_block(Reader& reader, const Call& call, ir::ValueId window, ir::Attrs attrs);
// The window that a value is; nullopt if it is none, without a report.
std::optional<ir::ValueId> window_of(Reader& reader, NodeId node, const Val& val);

}  // namespace tilewright::front::triton
