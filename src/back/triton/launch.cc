// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "back/triton/launch.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <variant>

#include "back/triton/extents.h"
#include "ir/needed_names.h"

namespace tilewright::back::triton {
namespace {

using sym::ExprId;

class Launch {
 public:
  Launch(ir::Program& program, ir::FunctionId kernel, const Lowered& lowered, const Names& names)
      : program_(program),
        function_(program.functions[kernel]),
        lowered_(lowered),
        names_(names),
        name_(names.launches.at(kernel)),
        width_(names.line_width),
        certain_(certain_in_function(kernel)) {}

  LaunchText run() {
    Row parameters;
    const bool in_parts = takes_parts(lowered_.slots);
    std::string grid = "grid";
    while (
        std::any_of(function_.params.begin(), function_.params.end(), [&](const ir::Param& param) { return param.name == grid; }))
      grid += "_";
    parameters.items.push_back(grid);
    for (const ir::Param& param : function_.params) parameters.items.push_back(param.name);
    if (name_.form == LaunchForm::Launcher) parameters.items.push_back("num_warps=None");
    std::string text = format_rows("def " + name_.name + "(", {parameters}, "):", 0, width_) + "\n";
    std::vector<std::string> demanded;
    std::vector<std::string> asked;
    text += guards(demanded) + conditions(grid, asked);
    std::vector<Row> rows = arguments();
    if (in_parts) rows[0].items.insert(rows[0].items.begin(), {lowered_.name, grid});
    rows.push_back({.items = in_parts ? options_in_parts() : options(), .comment = {}, .leading = {}});
    // The options follow the constants on their line where they fit.
    if (rows.size() > 1) {
      Row& last = rows[rows.size() - 2];
      size_t length = 8;
      for (const Row* row : {&last, &rows.back()}) {
        for (const std::string& item : row->items) length += item.size() + 2;
      }
      if (length <= width_) {
        last.items.insert(last.items.end(), rows.back().items.begin(), rows.back().items.end());
        rows.pop_back();
      }
    }
    const std::string head = in_parts ? support("launch_in_parts") + "(" : lowered_.name + "[" + grid + "](";
    text += format_rows(head, rows, ")", 4, width_);
    return {std::move(text), std::move(support_), std::move(demanded), std::move(asked)};
  }

 private:
  const ir::Type& type(const ir::Param& param) const { return program_.types[program_.values[param.value].type]; }

  // The parameters that are used whatever the constants are, in order.
  const ShortList<ir::ValueId>& certain_in_function(ir::FunctionId function) {
    const auto [at, is_new] = certain_by_function_.try_emplace(function);
    if (is_new) {
      std::set<ir::ValueId> certain;
      add_certain(program_.functions[function].body, certain);
      for (const ir::ValueId value : certain) at->second.push_back(value);
    }
    return at->second;
  }
  static bool contains(const ShortList<ir::ValueId>& sorted, ir::ValueId value) {
    return std::binary_search(sorted.begin(), sorted.end(), value);
  }

  void add_certain(ir::BlockId block, std::set<ir::ValueId>& out) {
    const auto use = [&](ir::ValueId value) {
      if (!program_.values[value].definition) out.insert(value);
    };
    for (const ir::OpId id : program_.blocks[block].ops) {
      const ir::Op& op = program_.ops[id];
      if (op.kind == ir::OpKind::Call) {
        const ShortList<ir::ValueId>& used = certain_in_function(op.attrs.rare->function);
        size_t next = 0;
        for (const ir::Param& param : program_.functions[op.attrs.rare->function].params) {
          if (!param.value) continue;
          if (contains(used, param.value)) use(op.operands[next]);
          ++next;
        }
      } else {
        std::for_each(op.operands.begin(), op.operands.end(), use);
      }
      const bool decided =
          op.kind == ir::OpKind::If && program_.types[program_.values[op.operands[0]].type].kind == ir::TypeKind::Const;
      if (!decided) {
        for (const ir::BlockId region : op.regions) add_certain(region, out);
      } else if (op.regions.size() == 2) {
        std::set<ir::ValueId> sides[2];
        for (const size_t side : {0, 1}) add_certain(op.regions[side], sides[side]);
        std::set_intersection(sides[0].begin(), sides[0].end(), sides[1].begin(), sides[1].end(), std::inserter(out, out.end()));
      }
    }
  }

