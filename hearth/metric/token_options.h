// Options that metrics of texts share. Needs no LibTorch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/metric/bootstrap_options.h"

namespace hearth::metrics {

// Which of the numbers in a row are a text.
struct TextOptions {
  std::vector<int64_t> ignored = {};
  std::optional<int64_t> end = std::nullopt;
};

struct TokenMetricOptions {
  std::vector<std::string> in = {"prediction", "target"};
  std::vector<int64_t> ignored = {};
  std::optional<int64_t> end = std::nullopt;
  std::string weight = {};
  std::string mask = {};
  BootstrapOptions bootstrap = {};
  std::string out = {};
  static const Schema<TokenMetricOptions>& schema();
  [[nodiscard]] TextOptions texts() const { return {ignored, end}; }
};

}  // namespace hearth::metrics
