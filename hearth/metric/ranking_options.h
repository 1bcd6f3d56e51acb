// Options that metrics of ordered documents share. Needs no LibTorch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct RankingOptions {
  std::vector<std::string> in = {"scores", "relevance"};
  int64_t k = 0;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<RankingOptions>& schema();
};

}  // namespace hearth::metrics