  // The axes of an array; where the launch decides its rank, as many as the kernel takes.
  uint32_t rank_of(uint32_t param) const {
    const uint32_t rank = type(function_.params[param]).rank;
    if (rank != ir::unknown_rank) return rank;
    uint32_t most = 0;
    for (const Slot& slot : lowered_.slots) {
      if (slot.param == param && (slot.what == Carries::Extent || slot.what == Carries::Stride))
        most = std::max(most, slot.axis + 1);
    }
    return most;
  }

  std::string support(std::string_view name) {
    support_.emplace(name);
    return names_.support_name(name);
  }

  // `*A.shape`, `*A.shape[1:]`, or axis by axis.
  std::vector<std::string> fields(uint32_t index, const char* what, bool call, const std::vector<uint32_t>& axes) {
    const ir::Param& param = function_.params[index];
    const std::string& array = param.name;
    const uint32_t rank = rank_of(index);
    const bool certain = contains(certain_, param.value) && type(param).rank != ir::unknown_rank;
    std::string all = array + "." + what + (call ? "()" : "");
    if (!certain && rank > 1) {
      // Where a constant switches its use off, or decides the rank, the array may be of another rank.
      all = support("padded") + "(" + all + ", " + std::to_string(rank) + ")";
      call = false;
    }
    bool suffix = axes.size() > 1 || (axes.size() == 1 && rank == 1 && certain);
    for (size_t i = 0; i < axes.size(); ++i) suffix = suffix && axes[i] == rank - axes.size() + i;
    if (suffix && axes.size() == rank) return {"*" + all};
    if (suffix) return {"*" + all + "[" + std::to_string(axes[0]) + ":]"};
    std::vector<std::string> out;
    for (const uint32_t axis : axes) {
      out.push_back(call ? array + "." + what + "(" + std::to_string(axis) + ")" : all + "[" + std::to_string(axis) + "]");
    }
    return out;
  }

  std::vector<Row> arguments() {
    std::vector<Row> rows;
    const auto begin_row = [&] {
      if (rows.empty() || !rows.back().items.empty()) rows.push_back({});
    };
    const std::vector<Slot>& slots = lowered_.slots;
    for (size_t i = 0; i < slots.size();) {
      const Slot& slot = slots[i];
      const ir::Param& param = function_.params[slot.param];
      const std::string& name = param.name;
      if (slot.what == Carries::Extent || slot.what == Carries::Stride) {
        // One row for extents, one for strides.
        if (i == 0 || slots[i - 1].what != slot.what) begin_row();
        std::vector<uint32_t> axes;
        size_t end = i;
        while (end < slots.size() && slots[end].what == slot.what && slots[end].param == slot.param)
          axes.push_back(slots[end++].axis);
        const std::vector<std::string> items =
            fields(slot.param, slot.what == Carries::Extent ? "shape" : "stride", slot.what == Carries::Stride, axes);
        rows.back().items.insert(rows.back().items.end(), items.begin(), items.end());
        i = end;
        continue;
      }
      const bool after_carried = i > 0 && (slots[i - 1].what == Carries::Extent || slots[i - 1].what == Carries::Stride);
      if (rows.empty() || after_carried) begin_row();
      switch (slot.what) {
        case Carries::Parts: break;
        case Carries::Author: rows.back().items.push_back(name); break;
        case Carries::Table:
          rows.back().items.push_back(support("array_table") + "(" + name + ", " + std::to_string(type(param).rank) + ")");
          break;
        case Carries::Length: rows.back().items.push_back("len(" + name + ")"); break;
        case Carries::Dtype: rows.back().items.push_back(support("triton_dtype") + "(" + name + "[0])"); break;
        case Carries::Extent:
        case Carries::Stride: break;
      }
      ++i;
    }
    return rows;
  }

  // What a launch is refused for: of these subjects, or as a whole sentence.
  struct Sentence {
    std::vector<std::string> subjects;
    std::string predicate;

    std::string text(std::string_view quote = "") const {
      return subjects.empty() ? predicate : joined(subjects, quote, quote, " and ") + " " + predicate;
    }
  };

