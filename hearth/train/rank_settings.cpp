// What a training needs to know of the machine it runs on, and of the processes it runs in.
#include "hearth/train/rank_settings.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/config/place.h"
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/kernels/threads/compute_threads.h"
#include "hearth/train/rank_agreement.h"

namespace hearth {
namespace {

// An elastic run has the shards of all that may come, however many there are now.
int64_t most_ranks(const ExperimentOptions& options, const EstimatorSettings& settings) {
  return std::max<int64_t>(settings.group ? settings.group->size() : 1,
                           options.elastic ? options.elastic->max : 1);
}

// One that was begun without shards has as many as it had.
void settle_shards(ExperimentOptions& options, Node& effective, const EstimatorSettings& settings,
                   bool is_begun) {
  if (options.shards) return;
  if (!settings.group && !options.elastic && !options.sync_replicas) return;
  const int64_t ranks = is_begun ? 1 : most_ranks(options, settings);
  const int64_t shards =
      options.sync_replicas ? options.sync_replicas->slots() : std::max(ranks, options.replicas);
  options.shards = shards;
  effective.set("shards", Node::scalar(std::to_string(shards)));
  if (settings.on_notice && !options.sync_replicas)
    settings.on_notice("every batch is cut into " + std::to_string(shards) +
                       " shards, one for each process at least; the run keeps that as shards: " +
                       std::to_string(shards) + ".");
}

}  // namespace

EstimatorSettings with_group(const Node& effective, EstimatorSettings settings) {
  if (!settings.group) {
    const Node* given = effective.find("cluster");
    const bool has_cluster = given != nullptr && !given->is_null();
    const ClusterOptions cluster =
        has_cluster ? ClusterOptions::schema().read(*given) : ClusterOptions();
    settings.group = own_group(has_cluster ? &cluster : nullptr);
  }
  if (settings.group->size() == 1)
    settings.group.reset();
  else
    agree_on_config(*settings.group, effective);
  return settings;
}

bool follow_first(EstimatorSettings& settings) {
  if (!settings.group || settings.group->is_first()) return false;
  const bool helps = settings.keeps_run;
  settings.keeps_run = false;
  settings.on_progress = {};
  settings.on_notice = {};
  settings.on_warning = {};
  settings.allows_commands = false;
  return helps;
}

void check_total(const ExperimentOptions& options, const Node& effective, const Group* group) {
  const int64_t ranks = group == nullptr ? 1 : group->size();
  if (!options.sync_replicas || options.sync_replicas->total == ranks) return;
  const std::string total = std::to_string(options.sync_replicas->total);
  throw ConfigError(
      "is " + total + ", but there " +
          (ranks == 1 ? "is 1 process" : "are " + std::to_string(ranks) + " processes") +
          ".\n  Next: start " + total + ", as hearth launch -n " + total + " does, or set it to " +
          std::to_string(ranks) + ".",
      mark_at(effective, "sync_replicas.total").place());
}

// With shards, bits must not depend on how many threads there are here: what is no shard's work is
// one thread's.
void use_threads_of(const ExperimentOptions& options) {
  use_threads(options.threads);
  if (options.shards && *options.shards > 1) use_threads(1);
}

ExperimentOptions options_on_this_machine(Node& effective, const EstimatorSettings& settings,
                                          bool is_begun) {
  ExperimentOptions options = ExperimentOptions::schema().read(effective);
  if (options.elastic) check_elastic(*options.elastic);
  if (settings.group) check_total(options, effective, settings.group.get());
  settle_shards(options, effective, settings, is_begun);
  use_threads(options.threads);
  if (options.shards && *options.shards > 1)
    options.replicas = std::max<int64_t>(options.replicas, at::get_num_threads());
  use_threads_of(options);
  keep_freed_memory();
  if (options.kernels == "fast") install_memory_cache();
  return options;
}

}  // namespace hearth
