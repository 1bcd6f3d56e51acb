// Lets models compute with the averages of their weights for a while.
#include "hearth/network/averaged_weights.h"

namespace hearth {

AveragedWeights::AveragedWeights(const ModelSet& models) {
  for (const auto& model : models.all()) {
    if (!model->is_averaged() || model->optimizer() == nullptr) continue;
    const Optimizer& optimizer = *model->optimizer();
    for (size_t i = 0; i < optimizer.handles().size(); ++i) {
      const at::Tensor average = optimizer.average(i);
      if (!average.defined()) continue;
      const at::Tensor& parameter = optimizer.handles()[i].second;
      own_.emplace_back(parameter, parameter.detach());
      parameter.set_data(average);
    }
  }
}

AveragedWeights::~AveragedWeights() {
  for (const auto& [parameter, own] : own_) parameter.set_data(own);
}

}  // namespace hearth
