// How many runs of tokens of predicted texts are in the true ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

struct BleuOptions {
  std::vector<std::string> in = {"prediction", "target"};
  std::vector<int64_t> ignored = {};
  std::optional<int64_t> end = std::nullopt;
  int64_t n = 4;
  std::string smoothing = "none";
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<BleuOptions>& schema();
};

[[nodiscard]] Choice<Metric> bleu(const BleuOptions& options = {});

}  // namespace hearth::metrics
