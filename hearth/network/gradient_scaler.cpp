// Scales a loss so that small gradients survive float16, and takes the scale out again.
#include "hearth/network/gradient_scaler.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

// The largest value tells: of what is not a number, so is the maximum.
bool is_finite(const at::Tensor& gradient) {
  return gradient.numel() == 0 || std::isfinite(gradient.abs().max().item<double>());
}

}  // namespace

bool GradientScaler::unscale(const std::vector<at::Tensor>& gradients) {
  const c10::AutoGradMode no_grad(false);
  if (!std::all_of(gradients.begin(), gradients.end(), is_finite)) {
    scale_ = std::max(settings_.least, scale_ * settings_.backoff);
    finite_steps_ = 0;
    ++skipped_;
    return false;
  }
  for (at::Tensor gradient : gradients) gradient.mul_(1 / scale_);
  if (++finite_steps_ == settings_.growth_steps) {
    // Beyond float32 no gradient would be finite.
    const double grown = scale_ * settings_.growth;
    if (std::isfinite(static_cast<float>(grown))) scale_ = grown;
    finite_steps_ = 0;
  }
  return true;
}

void GradientScaler::write(State& state) const {
  state.values["loss_scale"] = scale_;
  state.values["loss_scale_steps"] = finite_steps_;
  state.values["skipped_steps"] = skipped_;
}

void GradientScaler::read(const State& state) {
  scale_ = state.values.value("loss_scale", scale_);
  finite_steps_ = state.values.value("loss_scale_steps", finite_steps_);
  skipped_ = state.values.value("skipped_steps", skipped_);
}

}  // namespace hearth
