// Focal losses of answers of yes or no.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace hearth {

// What is missing to certainty, so that what is known already counts little: missing^gamma.
[[nodiscard]] at::Tensor focal_factor(const at::Tensor& missing, double gamma);

// Lin et al., Focal Loss for Dense Object Detection: for scores and as many answers between 0 and
// 1; `alpha` is the weight of yes, 1 - alpha that of no.
[[nodiscard]] at::Tensor focal_losses(const at::Tensor& scores, const at::Tensor& yes, double gamma,
                                      std::optional<double> alpha);

}  // namespace hearth
