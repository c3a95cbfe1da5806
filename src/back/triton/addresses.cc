// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which offsets accesses share, where they are calculated and what they are called. An offset is calculated as early as what it
// is made of is known, but not outside of a branch that its constants belong to.

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "back/triton/lower.h"
#include "back/triton/versions.h"
#include "base/check.h"
#include "ir/attrs.h"

namespace tilewright::back::triton {

using ir::BlockId;
using ir::Bounds;
using ir::Op;
using ir::OpId;
using ir::OpKind;
using ir::Scalar;
using ir::ValueId;

namespace {

bool is_access(OpKind kind) {
  return kind == OpKind::LoadTile || kind == OpKind::StoreTile || kind == OpKind::Gather || kind == OpKind::Scatter ||
         kind == OpKind::AtomicRmw || kind == OpKind::AtomicCas;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// "TILE_M" and "BLOCK_SIZE_M" are about m, "TN" is about n, "TILE_SIZE" about nothing.
std::string subject(const std::string& tile) {
  std::string rest = lower(tile);
  for (const std::string_view word : {"tile_size_", "block_size_", "tile_", "block_", "size_"}) {
    if (rest.substr(0, word.size()) == word) {
      rest = rest.substr(word.size());
      break;
    }
  }
  for (const std::string_view word : {"_tile_size", "_block_size", "_tile", "_block", "_size"}) {
    if (rest.size() > word.size() && rest.substr(rest.size() - word.size()) == word) rest.resize(rest.size() - word.size());
  }
  if (rest.size() == 2 && tile.size() == 2 && (rest[0] == 't' || rest[0] == 'b')) return rest.substr(1);
  if (rest == "size" || rest == "tile" || rest == "block" || rest == "t") return "";
  return rest;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
         !std::isdigit(static_cast<unsigned char>(text[0]));
}

}  // namespace

namespace {

// What an index is, so that equal ones are found: text that two uses have in common, and the blocks it depends on.
struct Identity {
  std::string text;
  std::vector<BlockId> blocks;
};

// Attributes as text, equal where ops on equal operands have equal results.
class Meaning {
 public:
  template <class Enum>
    requires std::is_enum_v<Enum>
  void add(Enum field) {
    add(static_cast<uint32_t>(field));
  }
  template <class Tag>
  void add(Id<Tag> field) {
    add(field.index);
  }
  void add(uint8_t field) { add(uint32_t{field}); }
  void add(uint32_t field) { text_ += std::to_string(field) + ","; }
  void add(bool field) { add(uint32_t{field}); }
  void add(const RareString& field) { text_ += std::to_string(field.string().size()) + ":" + field.string() + ","; }
  template <class List>
    requires requires(const List& list) { *list.begin(), list.size(); }
  void add(const List& field) {
    add(static_cast<uint32_t>(field.size()));
    for (const auto& item : field) add(item);
  }
  std::string text() { return std::move(text_); }

