// For tests: gradients held against central differences in double.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace hearth {

// A tensor in double that a number depends on, and the gradient that someone claims for it.
struct ClaimedGradient {
  std::string name;
  at::Tensor point;
  at::Tensor gradient;
};
using ClaimedGradients = std::vector<ClaimedGradient>;

inline double inner_product(const at::Tensor& left, const at::Tensor& right) {
  return left.to(at::kDouble).mul(right.to(at::kDouble)).sum().item<double>();
}

// How fast `number` grows when the points move along the directions. The points are moved in place
// and put back. An undefined direction leaves its point where it is.
inline double difference_slope(const ClaimedGradients& claims,
                               const std::vector<at::Tensor>& directions,
                               const std::function<double()>& number) {
  const c10::AutoGradMode no_gradients(false);
  const double step = 1e-7;  // short enough to step over next to no kink of a relu or a maximum
  const auto moved = [&](double length) {
    std::vector<at::Tensor> before;
    for (size_t i = 0; i < claims.size(); ++i) {
      before.push_back(directions[i].defined() ? claims[i].point.detach().clone() : at::Tensor());
      if (directions[i].defined()) claims[i].point.detach().add_(directions[i], length);
    }
    const double result = number();
    for (size_t i = 0; i < claims.size(); ++i)
      if (before[i].defined()) claims[i].point.detach().copy_(before[i]);
    return result;
  };
  return (moved(step) - moved(-step)) / (2 * step);
}

// The same by the gradients.
inline double claimed_slope(const ClaimedGradients& claims,
                            const std::vector<at::Tensor>& directions) {
  double slope = 0;
  for (size_t i = 0; i < claims.size(); ++i)
    if (directions[i].defined()) slope += inner_product(claims[i].gradient, directions[i]);
  return slope;
}

// Value by value, for what is small: at most `most` of each point, spread over it. `tolerance` is
// absolute, and a share of slopes above 1 times `of_large`.
inline void expect_gradient_values(const ClaimedGradients& claims,
                                   const std::function<double()>& number, double tolerance,
                                   double of_large = 0, int64_t most = INT64_MAX) {
  for (size_t which = 0; which < claims.size(); ++which) {
    const int64_t values = claims[which].point.numel();
    const int64_t stride = std::max<int64_t>((values - 1) / most + 1, 1);
    for (int64_t i = 0; i < values; i += stride) {
      std::vector<at::Tensor> directions(claims.size());
      directions[which] = at::zeros_like(claims[which].point, at::MemoryFormat::Contiguous);
      directions[which].view({-1})[i] = 1;
      const double slope = difference_slope(claims, directions, number);
      EXPECT_NEAR(claimed_slope(claims, directions), slope,
                  tolerance * std::max(1.0, of_large * std::abs(slope)))
          << claims[which].name << "[" << i << "]";
    }
  }
}

// What the slope along a random direction usually comes to.
inline double usual_slope(const ClaimedGradients& claims) {
  double squares = 0;
  for (const ClaimedGradient& claim : claims)
    squares += inner_product(claim.gradient, claim.gradient);
  return std::sqrt(squares);
}

// In few differences, for what is large: along each point by itself in several random directions,
// and along all of them together. `tolerance` is relative to the usual slope, so that a wrong value
// shows unless it is small among many.
inline void expect_gradient_slopes(const ClaimedGradients& claims,
                                   const std::function<double()>& number, double tolerance) {
  constexpr int kDirections = 3;
  // Its own, as what is measured may seed LibTorch's.
  const at::Generator generator = at::detail::createCPUGenerator(11);
  const double least = 1e-3 * usual_slope(claims);  // a gradient of nearly zero is not exact
  for (size_t alone = 0; alone <= claims.size(); ++alone) {
    const bool is_alone = alone < claims.size();
    const double usual = is_alone ? usual_slope({claims[alone]}) : usual_slope(claims);
    for (int trial = 0; trial < kDirections; ++trial) {
      std::vector<at::Tensor> directions(claims.size());
      for (size_t i = 0; i < claims.size(); ++i)
        if (!is_alone || i == alone)
          directions[i] = at::randn(claims[i].point.sizes(), generator, at::kDouble);
      EXPECT_NEAR(claimed_slope(claims, directions), difference_slope(claims, directions, number),
                  tolerance * std::max(usual, least))
          << "along " << (is_alone ? claims[alone].name : "all of them");
    }
  }
}

}  // namespace hearth
