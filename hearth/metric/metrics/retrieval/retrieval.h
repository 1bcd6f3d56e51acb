// How often the nearest of all other samples is of the same identity.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct RetrievalOptions {
  std::vector<std::string> in = {"point", "label"};
  std::string distance = "euclidean";
  int64_t k = 5;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = "retrieval";
  static const Schema<RetrievalOptions>& schema();
};

[[nodiscard]] Choice<Metric> retrieval(RetrievalOptions options = {});

}  // namespace hearth::metrics
