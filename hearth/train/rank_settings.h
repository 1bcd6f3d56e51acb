// What a training needs to know of the machine it runs on, and of the processes it runs in.
#pragma once

#include "hearth/config/node.h"
#include "hearth/experiment/options.h"
#include "hearth/train/estimator.h"

namespace hearth {

class Group;

// With the processes that train together, if nobody gave others; none for one alone.
[[nodiscard]] EstimatorSettings with_group(const Node& effective, EstimatorSettings settings);
// The first process writes and speaks for all of them; whether this one helps it to keep a run.
[[nodiscard]] bool follow_first(EstimatorSettings& settings);
// The config's options, before the first tensor is made. How many shards there are is part of the
// numbers: what the processes ask for goes into the config, but into no run's that is begun.
[[nodiscard]] ExperimentOptions options_on_this_machine(Node& effective,
                                                        const EstimatorSettings& settings,
                                                        bool is_begun);
// What of it is not a shard's work computes with these threads from now on.
void use_threads_of(const ExperimentOptions& options);

// ConfigError unless there are as many processes as sync_replicas.total says; null: one.
void check_total(const ExperimentOptions& options, const Node& effective, const Group* group);

}  // namespace hearth