 private:
  std::string text_;
};

std::string meaning(const ir::Attrs& attrs) {
  Meaning out;
  ir::each_attr(attrs, [&](std::string_view name, const auto& field) {
    if (name != "spelling" && name != "implicit") out.add(field);
  });
  return out.text();
}

}  // namespace

void Lowering::plan_addresses() {
  const std::map<OpId, Version> versions = versions_of(program_, function_);

  std::map<ValueId, BlockId> body_of_induction;  // by induction variable
  for (const OpId loop : ops_) {
    for (const BlockId region : op(loop).regions) {
      for (const ValueId argument : program_.blocks[region].arguments) body_of_induction[argument] = region;
    }
  }

  const auto identity = [&](const auto& self, ValueId value, Identity& out) -> void {
    if (is_const(value)) {
      out.text += program_.arena.text(type(value).value);
      return;
    }
    const OpId made = program_.values[value].definition;
    if (!made || !inlines(made)) {
      out.text += "%" + std::to_string(value.index);
      if (made) {
        out.blocks.push_back(uses_.where[made.index].block);
        return;
      }
      if (const auto loop = body_of_induction.find(value); loop != body_of_induction.end()) out.blocks.push_back(loop->second);
      return;
    }
    const Op& current = op(made);
    if (current.kind == OpKind::Get) {
      const Version& version = versions.at(made);
      out.text += "$" + std::to_string(current.attrs.var.index) + "#" + std::to_string(version.number);
      if (version.made_in) out.blocks.push_back(version.made_in);
      return;
    }
    if (ir::info(current.kind).effect != ir::Effect::Pure || !current.regions.empty()) {
      out.text += "%" + std::to_string(value.index);
      out.blocks.push_back(uses_.where[made.index].block);
      return;
    }
    out.text += std::string(ir::info(current.kind).text) + "." + std::to_string(program_.values[value].type.index) + "[" +
                meaning(current.attrs) + "](";
    for (const ValueId operand : current.operands) {
      self(self, operand, out);
      out.text += ",";
    }
    out.text += ")";
  };

  struct Use {
    OpId op;
    uint32_t axis = 0;
  };
  struct Wanted {
    std::vector<Use> uses;
    std::vector<BlockId> blocks;  // that it depends on
    ValueId index;
    ValueId extent;  // of a tile offset; none() for a 64-bit scalar
    sym::ExprId size;
    SharedKind kind = SharedKind::Offset;
  };
  std::vector<Wanted> wanted;
  std::map<std::string, uint32_t> known;
  const auto want = [&](SharedKind kind, OpId id, uint32_t axis, ValueId index, ValueId extent, sym::ExprId size) {
    Identity who;
    identity(identity, index, who);
    static constexpr const char* prefixes[] = {"o|", "w|", "e|"};
    std::string key = prefixes[static_cast<size_t>(kind)] + who.text;
    if (kind == SharedKind::Offset) key += "|" + program_.arena.text(size);
    const auto [found, inserted] = known.try_emplace(std::move(key), static_cast<uint32_t>(wanted.size()));
    if (inserted) {
      wanted.push_back(
          {.uses = {}, .blocks = std::move(who.blocks), .index = index, .extent = extent, .size = size, .kind = kind});
    }
    wanted[found->second].uses.push_back({id, axis});
  };

  for (const OpId id : ops_) {
    const Op& current = op(id);
    if (!live_[id.index] || !is_access(current.kind)) continue;
    const bool tiled = current.kind == OpKind::LoadTile || current.kind == OpKind::StoreTile;
    for (uint32_t axis = 0; axis < current.attrs.rank; ++axis) {
      const ValueId index = current.operands[1 + axis];
      if (tiled) {
        const bool load = current.kind == OpKind::LoadTile;
        const ValueId extent = load ? current.operands[1 + current.attrs.rank + axis] : ValueId{};
        const ValueId moved = load ? current.results[0] : current.operands[1 + current.attrs.rank];
        const bool scalar = !is_tile(moved) || type(moved).shape.empty();
        const sym::ExprId size = scalar ? program_.arena.integer(1) : type(moved).shape[axis];
        if (!is_unit(program_, size)) {
          want(SharedKind::Offset, id, axis, index, extent, size);
        } else if (!is_const(index)) {
          want(SharedKind::Wide, id, axis, index, {}, {});
        }
        continue;
      }
      if (is_const(index)) continue;
      if (type(index).shape.empty()) {
        want(SharedKind::Wide, id, axis, index, {}, {});
      }
      // An index that is calculated in place is needed twice, for the address and for the mask.
      const OpId made = program_.values[index].definition;
      const bool atom = has_name(index) || (made && op(made).kind == OpKind::Get && inlines(made));
      if (!atom && current.attrs.rare->bounds != Bounds::Never) want(SharedKind::Element, id, axis, index, {}, {});
    }
  }

  known.clear();

  // A branch that a constant condition decides may be the only place where its constants make sense (`if BLOCK_R > 0:`).
  const auto is_const_if = [&](OpId id) { return op(id).kind == OpKind::If && is_const(op(id).operands[0]); };
  const auto has_extent = [&](ValueId value, sym::ExprId size) {
    const std::vector<sym::ExprId>& extents = type(value).shape;
    return std::find(extents.begin(), extents.end(), size) != extents.end();
  };
  // Whether a block has tiles of this extent whatever the constants are.
  const auto certain = [&](const auto& self, BlockId block, sym::ExprId size) -> bool {
    const std::vector<OpId>& ops = program_.blocks[block].ops;
    return std::any_of(ops.begin(), ops.end(), [&](OpId id) {
      const Op& current = op(id);
      const auto extends = [&](ValueId value) { return has_extent(value, size); };
      if (std::any_of(current.results.begin(), current.results.end(), extends) ||
          std::any_of(current.operands.begin(), current.operands.end(), extends))
        return true;
      const auto inside = [&](BlockId region) { return self(self, region, size); };
      if (is_const_if(id))
        return current.regions.size() == 2 && std::all_of(current.regions.begin(), current.regions.end(), inside);
      return std::any_of(current.regions.begin(), current.regions.end(), inside);
    });
  };
  const auto lies_in = [this](BlockId block) {
    return [this, block](const Use& use) { return uses_.ancestor_in(block, use.op).valid(); };
  };
  // What is made in one branch of an `if` is used behind it too where the other branch ends the program. It is shared by the uses
  // in the branch, and again by those behind.
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (const BlockId needed : std::vector<BlockId>(wanted[i].blocks)) {
      std::vector<Use>& uses = wanted[i].uses;
      const auto behind = std::stable_partition(uses.begin(), uses.end(), lies_in(needed));
      if (behind == uses.begin() || behind == uses.end()) continue;
      Wanted again = wanted[i];
      again.uses.assign(behind, uses.end());
      uses.erase(behind, uses.end());
      wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(again));
    }
  }
  // The innermost block that an offset depends on and that has all of its uses.
  const auto needed_in = [&](const Wanted& shared) {
    BlockId block = program_.functions[function_].body;
    for (BlockId needed : shared.blocks) {
      while (!std::all_of(shared.uses.begin(), shared.uses.end(), lies_in(needed)))
        needed = uses_.where[uses_.owner[needed.index].index].block;
      if (uses_.contains(block, needed)) block = needed;
    }
    return block;
  };
  // Offsets that must stay in such branches are split, a part a branch.
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Wanted& shared = wanted[i];
    if (shared.kind != SharedKind::Offset || program_.arena.integer_of(shared.size)) continue;
    const BlockId block = needed_in(shared);
    const std::string index = is_const(shared.index) ? program_.arena.text(type(shared.index).value) : "";
    const bool divides = index.find_first_of("/%") != std::string::npos;
    if (!divides && certain(certain, block, shared.size)) continue;
    // The outermost such branch around a use, none() if there is none.
    const auto branch_of = [&](OpId use) {
      BlockId found;
      for (BlockId at = uses_.where[use.index].block; at != block;) {
        const OpId owner = uses_.owner[at.index];
        if (!owner) break;
        if (is_const_if(owner)) found = at;
        at = uses_.where[owner.index].block;
      }
      return found;
    };
    std::map<BlockId, std::vector<Use>> parts;
    for (const Use& use : shared.uses) parts[branch_of(use.op)].push_back(use);
    if (parts.size() == 1 && !parts.begin()->first) continue;
    std::vector<Wanted> instead;
    for (auto& [branch, uses] : parts) {
      Wanted& part = instead.emplace_back(shared);
      part.uses = std::move(uses);
      if (branch) part.blocks.push_back(branch);
    }
    const auto at = wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(i));
    wanted.insert(at, std::make_move_iterator(instead.begin()), std::make_move_iterator(instead.end()));
    --i;  // the parts may fall into parts
  }

  for (const Wanted& shared : wanted) {
    if (shared.kind == SharedKind::Wide && shared.uses.size() < 2) continue;  // written where it is used
    if (shared.kind == SharedKind::Wide && program_.types.scalar_of(type(shared.index).dtype) == Scalar::I64) continue;
    // The innermost block that it depends on, and from there down into a branch that has all the uses.
    BlockId block = needed_in(shared);
    OpId before;
    for (;;) {
      before = {};
      bool one = true;
      for (const Use& use : shared.uses) {
        const OpId at = uses_.ancestor_in(block, use.op);
        TW_CHECK(at.valid(), "an offset is used outside of the block that it depends on");
        if (before && before != at) one = false;
        if (!before || uses_.where[at.index].order < uses_.where[before.index].order) before = at;
      }
      if (!one || op(before).kind != OpKind::If) break;
      BlockId inside;
      for (const BlockId region : op(before).regions) {
        if (std::all_of(shared.uses.begin(), shared.uses.end(),
                        [&](const Use& use) { return uses_.ancestor_in(region, use.op).valid(); }))
          inside = region;
      }
      if (!inside) break;
      block = inside;
    }

    std::vector<std::string> names;
    const std::string index_name = [&]() -> std::string {
      if (is_const(shared.index)) return "";
      if (has_name(shared.index)) return std::string(name(shared.index));
      const OpId made = program_.values[shared.index].definition;
      if (made && op(made).kind == OpKind::Get) return std::string(this->name(op(made).attrs.var));
      return "";
    }();
    std::string base;
    if (shared.kind == SharedKind::Wide) {
      base = index_name.empty() ? "index64" : index_name + "64";
    } else if (shared.kind == SharedKind::Element) {
      base = type(shared.index).shape.empty() ? "index" : "offs";
    } else {
      const std::string tile = program_.arena.text(shared.size);
      const std::string about = is_identifier(tile) ? subject(tile) : "";
      if (!about.empty()) names.push_back("offs_" + about);
      if (!index_name.empty()) names.push_back("offs_" + index_name);
      base = names.empty() ? "offs" : names[0];
    }
    const auto free = std::find_if(names.begin(), names.end(), [&](const std::string& name) { return !is_taken(name); });
    const LocalId name = fresh_local(free == names.end() ? base : *free);
    const auto number = static_cast<uint32_t>(shared_.size());
    shared_.push_back({.name = name, .kind = shared.kind, .index = shared.index, .extent = shared.extent, .size = shared.size});
    shared_before_.emplace_back(before, number);
    SharedPlaces& places = shared.kind == SharedKind::Element ? elements_ : offsets_;
    for (const Use& use : shared.uses) places.push_back({.op = use.op, .axis = use.axis, .shared = number});
  }
  std::sort(shared_before_.begin(), shared_before_.end());
  for (SharedPlaces* places : {&offsets_, &elements_}) {
    std::sort(places->begin(), places->end(), [](const SharedAt& a, const SharedAt& b) { return a.place() < b.place(); });
  }
}

const Lowering::Shared* Lowering::shared_at(const SharedPlaces& places, OpId id, uint32_t axis) const {
  const std::pair<OpId, uint32_t> wanted{id, axis};
  const auto found = std::lower_bound(places.begin(), places.end(), wanted,
                                      [](const SharedAt& at, const auto& place) { return at.place() < place; });
  return found != places.end() && found->place() == wanted ? &shared_[found->shared] : nullptr;
}

}  // namespace tilewright::back::triton