  // What proofs take for granted (ir::Function::assumes) is asked of the launch.
  std::string conditions(const std::string& grid, std::vector<std::string>& said) {
    std::string out;
    const auto raise = [&](const std::string& test, const Sentence& sentence) {
      const std::string message = "\"" + function_.name + ": " + sentence.text() + "\"";
      out += test + "        raise ValueError(";
      out += 26 + message.size() <= width_ ? message + ")\n" : "\n            " + message + "\n        )\n";
      said.push_back(sentence.text("`"));
    };
    std::vector<std::string> sizes;
    for (const ExprId condition : function_.assumes) {
      const sym::Expr& expr = program_.arena[condition];
      if (expr.kind == sym::ExprKind::Ge && !lowered_.asserted.contains(condition))
        sizes.push_back(program_.arena.text(expr.operands[0]));
    }
    if (!sizes.empty()) {
      const std::string least = sizes.size() == 1 ? sizes[0] : "min(" + joined(sizes, "", "", ", ") + ")";
      raise("    if " + least + " < 0:\n", {sizes, "must not be negative"});
    }
    for (const ExprId condition : function_.assumes) {
      const sym::Expr& expr = program_.arena[condition];
      if (expr.kind != sym::ExprKind::Le) continue;
      std::string most = program_.arena.text(expr.operands[1]);
      for (size_t at = most.find("cdiv("); at != std::string::npos; at = most.find("cdiv(", at + 12)) most.insert(at, "triton.");
      const bool one_line = 15 + grid.size() + most.size() <= width_;
      raise(one_line ? "    if " + grid + "[0] > " + most + ":\n" : "    if " + grid + "[0] > (\n        " + most + "\n    ):\n",
            {{}, "the grid has more programs than there are tiles"});
    }
    return out;
  }

  // Arrays of which some dtypes are refused, and the test that finds such a launch.
  struct Demand {
    std::string test;
    Sentence sentence;
  };

  static std::string joined(const std::vector<std::string>& arrays, std::string_view before, std::string_view after,
                            std::string_view last) {
    std::string out;
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (i > 0) out.append(i + 1 == arrays.size() ? last : ", ");
      out.append(before).append(arrays[i]).append(after);
    }
    return out;
  }

  std::vector<Demand> demands() const {
    std::vector<std::string> narrow_floats;
    std::vector<std::string> any_floats;
    std::vector<std::string> no_doubles;
    std::vector<std::string> no_bools;
    std::vector<std::string> no_float8;
    for (uint32_t i = 0; i < function_.params.size(); ++i) {
      const ir::Param& param = function_.params[i];
      if (!param.value) continue;
      const bool is_float = lowered_.guards.floats.contains(i);
      const bool no_double = lowered_.guards.not_float64.contains(i);
      const std::string array = param.name.string() + (type(param).kind == ir::TypeKind::ArrayList ? "[0]" : "");
      if (is_float) (no_double ? narrow_floats : any_floats).push_back(array);
      if (!is_float && no_double) no_doubles.push_back(array);
      if (!is_float && lowered_.guards.not_bool.contains(i)) no_bools.push_back(array);
      if (!is_float && lowered_.guards.not_float8_e5m2.contains(i)) no_float8.push_back(array);
    }
    std::vector<Demand> out;
    const auto only = [&](const std::vector<std::string>& arrays, const std::string& dtypes, const std::string& words) {
      if (arrays.empty()) return;
      out.push_back({arrays.size() == 1 ? arrays[0] + ".dtype not in " + dtypes
                                        : "not {" + joined(arrays, "", ".dtype", ", ") + "} <= " + dtypes,
                     {arrays, "must be " + words}});
    };
    const auto without = [&](const std::vector<std::string>& arrays, const std::string& dtype) {
      if (arrays.empty()) return;
      out.push_back({arrays.size() == 1 ? arrays[0] + ".dtype == torch." + dtype
                                        : "torch." + dtype + " in {" + joined(arrays, "", ".dtype", ", ") + "}",
                     {arrays, "cannot be " + dtype}});
    };
    only(narrow_floats, "{torch.float16, torch.bfloat16, torch.float32}", "float16, bfloat16 or float32");
    only(any_floats, "{torch.float16, torch.bfloat16, torch.float32, torch.float64}", "a float dtype");
    without(no_doubles, "float64");
    without(no_bools, "bool");
    without(no_float8, "float8_e5m2");
    return out;
  }

  // What the kernel's text takes for granted of dtypes, asked of all arrays at once.
  std::string guards(std::vector<std::string>& said) const {
    std::string out;
    for (const Demand& demand : demands()) {
      said.push_back(demand.sentence.text("`"));
      const std::string who = "f\"" + function_.name + ": " + demand.sentence.text();
      const std::string found = ", not " + joined(demand.sentence.subjects, "{", ".dtype}", " and ") + "\"";
      const bool one_line = 24 + who.size() + found.size() < width_;
      out += "    if " + demand.test + ":\n        raise TypeError(";
      if (one_line) {
        out += who + found + ")\n";
      } else if (12 + who.size() + found.size() <= width_) {
        out += "\n            " + who + found + "\n        )\n";
      } else {
        out += "\n            \"" + who.substr(2) + "\"\n            f\"" + found + "\n        )\n";
      }
    }
    return out;
  }

