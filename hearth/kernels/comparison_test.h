// For tests: a kernel's outputs and gradients beside the plain path's.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "hearth/kernels/kernels.h"

namespace hearth {

// Whole numbers from a fixed seed, for shapes.
class ShapeDraw {
 public:
  explicit ShapeDraw(uint64_t seed) : engine_(seed) {}
  int64_t operator()(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(engine_() % static_cast<uint64_t>(most - least + 1));
  }
  bool flip() { return (*this)(0, 1) == 1; }

 private:
  std::mt19937_64 engine_;
};

// Sets LibTorch's threads for a while.
class WithThreads {
 public:
  explicit WithThreads(int threads) : before_(at::get_num_threads()) {
    at::set_num_threads(threads);
  }
  ~WithThreads() { at::set_num_threads(before_); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  int before_;
};

// A test that runs with each number of threads. The number is set once a test: changing it makes
// and ends threads, which takes longer than most kernels.
class ForThreads : public testing::TestWithParam<int> {
 private:
  WithThreads threads_{GetParam()};
};

// What a kernel gave for some inputs: its output, and the gradient of each input that asked for
// one.
struct KernelResult {
  at::Tensor output;
  std::vector<at::Tensor> gradients;
};

using KernelRun = std::function<at::Tensor(Kernels, const std::vector<at::Tensor>& inputs)>;

inline KernelResult run_kernel(const KernelRun& run, Kernels kernels,
                               const std::vector<at::Tensor>& inputs, at::ScalarType type) {
  std::vector<at::Tensor> own;
  for (const at::Tensor& input : inputs) {
    at::Tensor copy = input.defined() && input.is_floating_point()
                          ? input.detach().to(type, false, /*copy=*/true)
                          : input;
    if (input.defined() && input.is_floating_point()) copy.set_requires_grad(true);
    own.push_back(copy);
  }
  KernelResult result;
  const at::Tensor output = run(kernels, own);
  // Every output counts in its own way, the same in every run.
  at::manual_seed(5);
  const at::Tensor weights = at::randn(output.sizes(), at::kDouble).to(type);
  output.mul(weights).sum().backward();
  result.output = output.detach();
  for (const at::Tensor& input : own)
    result.gradients.push_back(input.defined() ? input.grad() : at::Tensor());
  return result;
}

// The largest difference, as a share of the largest value.
inline double relative_difference(const at::Tensor& left, const at::Tensor& right) {
  if (left.numel() == 0) return 0;
  const at::Tensor truth = right.to(at::kDouble);
  const double scale = std::max(truth.abs().max().item<double>(), 1e-3);
  return left.to(at::kDouble).sub(truth).abs().max().item<double>() / scale;
}

// The fast path against the plain one in double, and the fast path twice, bit by bit.
inline void expect_like_plain(const KernelRun& run, const std::vector<at::Tensor>& inputs,
                              const std::string& what, double tolerance = 2e-5) {
  SCOPED_TRACE(what);
  const KernelResult truth = run_kernel(run, Kernels::kPlain, inputs, at::kDouble);
  const KernelResult fast = run_kernel(run, Kernels::kFast, inputs, at::kFloat);
  const KernelResult again = run_kernel(run, Kernels::kFast, inputs, at::kFloat);
  ASSERT_EQ(fast.output.sizes(), truth.output.sizes());
  EXPECT_LT(relative_difference(fast.output, truth.output), tolerance);
  EXPECT_TRUE(fast.output.equal(again.output));
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_EQ(fast.gradients[i].defined(), truth.gradients[i].defined()) << "input " << i;
    if (!truth.gradients[i].defined()) continue;
    EXPECT_LT(relative_difference(fast.gradients[i], truth.gradients[i]), tolerance)
        << "gradient of input " << i;
    EXPECT_TRUE(fast.gradients[i].equal(again.gradients[i])) << "gradient of input " << i;
  }
}

}  // namespace hearth
