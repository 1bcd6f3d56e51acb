// Loss curves of the fast kernels beside those of the plain ones. Training is chaotic: a difference
// in the last bit of a weight grows from step to step. So the curves may lie as far apart as those
// of plain trainings whose first weights differ in the last bits, a small factor aside. Where that
// is far, single steps from the plain training's state still show every fault.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <typeinfo>

#include "hearth/kernels/convolution/convolution_method.h"
#include "tests/kernels/five_networks.h"

namespace hearth {
namespace {

using Curve = std::vector<double>;

constexpr int kSteps = 200;
constexpr int kFirstSteps = 10;
constexpr int kWindow = 20;
constexpr int kBothEvery = 10;
constexpr int kNeighbours = 2;
constexpr double kLastBits = 1e-7;  // as a share of each weight
constexpr double kSmallFactor = 5;
constexpr double kRounding = 2e-6;  // of a loss, where plain trainings do not part at all

std::vector<at::Tensor> weights_of(Training& training) {
  std::vector<at::Tensor> weights;
  for (const auto& [path, weight] : training.model().layer().parameters())
    weights.push_back(weight.detach().clone());
  return weights;
}

// The norm of all differences together.
double distance(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  double squares = 0;
  for (size_t i = 0; i < left.size(); ++i)
    squares += left[i].sub(right[i]).square().sum().item<double>();
  return std::sqrt(squares);
}

// The plain step, and from the same state the fast one: chaos has no time to work. Gives how far
// the two changes of the weights are apart, as a share of the plain one.
double step_both(Training& plain, Training& fast, Curve& curve) {
  const std::vector<at::Tensor> before = weights_of(plain);
  const double fast_loss = fast.follow(plain);
  curve.push_back(plain.step());
  EXPECT_NEAR(fast_loss, curve.back(), 2e-5 * curve.back()) << "step " << curve.size();
  const std::vector<at::Tensor> after = weights_of(plain);
  return distance(weights_of(fast), after) / distance(before, after);
}

// In single steps a relu at its kink may go the other way, which is no rounding any more.
void expect_small(Curve errors, double tolerance) {
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors[errors.size() / 2], tolerance);
  EXPECT_LT(errors.back(), 1e-2);
}

// The plain curve; a fast training takes some of its steps along with it.
Curve plain_curve_of(const std::string& name) {
  Training plain(name, Kernels::kPlain);
  Training fast(name, Kernels::kFast);
  Curve curve;
  Curve errors;
  for (int i = 0; i < kSteps; ++i) {
    if (i % kBothEvery == 0)
      errors.push_back(step_both(plain, fast, curve));
    else
      curve.push_back(plain.step());
  }
  expect_small(errors, five_networks().at(name).update_tolerance);
  return curve;
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
  const Curve plain = plain_curve_of(GetParam());
  const Curve fast = Training(GetParam(), Kernels::kFast).steps(kSteps);
  expect_learning(plain);
  expect_learning(fast);
  for (size_t i = 0; i < five_networks().at(GetParam()).steps_together; ++i)
    EXPECT_NEAR(fast[i], plain[i], 1e-4 * plain[i]) << "step " << i;
  Curve natural(kSteps / kWindow);
  for (int number = 1; number <= kNeighbours; ++number)
    natural = largest_of(natural, distances(neighbour_of(GetParam(), number), plain));
  const Curve found = distances(fast, plain);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(found[i], kSmallFactor * natural[i] + kRounding) << "window " << i;
}

bool is_same_kind(const ConvolutionMethod& left, const ConvolutionMethod& right) {
  return typeid(left) == typeid(right);
}

// Convolutions of the residual networks above: the curves are of Winograd's algorithm too.
TEST(Convolutions, OfTheFiveNetworksAreWinogradsAndOthers) {
  const int threads = at::get_num_threads();
  const ConvolutionGeometry wide = {16, 32, 8, 8, 32, 3, 3, {1, 1}, false, false, threads};
  const ConvolutionGeometry narrow = {16, 16, 8, 8, 16, 3, 3, {1, 1}, false, false, threads};
  EXPECT_TRUE(is_same_kind(*make_method(wide), *winograd_method(wide)));
  EXPECT_FALSE(is_same_kind(*make_method(narrow), *winograd_method(narrow)));
}

INSTANTIATE_TEST_SUITE_P(Curves, FiveNetworks, testing::ValuesIn(five_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
