// Focal losses of answers of yes or no.
#include "hearth/network/losses/focal.h"

#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softplus.h>

namespace hearth {

at::Tensor focal_factor(const at::Tensor& missing, double gamma) {
  // Powers below one have no slope at zero.
  constexpr double kLeast = 1e-30;
  return missing.clamp_min(kLeast).pow(gamma);
}

at::Tensor focal_losses(const at::Tensor& scores, const at::Tensor& yes, double gamma,
                        std::optional<double> alpha) {
  const at::Tensor no = yes.neg().add(1);
  const at::Tensor missing = at::sigmoid(scores.neg()).mul(yes).add(at::sigmoid(scores).mul(no));
  at::Tensor losses = at::softplus(scores.neg()).mul(yes).add(at::softplus(scores).mul(no));
  losses = losses.mul(focal_factor(missing, gamma));
  return alpha ? losses.mul(yes.mul(*alpha).add(no, 1 - *alpha)) : losses;
}

}  // namespace hearth
