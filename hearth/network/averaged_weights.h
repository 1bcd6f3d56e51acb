// Lets models compute with the averages of their weights for a while.
#pragma once

#include <utility>
#include <vector>

#include "hearth/network/model.h"

namespace hearth {

// While it lives, parameters of models with an `average` hold their averages; then they have their
// own values again. Nothing is copied.
class AveragedWeights {
 public:
  explicit AveragedWeights(const ModelSet& models);
  ~AveragedWeights();
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  void use(const Optimizer& optimizer);
  std::vector<std::pair<at::Tensor, at::Tensor>> own_;  // parameters and their own values
};

}  // namespace hearth
