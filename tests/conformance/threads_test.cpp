// Every layer and op that predicts: several threads that run it at once get what each gets alone.
// What one keeps in members while it runs, another would find there.
#include <ATen/core/grad_mode.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "tests/conformance/op_cases.h"

namespace hearth {
namespace {

constexpr int64_t kThreads = 4;
constexpr int kTurns = 30;
constexpr int kTurnsOfLarge = 2;

using RunPart = std::function<std::vector<at::Tensor>(size_t part)>;

bool are_equal(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  for (size_t i = 0; i < left.size(); ++i)
    if (!left[i].equal(right[i])) return false;
  return left.size() == right.size();
}

// Each thread has a part of its own, runs it again and again, and finds what it found alone.
void expect_same_from_threads(const RunPart& run, int turns) {
  const at::AutoGradMode no_gradients(false);
  std::vector<std::vector<at::Tensor>> alone;
  for (size_t part = 0; part < kThreads; ++part) alone.push_back(run(part));
  std::atomic<int> wrong = 0;
  std::barrier start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (size_t part = 0; part < kThreads; ++part)
      threads.emplace_back([&, part] {
        const at::AutoGradMode none_here(false);
        start.arrive_and_wait();
        for (int turn = 0; turn < turns; ++turn)
          if (!are_equal(run(part), alone[part])) ++wrong;
      });
  }
  EXPECT_EQ(wrong, 0) << "of " << kThreads * turns << " runs";
}

class LayerInThreads : public LayerCaseTest {};

TEST_P(LayerInThreads, GivesEachWhatItGetsAlone) {
  const auto layer = built_layer(Kernels::kFast);
  layer->set_training(false);
  std::vector<at::Tensor> inputs;
  for (int64_t part = 0; part < kThreads; ++part)
    inputs.push_back(case_batch(tried(), 1 + part % 3, static_cast<uint64_t>(part)).detach());
  const bool is_large = tried().large || tried().deep;
  expect_same_from_threads([&](size_t part) { return std::vector{(*layer)(inputs[part])}; },
                           is_large ? kTurnsOfLarge : kTurns);
}

INSTANTIATE_TEST_SUITE_P(Cases, LayerInThreads, testing::ValuesIn(layer_cases()), kCaseName);

class OpInThreads : public OpCaseTest {};

TEST_P(OpInThreads, GivesEachWhatItGetsAlone) {
  if (!make()->modes().has(Mode::kInfer)) GTEST_SKIP() << "does not predict";
  const auto op = tried_op(Kernels::kFast);
  std::vector<std::vector<at::Tensor>> parts;
  for (uint64_t part = 0; part < kThreads; ++part) parts.push_back(inputs(part));
  expect_same_from_threads([&](size_t part) { return op->predict(parts[part]); }, kTurns);
}

INSTANTIATE_TEST_SUITE_P(Registry, OpInThreads, testing::ValuesIn(value_op_cases()), kCaseName);

}  // namespace
}  // namespace hearth
