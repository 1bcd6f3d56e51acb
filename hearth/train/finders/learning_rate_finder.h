// A learning rate found by trying: it grows from step to step on a copy of the model, until the
// loss diverges.
#pragma once

#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/tracking/chart/chart.h"
#include "hearth/train/finders/finder.h"
#include "hearth/train/finders/rate_curve.h"

namespace hearth {

struct LearningRateSearch {
  double from = 1e-6;
  double to = 10;
  int64_t steps = 100;
  // Whose rate is tried: "net", or "net/head" of a model with several optimizers; the others follow
  // their schedules. Left out: all of them, each by the same factor.
  std::string optimizer = {};
  // The key of the loss to look at. Left out: what the updates read, added up.
  std::string loss = {};
  double smooth = 0.8;  // the share that a neighbour's average keeps
};

// One of the rates that were tried together.
struct SweptRate {
  std::string name;       // "net", "net/head"
  double configured = 0;  // the highest, of a schedule
  bool is_scheduled = false;
  double share = 1;             // of the first one's rate
  std::string override_text;    // "optimizer.adamw.lr=0.003"; empty without a suggestion
  std::string cyclic_override;  // "optimizer.adamw.lr={cyclic: {low: 0.0003, ...}}", or empty
};

struct LearningRateFinding {
  RateCurve curve;  // over the rate of the first in `rates`
  RateVerdict verdict;
  std::vector<SweptRate> rates;
  std::vector<std::string> losses;  // keys that the curve adds up
  int64_t first_step = 0;           // where the run's checkpoint stood
  double seconds = 0;
  bool was_interrupted = false;

  [[nodiscard]] Chart chart() const;
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string text() const;
};

// The same config and seed give the same curve. ConfigError for a search that cannot be.
[[nodiscard]] LearningRateFinding find_learning_rate(const FinderTarget& target,
                                                     const LearningRateSearch& search = {},
                                                     const FinderSettings& settings = {});

}  // namespace hearth
