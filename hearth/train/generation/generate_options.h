// How a text is continued. Needs no LibTorch header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/schema.h"

namespace hearth {

struct GenerateOptions {
  int64_t max_tokens = 200;
  std::optional<double> temperature = {};  // 1 when left out
  std::optional<int64_t> top_k = {};
  std::optional<double> top_p = {};
  double repetition_penalty = 1;  // off
  int64_t beams = 1;
  double length_penalty = 1;
  std::vector<std::string> stop = {};
  int64_t seed = 0;
  bool cache = true;
  static const Schema<GenerateOptions>& schema();
};

// ConfigError with all that is wrong.
void check_generate_options(const GenerateOptions& options);

}  // namespace hearth
