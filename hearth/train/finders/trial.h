// Trainings that leave no trace: configs without what does not bear on a step, and what a finder
// needs of the optimizers in them.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/train/estimator.h"
#include "hearth/train/finders/finder.h"
#include "hearth/train/rank_meeting.h"

namespace hearth {

// The config without evaluation, metrics, traces, trackers and ends of the training; what is not
// finite is left for the finder to see.
[[nodiscard]] Node trial_config(Node config);
// Sets "data.batch_size" to a text.
void set_option(Node& config, const std::string& path, const std::string& value);
// The config's training on a copy. Nothing is written, and nobody but `settings` is told.
[[nodiscard]] Estimator make_trial(const FinderTarget& target, const Node& config,
                                   const FinderSettings& settings);
// With the processes that a launcher made, if nobody gave others: the first one speaks for all.
[[nodiscard]] FinderSettings of_all_ranks(const Node& config, FinderSettings settings);
[[nodiscard]] int64_t processes_on_this_host(const FinderSettings& settings);
// On any of them.
[[nodiscard]] bool is_interrupted(const FinderSettings& settings, const RankMeeting& ranks);

// A learning rate as the config has it.
struct ConfiguredRate {
  std::string optimizer;     // its kind: "adamw"
  std::string path;          // of the option: "optimizer.adamw.lr"
  Node value;                // a number or a schedule
  double highest = 0;        // that number, or the most the schedule ever gives
  std::string highest_path;  // of the one number that says it; empty when there is no such
  [[nodiscard]] bool is_scheduled() const { return value.is_map(); }
  // "optimizer.adamw.lr.cosine.peak=0.01": the override that makes this the highest.
  [[nodiscard]] std::string override_for(double rate) const;
};
// Of every optimizer, those that losses bring along too.
[[nodiscard]] std::vector<ConfiguredRate> configured_rates(const Node& config);
// Every learning rate becomes the number that is its highest.
void hold_rates(Node& config);

}  // namespace hearth
