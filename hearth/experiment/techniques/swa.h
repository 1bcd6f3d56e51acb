// Stochastic weight averaging: what is evaluated is the mean of a model's weights over the last
// part of its training.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/time.h"
#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct SwaOptions {
  Time from = {75, TimeUnit::kPercent};
  std::optional<Time> every = {};
  bool recalibrate = true;
  std::optional<std::string> model = {};
  static const Schema<SwaOptions>& schema();
};

[[nodiscard]] Choice<Technique> swa(SwaOptions options = {});

}  // namespace hearth::techniques
