// Loss curves of the fast kernels beside those of the plain ones. Training is chaotic: a difference
// in the last bit of a weight grows from step to step. So the curves may lie as far apart as those
// of plain trainings whose first weights differ in the last bits, a small factor aside.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/kernels/five_networks.h"

namespace hearth {
namespace {

using Curve = std::vector<double>;

constexpr int kSteps = 200;
constexpr int kFirstSteps = 10;  // before differences have grown
constexpr int kWindow = 20;
constexpr int kNeighbours = 3;
constexpr double kLastBits = 1e-7;  // as a share of each weight
constexpr double kSmallFactor = 5;

Curve curve_of(const std::string& name, Kernels kernels) {
  return Training(name, kernels).steps(kSteps);
}

// A plain training from weights that differ in their last bits.
Curve neighbour_of(const std::string& name, int number) {
  Training training(name, Kernels::kPlain);
  const c10::AutoGradMode no_gradients(false);
  at::manual_seed(static_cast<uint64_t>(number));
  for (const auto& [path, weight] : training.model().layer().parameters())
    weight.mul_(at::randn_like(weight).mul_(kLastBits).add_(1));
  return training.steps(kSteps);
}

double mean_of(const Curve& curve, int first, int count) {
  return std::accumulate(curve.begin() + first, curve.begin() + first + count, 0.0) / count;
}

// The largest distance so far, at the end of each window.
Curve distances(const Curve& left, const Curve& right) {
  Curve found;
  double largest = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    largest = std::max(largest, std::abs(left[i] - right[i]));
    if ((i + 1) % kWindow == 0) found.push_back(largest);
  }
  return found;
}

Curve largest_of(const Curve& left, const Curve& right) {
  Curve largest = left;
  for (size_t i = 0; i < left.size(); ++i) largest[i] = std::max(left[i], right[i]);
  return largest;
}

void expect_learning(const Curve& curve) {
  EXPECT_LT(mean_of(curve, kSteps - kWindow, kWindow), 0.6 * mean_of(curve, 0, kFirstSteps));
}

TEST_P(FiveNetworks, LearnAlongThePlainCurve) {
  const Curve plain = curve_of(GetParam(), Kernels::kPlain);
  const Curve fast = curve_of(GetParam(), Kernels::kFast);
  expect_learning(plain);
  expect_learning(fast);
  for (size_t i = 0; i < kFirstSteps; ++i)
    EXPECT_NEAR(fast[i], plain[i], 1e-4 * plain[i]) << "step " << i;
  Curve natural(kSteps / kWindow);
  for (int number = 1; number <= kNeighbours; ++number)
    natural = largest_of(natural, distances(neighbour_of(GetParam(), number), plain));
  const Curve found = distances(fast, plain);
  for (size_t i = 0; i < found.size(); ++i) {
    std::printf("CURVE %s %zu fast %.3g natural %.3g ratio %.2f loss %.4f %.4f\n",
                GetParam().c_str(), (i + 1) * kWindow, found[i], natural[i], found[i] / natural[i],
                mean_of(plain, i * kWindow, kWindow), mean_of(fast, i * kWindow, kWindow));
    EXPECT_LE(found[i], kSmallFactor * natural[i]) << "up to step " << (i + 1) * kWindow;
  }
  for (size_t i = 0; i < kFirstSteps; ++i)
    std::printf("FIRST %s %.3g\n", GetParam().c_str(), std::abs(fast[i] / plain[i] - 1));
}

INSTANTIATE_TEST_SUITE_P(Curves, FiveNetworks, testing::ValuesIn(five_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
