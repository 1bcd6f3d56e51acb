// The loss of a text read from a longer sequence.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct CtcLossOptions {
  std::vector<std::string> in = {"logits", "label"};
  std::string out = "loss";
  std::string input_length = {};
  std::string target_length = {};
  int64_t blank = 0;
  bool by_length = true;
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<CtcLossOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> ctc_loss(CtcLossOptions options = {});

}  // namespace hearth::network_ops
