// Steps that are made of the gradients which come first.
#include "hearth/experiment/sync_replicas.h"

#include "hearth/base/error.h"
#include "hearth/experiment/options.h"

namespace hearth {

const Schema<SyncReplicasOptions>& SyncReplicasOptions::schema() {
  using O = SyncReplicasOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::aggregate, "aggregate",
                 "Gradients that make a step: the first so many that come. With more than `total`, "
                 "processes compute several parts of a batch, faster ones more of them.",
                 required(), at_least(1), at_most(255))
          .field(&O::total, "total",
                 "Processes of the run. Those beyond `aggregate` are spare: in every step the "
                 "slowest are not waited for, and what they find is dropped.",
                 required(), at_least(1), at_most(255))
          .field(&O::backlog, "backlog",
                 "Memory of the first process for steps that a slow process has not made yet. When "
                 "it is full, the others wait for it.");
  return fields;
}

void check_sync_replicas(const ExperimentOptions& options) {
  if (!options.sync_replicas) return;
  if (options.exchange)
    throw ConfigError(
        "gathers gradients at the first process, but exchange says how they travel between all. "
        "Leave one of them out.");
  if (options.zero > 0)
    throw ConfigError(
        "lets every process make the whole step, but zero shares it out. Leave one of them out.");
  if (options.elastic)
    throw ConfigError(
        "has a fixed number of processes, its total, but elastic lets them come and go. Leave one "
        "of them out.");
  const int64_t slots = options.sync_replicas->slots();
  if (options.shards && *options.shards % slots != 0)
    throw ConfigError("hands a batch out in " + std::to_string(slots) +
                      " equal parts, the larger of aggregate and total, but shards is " +
                      std::to_string(*options.shards) +
                      ". Leave shards out, or set it to a multiple of " + std::to_string(slots) +
                      " in a new run.");
}

}  // namespace hearth
