// What the data side of an experiment takes: workers, batches ahead and caches within the memory.
#include <algorithm>

#include "hearth/base/memory.h"
#include "hearth/config/place.h"
#include "hearth/data/loader_fit.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {

// Of all that are open.
uint64_t ExperimentGraph::source_bytes() const {
  uint64_t bytes = 0;
  for (const DataSet& set : opened_) bytes += source(set)->resident_bytes();
  return bytes;
}

// What sources and caches leave; caches may have half of the rest at most. One loader trains while
// another evaluates.
int64_t ExperimentGraph::loader_share() const {
  int64_t rest = options_.data.memory->bytes - static_cast<int64_t>(source_bytes());
  for (const DataSet& set : opened_) rest -= cache_bytes(set);
  return std::max<int64_t>(rest, 0) / (has_source(Mode::kEval) || has_source(Mode::kTest) ? 2 : 1);
}

// All that it may have, until a plan has said what is there to keep.
int64_t ExperimentGraph::cache_bytes(const DataSet& set) const {
  if (options_.data.cache == "none") return 0;
  const int64_t tables = SampleCache::table_bytes(source(set)->size());
  const auto known = memory_.find(set);
  if (known == memory_.end()) return cache_share(set) + tables;
  if (!known->second.cache) return 0;
  const CacheChoice& choice = known->second.choice;
  return tables + (choice.kind == CacheKind::kMemory ? choice.most_bytes : 0);
}

// By the number of their samples.
int64_t ExperimentGraph::cache_share(const DataSet& set) const {
  constexpr double kShareOfMachine = 0.4;
  const double all = options_.data.memory
                         ? std::max(0.0, static_cast<double>(options_.data.memory->bytes) -
                                             static_cast<double>(source_bytes())) /
                               2
                         : static_cast<double>(available_memory()) * kShareOfMachine;
  double samples = 0;
  for (const auto& [other, source] : sources_)
    if (opened_.contains(other)) samples += static_cast<double>(source->size());
  const double own = static_cast<double>(source(set)->size());
  const auto share = static_cast<int64_t>(all * own / std::max(samples, 1.0));
  return std::max<int64_t>(share - SampleCache::table_bytes(source(set)->size()), 0);
}

std::shared_ptr<const DataPlan> ExperimentGraph::data_plan(
    const DataSet& set, const CompiledPlan& compiled, const std::shared_ptr<const Source>& source) {
  const auto made = [&](Fusion fusion) {
    return std::make_shared<DataPlan>(
        make_data_plan(compiled.plan, compiled.nodes, source, fusion));
  };
  std::shared_ptr<DataPlan> plan;
  if (set.mode != Mode::kInfer && options_.data.cache != "none") {
    plan = made(Fusion::kAroundFixed);
    attach_cache(set, *plan);
  }
  if (!plan || !plan->cache) plan = made(Fusion::kAllowed);
  if (set.mode != Mode::kInfer && options_.data.memory) note_plan(set, plan);
  return plan;
}

void ExperimentGraph::note_plan(const DataSet& set, const std::shared_ptr<const DataPlan>& plan) {
  std::shared_ptr<const DataPlan>& largest = memory_[set].largest;
  const auto bytes = [&](const DataPlan& of) {
    return Loader::memory_bytes(sized_loader_options(set, 1), of);
  };
  if (!largest || bytes(*plan) > bytes(*largest)) largest = plan;
}

const DataPlan* ExperimentGraph::largest_plan(const DataSet& set) const {
  const DataPlan* largest = nullptr;
  for (const auto& [known, memory] : memory_) {
    const bool is_meant = known == set || (set.name.empty() && known.mode == set.mode);
    if (!is_meant || !memory.largest) continue;
    const auto bytes = [&](const DataPlan& of) {
      return Loader::memory_bytes(sized_loader_options(set, 1), of);
    };
    if (largest == nullptr || bytes(*memory.largest) > bytes(*largest))
      largest = memory.largest.get();
  }
  return largest;
}

void ExperimentGraph::attach_cache(const DataSet& set, DataPlan& plan) {
  SetMemory& memory = memory_[set];
  const CacheRequest request{.wanted = options_.data.cache,
                             .memory_bytes = cache_share(set),
                             .folder = options_.data.cache_folder,
                             .source = source_text(set)};
  if (!memory.cache && memory.choice.text.empty()) {
    memory.choice = choose_cache(request, plan);
    memory.cache = make_cache(request, memory.choice, plan);
    memory.cached = plan.fixed_identity;
  }
  // A plan with another beginning, at another time of the training, goes without.
  if (memory.cache && memory.cached == plan.fixed_identity) plan.cache = memory.cache;
}

const CacheChoice& ExperimentGraph::cache_choice(const DataSet& set) const {
  static const CacheChoice kNone;
  const auto found = memory_.find(set);
  return found == memory_.end() ? kNone : found->second.choice;
}

LoaderOptions ExperimentGraph::loader_options(const DataSet& set, int64_t epochs) const {
  LoaderOptions options = sized_loader_options(set, epochs);
  const DataPlan* largest = options_.data.memory ? largest_plan(set) : nullptr;
  if (largest == nullptr) return options;
  return at_place(mark_at(config_, "data.memory"), [&] {
    return fit_loader(std::move(options), *largest,
                      {.most_bytes = loader_share(),
                       .may_choose_workers = !options_.data.workers.has_value(),
                       .source_bytes = source_bytes()});
  });
}

}  // namespace hearth
