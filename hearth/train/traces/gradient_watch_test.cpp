// Norms are those of LibTorch's own gradients, weights stay packed, and what is odd is said.
#include "hearth/train/traces/gradient_watch.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linear.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <map>

#include "hearth/base/files.h"
#include "hearth/core/log_reader.h"
#include "hearth/network/network.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/train/estimator.h"
#include "hearth/train/run_fixture.h"
#include "hearth/train/trace_fixture_test.h"

namespace hearth {
namespace {

using testing::HasSubstr;

struct FirstBatch {
  at::Tensor image, label, weight, bias;
};

// The norms of the gradients of weight and bias, found by LibTorch alone.
std::vector<double> norms_by_autograd(const FirstBatch& batch) {
  const at::AutoGradMode gradients(true);
  const at::Tensor weight = batch.weight.clone().requires_grad_();
  const at::Tensor bias = batch.bias.clone().requires_grad_();
  const at::Tensor scores = at::linear(batch.image.flatten(1), weight, bias);
  const auto found =
      torch::autograd::grad({at::cross_entropy_loss(scores, batch.label)}, {weight, bias});
  return {found[0].norm().item<double>(), found[1].norm().item<double>()};
}

TEST(GradientWatch, LogsTheNormsThatLibTorchFinds) {
  FirstBatch first;
  Estimator* running = nullptr;
  const auto act = [&](const Happening& happening, RunControl&) {
    if (happening.step != 1) return;
    first.image = happening.values[0].clone();
    first.label = happening.values[1].clone();
    const auto parameters = running->network().models().find("net").layer().parameters();
    first.weight = parameters[0].second.detach().clone();
    first.bias = parameters[1].second.detach().clone();
  };
  ExperimentOptions options = heard_experiment(
      {.interests = {{Occasion::kBatchBegin}}, .keys = {"image", "label"}, .act = act});
  options.folder = (fs::path(testing::TempDir()) / "gradient_runs").string();
  options.train.traces.push_back(traces::gradient_watch({.interval = steps(1), .by = "parameter"}));
  Estimator estimator(options);
  running = &estimator;
  const fs::path run = estimator.fit().run_folder;
  const std::vector<double> expected = norms_by_autograd(first);
  const Event event = read_run_log(run / "log.jsonl").front();
  ASSERT_EQ(event.kind, "gradients");
  EXPECT_EQ(event.step, 1);
  std::map<std::string, double> norms(event.values.begin(), event.values.end());
  EXPECT_EQ(norms.size(), 3U);
  EXPECT_NEAR(norms["net/1.weight"], expected[0], 1e-6);
  EXPECT_NEAR(norms["net/1.bias"], expected[1], 1e-6);
  EXPECT_NEAR(norms["net"], std::hypot(expected[0], expected[1]), 1e-6);
}

TEST(GradientWatch, LeavesWeightsPackedAndTheBitsAsTheyAre) {
  ExperimentOptions options = heard_experiment({});
  options.data.train = sources::synthetic({.size = 32, .shape = {16, 4, 4}, .classes = 3});
  options.data.eval = {};
  options.model = layers::sequential(
      {{layers::conv2d({.out_channels = 16}), layers::flatten(), layers::linear()}});
  const auto digest = [&](std::vector<Choice<Trace>> traces) {
    options.train.traces = std::move(traces);
    Estimator estimator(options, {.keeps_run = false});
    EXPECT_TRUE(estimator.profile(1).notes.empty());
    (void)estimator.fit();
    return estimator.state_digest();
  };
  EXPECT_EQ(digest({traces::gradient_watch({.interval = steps(1)})}), digest({}));
}

// FakeRun's gradients grow: 0.5 and 3 in the first step.
TEST(GradientWatch, SaysOnceWhatVanishesOrExplodes) {
  const auto trace = registry<Trace>().make(traces::gradient_watch(
      {.interval = steps(1), .by = "parameter", .vanishing = 0.7, .exploding = 3.2}));
  FakeRun run({});
  for (int i = 0; i < 4; ++i) run.run_step(*trace);
  EXPECT_THAT(run.log(), HasSubstr("notice step 1: the gradients of net/0.weight vanish, their "
                                   "norm is 0.5.; "));
  EXPECT_THAT(run.log(), HasSubstr("notice step 3: the gradients of net explode"));
  EXPECT_THAT(run.log(), testing::Not(HasSubstr("step 2:")));
  EXPECT_THAT(run.log(), testing::Not(HasSubstr("step 4:")));
}

}  // namespace
}  // namespace hearth
