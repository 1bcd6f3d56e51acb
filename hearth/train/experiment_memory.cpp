// What the data side of an experiment takes: workers, batches ahead and caches within the memory.
#include <algorithm>

#include "hearth/base/memory.h"
#include "hearth/config/place.h"
#include "hearth/data/loader_fit.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {

// Half of the budget is for batches when the other half is for caches.
int64_t ExperimentGraph::loader_share() const {
  const int64_t all = options_.data.memory->bytes;
  const bool has_both = has_source(Mode::kEval) || has_source(Mode::kTest);
  return (options_.data.cache == "none" ? all : all / 2) / (has_both ? 2 : 1);
}

// By the number of their samples.
int64_t ExperimentGraph::cache_share(const DataSet& set) const {
  constexpr double kShareOfMachine = 0.4;
  const double all = options_.data.memory
                         ? static_cast<double>(options_.data.memory->bytes) / 2
                         : static_cast<double>(available_memory()) * kShareOfMachine;
  double samples = 0;
  for (const auto& [other, source] : sources_)
    if (opened_.contains(other)) samples += static_cast<double>(source->size());
  const double own = static_cast<double>(source(set)->size());
  const auto share = static_cast<int64_t>(all * own / std::max(samples, 1.0));
  return std::max<int64_t>(share - SampleCache::table_bytes(source(set)->size()), 0);
}

void ExperimentGraph::keep_plan(const DataSet& set, const std::shared_ptr<DataPlan>& plan) {
  SetMemory& memory = memory_[set];
  const auto bytes = [&](const DataPlan& of) {
    return Loader::memory_bytes(sized_loader_options(set, 1), of);
  };
  if (options_.data.memory && (!memory.largest || bytes(*plan) > bytes(*memory.largest)))
    memory.largest = plan;
  if (options_.data.cache == "none") return;
  const CacheRequest request{.wanted = options_.data.cache,
                             .memory_bytes = cache_share(set),
                             .folder = options_.data.cache_folder,
                             .source = source_text(set)};
  if (!memory.cache && memory.choice.text.empty()) {
    memory.choice = choose_cache(request, *plan);
    memory.cache = make_cache(request, memory.choice, *plan);
    memory.cached = plan->fixed_identity;
  }
  // A plan with another beginning, at another time of the training, goes without.
  if (memory.cache && memory.cached == plan->fixed_identity) plan->cache = memory.cache;
}

const CacheChoice& ExperimentGraph::cache_choice(const DataSet& set) const {
  static const CacheChoice kNone;
  const auto found = memory_.find(set);
  return found == memory_.end() ? kNone : found->second.choice;
}

// Of the sets that take turns when all of the training is asked for.
std::shared_ptr<const DataPlan> ExperimentGraph::largest_plan(const DataSet& set) const {
  std::shared_ptr<const DataPlan> largest;
  const auto bytes = [&](const DataPlan& of) {
    return Loader::memory_bytes(sized_loader_options(set, 1), of);
  };
  for (const auto& [known, memory] : memory_) {
    if (known.mode != set.mode || (!set.name.empty() && known != set)) continue;
    if (memory.largest && (!largest || bytes(*memory.largest) > bytes(*largest)))
      largest = memory.largest;
  }
  return largest;
}

LoaderOptions ExperimentGraph::loader_options(const DataSet& set, int64_t epochs) const {
  LoaderOptions options = sized_loader_options(set, epochs);
  const auto plan = largest_plan(set);
  if (!options_.data.memory || !plan) return options;
  return at_place(mark_at(config_, "data.memory"), [&] {
    return fit_loader(
        std::move(options), *plan,
        {.most_bytes = loader_share(), .may_choose_workers = !options_.data.workers.has_value()});
  });
}

}  // namespace hearth
