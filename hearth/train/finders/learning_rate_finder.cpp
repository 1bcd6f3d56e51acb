// A learning rate found by trying.
#include "hearth/train/finders/learning_rate_finder.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/train/finders/rate_sweep.h"

namespace hearth {
namespace {

constexpr int64_t kFewestSteps = 20;
constexpr int64_t kMostSteps = 1'000'000;

void check(const LearningRateSearch& search) {
  const bool is_range = search.from > 0 && std::isfinite(search.to) && search.to > search.from;
  if (!is_range)
    throw ConfigError(
        "learning rates are tried from a number above 0 to a higher one, but not from " +
        shortest_number(search.from) + " to " + shortest_number(search.to) + ".");
  if (search.steps < kFewestSteps || search.steps > kMostSteps)
    throw ConfigError("a curve has from " + std::to_string(kFewestSteps) + " to " +
                      std::to_string(kMostSteps) + " steps, but not " +
                      std::to_string(search.steps) + ".");
  if (!(search.smooth >= 0 && search.smooth < 1))
    throw ConfigError("smoothing keeps a share from 0 to below 1, but not " +
                      shortest_number(search.smooth) + ".");
}

}  // namespace

LearningRateFinding find_learning_rate(const FinderTarget& target, const LearningRateSearch& search,
                                       const FinderSettings& settings) {
  check(search);
  const FinderSettings all = of_all_ranks(target.config, settings);
  const RankMeeting ranks(all.group);
  Node config = trial_config(target.config);
  const std::vector<ConfiguredRate> configured = configured_rates(config);
  hold_rates(config);
  set_option(config, "data.cache", "none");  // a sweep reads most samples once
  Estimator estimator = make_trial(target, config, all);
  RateSweep sweep(estimator.trainer(), configured, search, all);
  // An experiment may be shorter than the sweep: then its epochs come again.
  while (sweep.steps_left() > 0 && !is_interrupted(all, ranks))
    (void)estimator.step(sweep.steps_left());
  return sweep.take(configured);
}

}  // namespace hearth
