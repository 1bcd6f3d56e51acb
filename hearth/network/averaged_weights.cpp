// Lets models compute with the averages of their weights for a while.
#include "hearth/network/averaged_weights.h"

namespace hearth {

AveragedWeights::AveragedWeights(const ModelSet& models) {
  for (const auto& model : models.all()) {
    if (!model->is_averaged()) continue;
    for (const ModelOptimizers::Named& named : model->optimizers().all()) use(*named.optimizer);
  }
}

void AveragedWeights::use(const Optimizer& optimizer) {
  for (size_t i = 0; i < optimizer.handles().size(); ++i) {
    const at::Tensor average = optimizer.average(i);
    if (!average.defined()) continue;
    const at::Tensor& parameter = optimizer.handles()[i].second;
    own_.emplace_back(parameter, parameter.detach());
    parameter.set_data(average);
  }
}

AveragedWeights::~AveragedWeights() {
  for (const auto& [parameter, own] : own_) parameter.set_data(own);
}

}  // namespace hearth
