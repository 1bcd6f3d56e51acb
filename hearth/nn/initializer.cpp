// First values of a parameter, as a config chooses them.
#include "hearth/nn/initializer.h"

#include <ATen/ops/empty.h>

namespace hearth {

void Initializer::fill_one(const InitScope& scope, const NamedTensor& parameter) const {
  at::Tensor values = at::empty(parameter.second.sizes(), at::kFloat);
  fill(values, scope.generator(parameter.first));
  parameter.second.copy_(values);
}

std::string Initializer::fill_all(const InitScope& scope) const {
  bool fills = false;
  std::string reason;
  for (const NamedTensor& parameter : scope.parameters) {
    const std::string unfit = misfit(parameter.second.sizes());
    if (reason.empty()) reason = unfit;
    if (!unfit.empty()) continue;
    fill_one(scope, parameter);
    fills = true;
  }
  return fills ? "" : reason;
}

}  // namespace hearth