  // The expression in the launch function's names; nothing if it reads something else.
  std::optional<std::string> host_text(ExprId expr) {
    for (const ExprId atom : program_.arena.atoms_in(expr)) {
      const std::string& key = program_.arena.atom_of(atom).key;
      if (std::none_of(function_.params.begin(), function_.params.end(),
                       [&](const ir::Param& param) { return param.name == key; }))
        return std::nullopt;
    }
    const std::string text = program_.arena.text(expr);
    if (text.find('(') != std::string::npos && text.find("cdiv") != std::string::npos) return std::nullopt;
    return text;
  }

  // The number of elements as the author orders the extents: "TILE_M * TILE_K".
  std::optional<std::string> elements_text(const std::vector<ExprId>& shape) {
    int64_t known = 1;
    std::string out;
    for (const ExprId extent : shape) {
      if (const std::optional<int64_t> number = program_.arena.integer_of(extent)) {
        known *= *number;
        continue;
      }
      const std::optional<std::string> text = host_text(extent);
      if (!text) return std::nullopt;
      const bool sum = program_.arena[extent].kind != sym::ExprKind::Atom && program_.arena[extent].kind != sym::ExprKind::Mul;
      out += (out.empty() ? "" : " * ") + (sum ? "(" + *text + ")" : *text);
    }
    if (out.empty()) return std::to_string(known);
    return known == 1 ? out : out + " * " + std::to_string(known);
  }

  using Size = std::variant<int64_t, PyId>;

  // The largest of several tiles; a number if all are known.
  std::optional<Size> largest(const std::vector<ir::TypeId>& tiles) {
    int64_t known = 0;
    std::vector<PyId> open;
    std::vector<ExprId> open_ids;
    std::vector<const std::vector<ExprId>*> open_shapes;
    std::set<ir::TypeId> seen;
    for (const ir::TypeId tile : tiles) {
      if (!seen.insert(tile).second) continue;
      const std::vector<ExprId>& shape = program_.types[tile].shape;
      const ExprId size = elements(program_.arena, shape);
      if (const std::optional<int64_t> number = program_.arena.integer_of(size)) {
        known = std::max(known, *number);
      } else if (std::find(open_ids.begin(), open_ids.end(), size) == open_ids.end()) {
        open_ids.push_back(size);
        open_shapes.push_back(&shape);
      }
    }
    for (size_t i = 0; i < open_ids.size(); ++i) {
      const ExprId id = open_ids[i];
      const bool smaller = std::any_of(open_ids.begin(), open_ids.end(),
                                       [&](ExprId other) { return other != id && divides(program_.arena, id, other); });
      if (smaller) continue;
      if (const std::optional<std::string> text = elements_text(*open_shapes[i])) open.push_back(python_.atom(*text));
    }
    if (open.size() > 3) open.resize(3);
    if (open.empty()) return known > 0 ? std::optional<Size>(known) : std::nullopt;
    return open.size() == 1 ? open[0] : python_.call("max", open);
  }

  // A warp for each 1024 elements of the largest tile; 4 of them, or 8, where products are accumulated.
  PyId warps() {
    const bool multiplies = !lowered_.resources.products.empty();
    std::vector<ir::TypeId> accumulators;
    for (const Product& product : lowered_.resources.products) accumulators.push_back(product.accumulator);
    const std::optional<Size> size = largest(multiplies ? accumulators : lowered_.resources.tiles);
    if (!size) return python_.number(4);
    if (const int64_t* elements = std::get_if<int64_t>(&*size))
      return python_.number(multiplies ? (*elements >= 16384 ? 8 : 4) : std::clamp<int64_t>(*elements / 1024, 1, 16));
    const PyId elements = std::get<PyId>(*size);
    if (multiplies)
      return python_.conditional(python_.number(8), python_.infix(elements, ">=", python_.number(16384)), python_.number(4));
    const PyId warps = python_.call("max", {python_.infix(elements, "//", python_.number(1024)), python_.number(1)});
    return python_.call("min", {warps, python_.number(16)});
  }

