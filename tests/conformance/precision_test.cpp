// How exact Hearth's own kernels are: their error against float64 is at most three times that of
// LibTorch's operators in float32, for every layer's output, gradients and buffers.
#include <cmath>
#include <limits>
#include <map>

#include "tests/conformance/layer_cases.h"

namespace hearth {
namespace {

constexpr uint64_t kDraws = 8;
// Half a unit in the last place: less is luck.
constexpr double kLeastError = std::numeric_limits<float>::epsilon() / 2;

// Squares of errors and of exact values, summed over draws.
struct Squares {
  double fast = 0;
  double plain = 0;
  double exact = 0;
};

// Parameters count together, and so do buffers: a single one may be near zero by chance.
std::string group_of(const std::string& result) {
  if (result == "the output" || result == "the gradient of the input") return result;
  return result.starts_with("the gradient of") ? "the parameters' gradients" : "the buffers";
}

double squares(const at::Tensor& values) {
  return values.to(at::kDouble).square().sum().item<double>();
}

class Precision : public LayerCaseTest {
 protected:
  void SetUp() override {
    LayerCaseTest::SetUp();
    if (HasFatalFailure()) return;
    exact_ = built_layer(Kernels::kPlain);
    plain_ = built_layer(Kernels::kPlain);
    fast_ = built_layer(Kernels::kFast);
    make_double(exact_->parameters());
    make_double(exact_->buffers());
  }

  void set_training(bool is_training) {
    for (Layer* layer : {exact_.get(), plain_.get(), fast_.get()}) layer->set_training(is_training);
  }

  void add_errors(uint64_t seed, std::map<std::string, Squares>& groups) {
    const at::Tensor input = case_batch(tried(), kCaseBatch, seed);
    const auto run = [&](Layer& layer, at::ScalarType type) {
      return call_results(layer, own_input(input, type), [seed](at::IntArrayRef sizes) {
        at::manual_seed(seed);
        return at::randn(sizes);
      });
    };
    const Results truth = run(*exact_, at::kDouble);
    const Results plain = run(*plain_, at::kFloat);
    const Results fast = run(*fast_, at::kFloat);
    for (size_t i = 0; i < truth.size(); ++i) {
      const at::Tensor exact = truth[i].second.to(at::kDouble);
      Squares& sums = groups[group_of(truth[i].first)];
      sums.plain += squares(plain[i].second.sub(exact));
      sums.fast += squares(fast[i].second.sub(exact));
      sums.exact += squares(exact);
    }
  }

  std::unique_ptr<Layer> exact_, plain_, fast_;
};

TEST_P(Precision, IsThatOfLibTorchsOperators) {
  for (const bool is_training : {true, false}) {
    set_training(is_training);
    std::map<std::string, Squares> groups;
    for (uint64_t seed = 1; seed <= kDraws; ++seed) add_errors(seed, groups);
    for (const auto& [name, sums] : groups) {
      if (sums.exact == 0) continue;
      const double plain = std::sqrt(sums.plain / sums.exact);
      const double fast = std::sqrt(sums.fast / sums.exact);
      EXPECT_LE(fast, tried().most_times * std::max(plain, kLeastError))
          << name << (is_training ? " in training" : " in evaluation") << ", LibTorch's " << plain;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Precision, testing::ValuesIn(compared_layer_cases()), kCaseName);

}  // namespace
}  // namespace hearth
