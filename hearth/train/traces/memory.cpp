// Says how much memory the process and its tensors take. It is the process's own: in its history.
#include "hearth/train/traces/memory.h"

#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Memory : public Trace {
 public:
  using Options = MemoryOptions;
  explicit Memory(Options options) : options_(options) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{.on = Occasion::kStep, .every = options_.interval}};
  }

  void hear(const Happening&, RunControl& run) override {
    const ProcessMemory process = process_memory();
    Event event{"memory",
                0,
                0,
                0,
                {{"process_bytes", static_cast<double>(process.resident_bytes)},
                 {"process_peak_bytes", static_cast<double>(process.peak_bytes)}},
                {}};
    if (is_memory_cache_installed()) {
      const MemoryNumbers tensors = memory_cache().numbers();
      event.values.emplace_back("tensor_bytes", static_cast<double>(tensors.used_bytes));
      event.values.emplace_back("tensor_peak_bytes", static_cast<double>(tensors.peak_bytes));
      event.values.emplace_back("cached_bytes", static_cast<double>(tensors.cached_bytes));
    }
    run.record_of_process(std::move(event));
    const auto limit = static_cast<uint64_t>(options_.limit ? options_.limit->bytes : 0);
    if (limit > 0 && process.resident_bytes > limit)
      run.request_pause("the process takes " + human_bytes(process.resident_bytes) +
                        " of memory, more than the limit of " + human_bytes(limit) +
                        ". It is saved and ends; resume goes on.");
  }

 private:
  Options options_;
};

}  // namespace

const Schema<MemoryOptions>& MemoryOptions::schema() {
  using O = MemoryOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::interval, "interval", "How often, in steps: 100st, 1ep.", above(0))
          .field(
              &O::limit, "limit",
              "Training is saved and ends, to be resumed, when the process takes more than this: "
              "8GB, 512MiB; left out: never.");
  return schema;
}

Choice<Trace> memory(MemoryOptions options) { return choose<Trace>("memory", options); }

void register_memory(Registry<Trace>& registry) {
  registry.add<Memory>("memory",
                       "Records the memory of the process and of its tensors in the history; may "
                       "end it at a limit.");
}

}  // namespace hearth::traces
