// Every optimizer moves parameters by Hearth's own kernels as it does by LibTorch's operators: by
// gradients that are usual, huge, tiny, infinite or not a number.
#include <ATen/Context.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <limits>

#include "hearth/optim/optimizer.h"
#include "tests/conformance/component_cases.h"

namespace hearth {
namespace {

constexpr int64_t kValues = 21;  // two vectors and a part of one
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A parameter, its optimizer and a running average of it.
class Moved {
 public:
  Moved(const Choice<Optimizer>& choice, Kernels kernels) {
    at::manual_seed(5);
    parameter_ = at::randn({kValues});
    optimizer_ = registry<Optimizer>().make(choice);
    optimizer_->attach({{"weight", parameter_}}, kernels, 0.9);
  }
  [[nodiscard]] const at::Tensor& parameter() const { return parameter_; }
  void step(const at::Tensor& gradient, int64_t step, double clip_norm) {
    parameter_.mutable_grad() = gradient.clone();
    optimizer_->step({step, 0, {10, 10, 1}}, clip_norm);
  }
  [[nodiscard]] std::vector<NamedTensor> all() const {
    std::vector<NamedTensor> tensors = {{"the parameter", parameter_}};
    for (const NamedTensor& slot : optimizer_->state().tensors) tensors.push_back(slot);
    return tensors;
  }

 private:
  at::Tensor parameter_;
  std::unique_ptr<Optimizer> optimizer_;
};

void expect_same(const Moved& fast, const Moved& plain) {
  const std::vector<NamedTensor> found = fast.all();
  const std::vector<NamedTensor> truth = plain.all();
  ASSERT_EQ(found.size(), truth.size());
  for (size_t i = 0; i < truth.size(); ++i)
    EXPECT_TRUE(found[i].second.allclose(truth[i].second, 1e-5, 1e-30, /*equal_nan=*/true))
        << truth[i].first << "\n"
        << found[i].second << "\n"
        << truth[i].second;
}

class EveryOptimizersKernel : public CaseTest<Optimizer, OptionsCase> {};

TEST_P(EveryOptimizersKernel, MovesLikeThePlainPathByOddGradientsToo) {
  for (const double clip_norm : {0.0, 0.5}) {
    for (const float odd :
         {1.0F, kInfinity, -kInfinity, std::nanf(""), 1e-42F, -1e17F, 1e20F, -3e38F}) {
      // LibTorch's norm is infinite when a square is; Hearth's is not.
      if (clip_norm > 0 && std::abs(odd) >= 1e17F && std::isfinite(odd)) continue;
      SCOPED_TRACE(std::to_string(odd) + ", clip_norm " + std::to_string(clip_norm));
      Moved plain(choice(), Kernels::kPlain);
      Moved fast(choice(), Kernels::kFast);
      for (int64_t step = 0; step < 3; ++step) {
        at::Tensor gradient = at::randn({kValues});
        if (step < 2) gradient[3 + 13 * step] = odd;
        plain.step(gradient, step, clip_norm);
        fast.step(gradient, step, clip_norm);
        expect_same(fast, plain);
      }
    }
  }
}

TEST_P(EveryOptimizersKernel, MovesOddParametersLikeThePlainPath) {
  for (const float odd : {kInfinity, -kInfinity, std::nanf("")}) {
    SCOPED_TRACE(odd);
    Moved plain(choice(), Kernels::kPlain);
    Moved fast(choice(), Kernels::kFast);
    for (const Moved* moved : {&plain, &fast}) moved->parameter()[9] = odd;
    const at::Tensor gradient = at::randn({kValues});
    for (int64_t step = 0; step < 2; ++step) {
      plain.step(gradient, step, 0);
      fast.step(gradient, step, 0);
      expect_same(fast, plain);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryOptimizersKernel,
                         testing::ValuesIn(all_cases<Optimizer, OptionsCase>()), kCaseName);

}  // namespace
}  // namespace hearth
