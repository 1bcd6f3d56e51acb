// How exact Hearth's own kernels are: their error against float64 is at most three times that of
// LibTorch's operators in float32, for the outputs, gradients and buffers of every layer, loss and
// other op.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tests/conformance/op_cases.h"

namespace hearth {
namespace {

constexpr uint64_t kDraws = 8;
constexpr double kMostTimes = 3;
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
  if (result.starts_with("output") || result.starts_with("the gradient of input")) return result;
  return result.starts_with("the gradient of") ? "the parameters' gradients" : "the buffers";
}

double squares(const at::Tensor& values) {
  return values.to(at::kDouble).square().sum().item<double>();
}

using Groups = std::map<std::string, Squares>;

// Of one draw.
Groups errors_of(const Results& truth, const Results& plain, const Results& fast) {
  Groups groups;
  for (size_t i = 0; i < truth.size(); ++i) {
    EXPECT_EQ(fast[i].second.defined(), truth[i].second.defined()) << truth[i].first;
    if (!truth[i].second.defined()) continue;
    const at::Tensor exact = truth[i].second.to(at::kDouble);
    Squares& sums = groups[group_of(truth[i].first)];
    sums.plain += squares(plain[i].second.to(at::kDouble).sub(exact));
    sums.fast += squares(fast[i].second.to(at::kDouble).sub(exact));
    sums.exact += squares(exact);
  }
  return groups;
}

// Of all draws together, and how many times LibTorch's error each draw's is.
struct Errors {
  Squares sums = {};
  std::vector<double> times = {};
};

std::map<std::string, Errors> errors_of_all(const std::vector<Groups>& draws) {
  std::map<std::string, Errors> all;
  for (const Groups& draw : draws)
    for (const auto& [name, squares] : draw) {
      Errors& errors = all[name];
      errors.sums.fast += squares.fast;
      errors.sums.plain += squares.plain;
      errors.sums.exact += squares.exact;
      const double least = kLeastError * kLeastError * squares.exact;
      const bool is_exact = squares.fast <= std::max(squares.plain, least);  // of zeros, too
      errors.times.push_back(is_exact ? 1
                                      : std::sqrt(squares.fast / std::max(squares.plain, least)));
    }
  return all;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Where rounding decides about a kink, of a relu or a maximum, or is made larger on its way through
// many norms, some draws have a thousand times the error of others, in LibTorch's as in Hearth's:
// then the median of draws says more than their sum.
void expect_exact(const std::vector<Groups>& draws, bool is_deep = false) {
  for (const auto& [name, errors] : errors_of_all(draws)) {
    const Squares& sums = errors.sums;
    if (sums.exact == 0) {
      EXPECT_LE(sums.fast, sums.plain) << name;
      continue;
    }
    if (is_deep) {
      EXPECT_LE(median(errors.times), kMostTimes) << name;
      continue;
    }
    const double plain = std::sqrt(sums.plain / sums.exact);
    const double fast = std::sqrt(sums.fast / sums.exact);
    EXPECT_LE(fast, kMostTimes * std::max(plain, kLeastError)) << name << ", LibTorch's " << plain;
  }
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
    if (!is_training) share_buffers();
  }

  // What training left in running statistics is compared as training's own result. Evaluation
  // starts from the same ones: otherwise a single draw of rounding would be all that is measured,
  // the same in every draw of the input.
  void share_buffers() {
    const std::vector<NamedTensor> exact = exact_->buffers();
    const std::vector<NamedTensor> plain = plain_->buffers();
    const std::vector<NamedTensor> fast = fast_->buffers();
    for (size_t i = 0; i < exact.size(); ++i) {
      plain[i].second.copy_(exact[i].second);
      fast[i].second.copy_(plain[i].second);
      exact[i].second.copy_(plain[i].second);
    }
  }

  [[nodiscard]] Groups errors(uint64_t seed) {
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
    return errors_of(truth, plain, fast);
  }

  std::unique_ptr<Layer> exact_, plain_, fast_;
};

TEST_P(Precision, IsThatOfLibTorchsOperators) {
  for (const bool is_training : {true, false}) {
    SCOPED_TRACE(is_training ? "training" : "evaluation");
    set_training(is_training);
    std::vector<Groups> draws;
    for (uint64_t seed = 1; seed <= kDraws; ++seed) draws.push_back(errors(seed));
    expect_exact(draws, tried().deep);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Precision, testing::ValuesIn(layer_cases()), kCaseName);

// The same of losses and other ops.
class OpPrecision : public OpCaseTest {};

TEST_P(OpPrecision, IsThatOfLibTorchsOperators) {
  const auto exact = tried_op(Kernels::kPlain);
  const auto plain = tried_op(Kernels::kPlain);
  const auto fast = tried_op(Kernels::kFast);
  exact->use_double();
  std::vector<Groups> draws;
  for (uint64_t seed = 1; seed <= kDraws; ++seed) {
    const std::vector<at::Tensor> values = inputs(seed);
    draws.push_back(errors_of(exact->run(values, at::kDouble), plain->run(values, at::kFloat),
                              fast->run(values, at::kFloat)));
  }
  expect_exact(draws);
}

INSTANTIATE_TEST_SUITE_P(Registry, OpPrecision, testing::ValuesIn(value_op_cases()), kCaseName);

}  // namespace
}  // namespace hearth
