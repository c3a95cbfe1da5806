// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/check.h"
#include "interp/machine.h"
#include "ir/walk.h"

namespace tilewright::interp {
namespace {

// Whether it matters which program is first: an atomic op gives an old value that is read, or what it makes depends on the order.
bool order_matters(const ir::Program& program, const ir::Op& op) {
  using ir::OpKind;
  if (op.kind == OpKind::AtomicCas || op.kind == OpKind::PtrAtomicCas) return true;
  if (op.kind != OpKind::AtomicRmw && op.kind != OpKind::PtrAtomicRmw && op.kind != OpKind::WindowAtomic) return false;
  if (op.attrs.rare->atomic == ir::Atomic::Exchange) return true;
  const ir::DtypeId of = program.types[program.values[op.operands[0]].type].dtype;
  const auto dtype = program.types.scalar_of(program.types.is_pointer(of) ? program.types[of].a : of);
  if (!dtype || ir::class_of(*dtype) == ir::ScalarClass::Float) return true;
  const auto reads = [&](const ir::Op& other) {
    return std::any_of(other.operands.begin(), other.operands.end(), [&](ir::ValueId value) {
      return std::find(op.results.begin(), op.results.end(), value) != op.results.end();
    });
  };
  return std::any_of(program.ops.begin(), program.ops.end(), reads);
}

bool order_matters(const ir::Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const ir::Op& op) { return order_matters(program, op); });
}

constexpr double most_bytes = 1u << 30;

double bytes_of_tile(const ir::Program& program, const ir::Type& type, size_t width) {
  double out = static_cast<double>(width);
  for (const sym::ExprId extent : type.shape) out *= static_cast<double>(program.arena.integer_of(extent).value_or(1));
  return out;
}

// What of the program cannot be run at all; the first of it.
Report unsupported(const ir::Program& program, ir::FunctionId kernel, Numbers numbers) {
  const ir::Function& function = program.functions[kernel];
  for (const ir::Value& value : program.values) {
    const ir::Type& type = program.types[value.type];
    const auto dtype = type.dtype ? program.types.scalar_of(type.dtype) : std::nullopt;
    if (type.kind == ir::TypeKind::DtypeConst || !dtype) continue;
    const double bytes = bytes_of_tile(program, type, width_of(*dtype, kept_in(numbers, *dtype)));
    if (is_supported(*dtype) && bytes <= most_bytes) continue;
    const source::Span span = value.definition ? program.ops[value.definition].span : function.span;
    diag::Diagnostic found = is_supported(*dtype)
                                 ? diag::report(diag::Severity::Error, span, messages::too_large,
                                                static_cast<int64_t>(std::min(bytes / 0x1p20, 0x1p60)))
                                 : diag::report(diag::Severity::Error, span, messages::no_arithmetic, ir::name_of(*dtype));
    found.kernel = function.name;
    return {.diagnostics = {std::move(found)}};
  }
  return {};
}

// More than a machine has cores, so that what is asked for is tested anywhere, and few enough for every system.
constexpr unsigned most_threads = 256;

// Programs are handed out in the order of the grid. Once one has gone wrong only those before it are still run, so the first of
// all that go wrong is found whatever the threads do.
class Runner {
 public:
  Runner(const Plan& plan, const std::vector<Argument>& arguments, const Grid& grid, const Options& options)
      : plan_(plan), arguments_(arguments), grid_(grid), options_(options), count_(grid[0] * grid[1] * grid[2]) {
    if (options.watch == Watch::Races) races_.emplace(arguments);
  }

  Report run(unsigned threads) {
    if (threads <= 1 && !options_.is_cancelled) {
      work();
    } else {
      const int64_t useful = std::clamp<int64_t>(count_, 1, std::clamp(threads, 1u, most_threads));
      std::vector<std::thread> workers = started(static_cast<size_t>(useful));
      if (workers.empty()) work();
      wait(static_cast<unsigned>(workers.size()));
      for (std::thread& worker : workers) worker.join();
    }
    if (trouble_) std::rethrow_exception(trouble_);
    return {.diagnostics = std::move(diagnostics_), .cancelled = cancelled_.load(), .traced = std::move(traced_)};
  }

 private:
  // As many workers as the system has threads for.
  std::vector<std::thread> started(size_t count) {
    std::vector<std::thread> out;
    out.reserve(count);
    try {
      while (out.size() < count) out.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // those that have started do all of the work
    }
    return out;
  }

  void work() {
    try {
      Machine machine(plan_, arguments_, grid_, options_, cancelled_, races_ ? &*races_ : nullptr);
      const int64_t share = std::clamp<int64_t>(count_ / 256, 1, 1024);
      while (!cancelled_.load(std::memory_order_relaxed)) {
        const int64_t begin = next_.fetch_add(share);
        const int64_t end = std::min({begin + share, count_, wrong_.load()});
        if (begin >= end) break;
        for (int64_t number = begin; number < end && !cancelled_.load(std::memory_order_relaxed); ++number) {
          const bool is_well = machine.run(index_of(number, grid_));
          if (is_well && machine.traced().empty()) continue;
          const std::lock_guard lock(mutex_);
          if (!machine.traced().empty()) traced_ = machine.take_traced();
          if (is_well) continue;
          if (number < wrong_.load() && !machine.diagnostics().empty()) {
            wrong_ = number;
            diagnostics_ = machine.diagnostics();
          }
          return done();
        }
      }
    } catch (...) {  // a bug of ours: the calling thread throws it on
      const std::lock_guard lock(mutex_);
      trouble_ = std::current_exception();
      cancelled_ = true;
    }
    const std::lock_guard lock(mutex_);
    done();
  }

  void done() {
    ++finished_;
    changed_.notify_all();
  }

  void wait(unsigned workers) {
    std::unique_lock lock(mutex_);
    while (finished_ < workers) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      if (finished_ == workers || !options_.is_cancelled) continue;
      lock.unlock();
      const bool cancelled = options_.is_cancelled();
      lock.lock();
      if (cancelled) cancelled_ = true;
    }
  }

  const Plan& plan_;
  const std::vector<Argument>& arguments_;
  const Grid& grid_;
  const Options& options_;
  const int64_t count_;
  std::optional<Races> races_;
  std::atomic<int64_t> next_ = 0;
  std::atomic<int64_t> wrong_ = std::numeric_limits<int64_t>::max();  // the first program that is known to go wrong
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  unsigned finished_ = 0;
  diag::Diagnostics diagnostics_;
  std::vector<Traced> traced_;
  std::exception_ptr trouble_;
};

}  // namespace

Report run(const ir::Program& program, ir::FunctionId kernel, const std::vector<Argument>& arguments, const Grid& grid,
           const Options& options) {
  TW_CHECK(arguments.size() == program.functions[kernel].params.size(), "a launch with another number of arguments is run");
  if (Report report = unsupported(program, kernel, options.numbers); !report.diagnostics.empty()) return report;
  TW_CHECK((options.numbers == Numbers::Algebra) == (options.field != nullptr),
           "`algebra` calculates in a field, and nothing else does");
  const Plan plan(program, kernel, options.numbers);
  unsigned threads = options.threads ? options.threads : std::thread::hardware_concurrency();
  if (order_matters(program) || options.watch == Watch::Races) threads = 1;
  return Runner(plan, arguments, grid, options).run(threads);
}

}  // namespace tilewright::interp