  // For each loop with a product: what it loads in one iteration, keeps and calculates, as arguments of pipeline_stages.
  std::vector<PyId> stages() {
    std::vector<PyId> out;
    const auto list = [&](const std::vector<TileSize>& tiles) {
      std::vector<PyId> items;
      for (const TileSize& tile : tiles) {
        const std::optional<std::string> array = array_of(tile.dtype);
        const std::optional<std::string> size = elements_text(tile.shape);
        if (array && size) items.push_back(python_.tuple({python_.atom(*array), python_.atom(*size)}));
      }
      return items;
    };
    for (const Stage& stage : lowered_.resources.stages) {
      const std::vector<PyId> loaded = list(stage.loaded);
      if (loaded.empty()) continue;
      std::vector<PyId> arguments = {python_.item(python_.atom(""), loaded)};
      const auto add = [&](std::string_view name, const std::vector<TileSize>& tiles) {
        const std::vector<PyId> items = list(tiles);
        if (!items.empty()) arguments.push_back(python_.keyword(name, python_.item(python_.atom(""), items)));
      };
      add("resident", stage.resident);
      add("computed", stage.computed);
      const PyId call = python_.call(support("pipeline_stages"), arguments);
      if (std::none_of(out.begin(), out.end(), [&](PyId other) { return same(python_, other, call); })) out.push_back(call);
    }
    return out;
  }

  // An array whose elements have this size: of a promotion, one of them.
  std::optional<std::string> array_of(ir::DtypeId dtype) {
    std::optional<ir::DtypeId> at = dtype;
    while (at) {
      const ir::Dtype& kind = program_.types[*at];
      if (kind.kind == ir::DtypeKind::Element) {
        const ir::Param& param = function_.params[kind.index];
        return param.name.string() + (type(param).kind == ir::TypeKind::ArrayList ? "[0]" : "");
      }
      at = kind.a ? std::optional(kind.a) : std::nullopt;
    }
    return std::nullopt;
  }

  std::vector<std::string> options() {
    std::vector<std::string> out;
    PyId count = warps();
    if (name_.form == LaunchForm::Launcher) count = python_.infix(python_.atom("num_warps"), "or", count);
    out.push_back(flat(python_, python_.keyword("num_warps", count)));
    const std::vector<PyId> loops = stages();
    if (!loops.empty()) {
      const PyId count_of = loops.size() == 1 ? loops[0] : python_.call("min", loops);
      out.push_back(format_argument(python_, python_.keyword("num_stages", count_of), 8, width_, 1));
    }
    return out;
  }

  // Beside the options, the rows, columns and depth of products, to know and name those that do not fit.
  std::vector<std::string> options_in_parts() {
    std::vector<PyId> shapes;
    for (const Product& product : lowered_.resources.products) {
      std::vector<ExprId> sizes = program_.types[product.accumulator].shape;
      sizes.push_back(product.depth);
      std::vector<PyId> extents;
      for (const ExprId extent : sizes) {
        if (const std::optional<std::string> text = elements_text({extent})) extents.push_back(python_.atom(*text));
      }
      const PyId shape = python_.tuple(extents);
      const bool known = std::any_of(shapes.begin(), shapes.end(), [&](PyId other) { return same(python_, other, shape); });
      if (extents.size() == sizes.size() && !known) shapes.push_back(shape);
    }
    std::vector<std::string> out = options();
    out.push_back(format_argument(python_, python_.keyword("products", python_.item(python_.atom(""), shapes)), 8, width_, 1));
    return out;
  }

  ir::Program& program_;
  const ir::Function& function_;
  const Lowered& lowered_;
  const Names& names_;
  const LaunchName& name_;
  uint32_t width_;
  std::set<std::string> support_;
  std::map<ir::FunctionId, ShortList<ir::ValueId>> certain_by_function_;
  const ShortList<ir::ValueId>& certain_;
  Python python_;
};

}  // namespace

const ir::Param* hides_a_name(const ir::Function& function, const Names& names, ir::FunctionId kernel) {
  const bool launcher = names.launches.at(kernel).form == LaunchForm::Launcher;
  const auto printed = names.functions.find(kernel);
  const std::string& own = printed == names.functions.end() ? function.name : printed->second;
  const auto found = std::find_if(function.params.begin(), function.params.end(), [&](const ir::Param& param) {
    const ir::NeededName* needed = ir::needed(param.name.string());
    return (needed && needed->in_launch) || param.name == own || (launcher && param.name == "num_warps");
  });
  return found == function.params.end() ? nullptr : &*found;
}

LaunchText launch_text(ir::Program& program, ir::FunctionId kernel, const Lowered& lowered, const Names& names) {
  return Launch(program, kernel, lowered, names).run();
}

}  // namespace tilewright::back::triton
