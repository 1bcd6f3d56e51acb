// Inputs that are legal and unusual: gradients and inputs whose values lie in another order in
// memory, numbers too small to have all their digits, batches without a sample. Fast kernels and
// LibTorch's operators give what LibTorch's give in double.
#include <algorithm>
#include <limits>
#include <map>

#include "hearth/base/error.h"
#include "tests/conformance/layer_cases.h"

namespace hearth {
namespace {

// Values drawn, with the last dimension the farthest apart in memory.
at::Tensor turned_draw(at::IntArrayRef sizes) {
  at::manual_seed(6);
  return at::randn(std::vector<int64_t>(sizes.rbegin(), sizes.rend())).permute([&] {
    std::vector<int64_t> axes;
    for (size_t i = 0; i < sizes.size(); ++i)
      axes.push_back(static_cast<int64_t>(sizes.size() - 1 - i));
    return axes;
  }());
}

at::Tensor draw(at::IntArrayRef sizes) {
  at::manual_seed(6);
  return at::randn(sizes);
}

// What cancels, as the gradient of a bias before a norm, leaves the rounding of what it is made of.
constexpr double kRounding = 1e-6;

std::string kind_of(const std::string& result) {
  if (result == "the output") return result;
  return result.starts_with("the gradient of") ? "a gradient" : "a buffer";
}

std::map<std::string, double> largest_of_kinds(const Results& truth) {
  std::map<std::string, double> largest;
  for (const auto& [name, value] : truth) {
    const at::Tensor finite = value.to(at::kDouble).abs();
    if (finite.numel() == 0 || !finite.isfinite().all().item<bool>()) continue;
    double& known = largest[kind_of(name)];
    known = std::max(known, finite.max().item<double>());
  }
  return largest;
}

// `tolerance` is a share of the largest value; differences of `least` do not count.
void expect_close(const Results& found, const Results& truth, double tolerance, double least) {
  ASSERT_EQ(found.size(), truth.size());
  std::map<std::string, double> largest = largest_of_kinds(truth);
  for (size_t i = 0; i < truth.size(); ++i) {
    const auto& [name, expected] = truth[i];
    ASSERT_EQ(found[i].second.sizes(), expected.sizes()) << name;
    const at::Tensor exact = expected.to(at::kDouble);
    // Deep networks make infinite gradients of batch norms without any variance.
    if (exact.numel() == 0 || !exact.isfinite().all().item<bool>()) continue;
    EXPECT_LE(
        found[i].second.sub(exact).abs().max().item<double>(),
        tolerance * exact.abs().max().item<double>() + least + kRounding * largest[kind_of(name)])
        << name;
  }
}

class OddInput : public LayerCaseTest {
 protected:
  [[nodiscard]] double tolerance() const { return std::max(1e-4, 10 * tried().tolerance); }

  static Results run(Kernels kernels, at::ScalarType type, const at::Tensor& input,
                     const MakeFlow& flow) {
    const auto layer = built_layer(kernels);
    if (type == at::kDouble) make_double(layer->parameters());
    if (type == at::kDouble) make_double(layer->buffers());
    return call_results(*layer, own_input(input, type), flow);
  }

  void expect_both(const at::Tensor& input, const MakeFlow& flow) const {
    const Results truth = run(Kernels::kPlain, at::kDouble, input, flow);
    for (const Kernels kernels : {Kernels::kPlain, Kernels::kFast}) {
      SCOPED_TRACE(kernels == Kernels::kPlain ? "plain" : "fast");
      expect_close(run(kernels, at::kFloat, input, flow), truth, tolerance(), 1e-5);
    }
  }
};

TEST_P(OddInput, MayHaveGradientsThatLieTurnedInMemory) { expect_both(batch(), turned_draw); }

TEST_P(OddInput, MayLieTurnedInMemory) {
  if (tried().tokens) GTEST_SKIP() << "tokens";
  expect_both(turned_draw(batch().sizes()), draw);
}

// Numbers of 1e-40 have five digits, of which Winograd's algorithm costs one, and a sum of some
// hundred may be off by that many of the smallest.
TEST_P(OddInput, MayBeTooSmallForAllItsDigits) {
  constexpr double kTiny = 1e-40;
  constexpr double kLeast = 2000 * std::numeric_limits<float>::denorm_min();
  const at::Tensor input = batch();
  const at::Tensor small = input.is_floating_point() ? input.detach().mul(kTiny) : input;
  // What flows back shrinks on its way, and norms make its rounding larger again.
  const auto tiny_flow = [](at::IntArrayRef sizes) { return draw(sizes).mul(10 * kTiny); };
  const auto compare = [&](const at::Tensor& from, const MakeFlow& flow) {
    expect_close(run(Kernels::kFast, at::kFloat, from, flow),
                 run(Kernels::kPlain, at::kFloat, from, flow), 10 * tolerance(), kLeast);
  };
  if (!tried().scale_free) compare(small, draw);
  compare(input, tiny_flow);
}

// What LibTorch refuses, Hearth refuses too.
TEST_P(OddInput, MayHaveNoSample) {
  const at::Tensor none = batch(0);
  Results truth;
  try {
    truth = run(Kernels::kPlain, at::kFloat, none, draw);
  } catch (const GraphError&) {
    EXPECT_THROW((void)run(Kernels::kFast, at::kFloat, none, draw), GraphError);
    return;
  }
  const Results found = run(Kernels::kFast, at::kFloat, none, draw);
  ASSERT_EQ(found.size(), truth.size());
  for (size_t i = 0; i < truth.size(); ++i) {
    EXPECT_EQ(found[i].second.defined(), truth[i].second.defined()) << truth[i].first;
    if (!truth[i].second.defined()) continue;
    EXPECT_TRUE(found[i].second.allclose(truth[i].second, 0, 0, true)) << truth[i].first;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, OddInput, testing::ValuesIn(compared_layer_cases()), kCaseName);

}  // namespace
}  // namespace hearth
