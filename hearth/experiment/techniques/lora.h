// Fine-tuning by low-rank parts beside linear layers (LoRA).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct LoraOptions {
  std::vector<std::string> layers = {"*"};
  int64_t rank = 8;
  double alpha = 16;
  double dropout = 0;
  std::vector<std::string> also_train = {};
  std::optional<std::string> model = {};
  static const Schema<LoraOptions>& schema();
};

[[nodiscard]] Choice<Technique> lora(LoraOptions options = {});

}  // namespace hearth::techniques
