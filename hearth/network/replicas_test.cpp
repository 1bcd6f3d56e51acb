// Replicas: the same steps as one network, the same bits again and after a resume, one state.
#include "hearth/network/replicas.h"

#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "hearth/network/replicas_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/adam.h"
#include "hearth/optim/optimizers/adamw.h"

namespace hearth {
namespace {

// More values than an update keeps in one thread.
const ReplicasSettings kWide = {.model = layers::mlp({.hidden = {300}, .classes = 3}),
                                .sample = {120}};
// Uneven, and smaller than the number of replicas.
constexpr int64_t kRows[] = {8, 7, 5, 1, 2};

// A convolution that keeps transformed weights from step to step.
Choice<Layer> convolutions(const std::vector<Choice<Layer>>& after = {}) {
  std::vector<Choice<Layer>> layers = {layers::conv2d({.out_channels = 32, .padding = 1}),
                                       layers::relu(),
                                       layers::conv2d({.out_channels = 32, .padding = 1})};
  layers.insert(layers.end(), after.begin(), after.end());
  layers.push_back(layers::flatten());
  layers.push_back(layers::linear({.out_features = 3}));
  return layers::sequential({layers});
}

void expect_close_state(const State& left, const State& right) {
  EXPECT_EQ(left.values, right.values);
  ASSERT_EQ(left.tensors.size(), right.tensors.size());
  for (size_t i = 0; i < left.tensors.size(); ++i)
    EXPECT_TRUE(left.tensors[i].second.allclose(right.tensors[i].second, 1e-3, 2e-5))
        << left.tensors[i].first;
}

void compare_with_one(ReplicasSettings settings, int64_t steps = 20) {
  ReplicasTraining several(settings);
  settings.replicas = 1;
  ReplicasTraining one(settings);
  for (int64_t step = 0; step < steps; ++step) {
    const int64_t rows = kRows[step % 5];
    const auto values = several.run(step, rows);
    const auto truth = one.run(step, rows);
    ASSERT_EQ(values[1].sizes(), truth[1].sizes());
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(values[i].allclose(truth[i], 1e-3, 1e-5)) << "step " << step;
  }
  expect_close_state(several.state(), one.state());
}

TEST(Replicas, TakeTheStepsOfOneNetworkWithEveryOptimizer) {
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
    for (const Choice<Optimizer>& optimizer :
         {optimizers::sgd({.lr = 0.1}),
          optimizers::sgd({.lr = 0.05, .momentum = 0.9, .weight_decay = 0.01}),
          optimizers::sgd({.lr = 0.05, .momentum = 0.9, .nesterov = true}),
          optimizers::adam({.lr = 0.002, .eps = 1e-4}),
          optimizers::adamw({.lr = 0.002, .eps = 1e-4})}) {
      SCOPED_TRACE(optimizer.name());
      ReplicasSettings settings = kWide;
      settings.optimizer = optimizer;
      settings.kernels = kernels;
      compare_with_one(settings);
    }
}

TEST(Replicas, ClipAccumulateAndAverageAsOneNetworkDoes) {
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
    for (const int64_t replicas : {2, 3}) {
      ReplicasSettings settings = kWide;
      settings.kernels = kernels;
      settings.replicas = replicas;
      settings.average = 0.9;
      settings.step = {.accumulate = 3, .clip_norm = 0.2};
      compare_with_one(settings, 21);
    }
}

TEST(Replicas, SeeEveryChangeOfWeightsThatKernelsKeepCopiesOf) {
  ReplicasSettings settings;
  settings.model = convolutions();
  settings.sample = {32, 6, 6};
  compare_with_one(settings, 6);
}

// Random numbers, buffers and gradients in progress.
ReplicasSettings all_sorts() {
  ReplicasSettings settings;
  settings.replicas = 3;
  settings.model = convolutions({layers::batch_norm2d(), layers::dropout({0.3})});
  settings.sample = {4, 4, 4};
  settings.step = {.accumulate = 2, .clip_norm = 1};
  return settings;
}

TEST(Replicas, GiveTheSameBitsAgain) {
  ReplicasTraining first(all_sorts());
  ReplicasTraining second(all_sorts());
  for (int64_t step = 0; step < 10; ++step) {
    const auto values = first.run(step, 9 - step % 3);
    const auto again = second.run(step, 9 - step % 3);
    EXPECT_TRUE(values[0].equal(again[0]));
    EXPECT_TRUE(values[1].equal(again[1]));
  }
  expect_same_state(first.state(), second.state());
}

TEST(Replicas, GiveTheSameBitsInAnyNumberOfThreads) {
  ReplicasSettings settings = all_sorts();
  settings.replicas = 5;
  ReplicasTraining first(settings);
  for (const int64_t threads : {1, 2, 4}) {
    settings.threads = threads;
    ReplicasTraining again(settings);
    again.restore(first.state());
    for (int64_t step = 0; step < 5; ++step) {
      const auto values = again.run(step, 9 - step * 2);
      EXPECT_TRUE(values[1].equal(first.run(step, 9 - step * 2)[1])) << threads << " threads";
    }
    expect_same_state(first.state(), again.state());
  }
}

// A batch in the middle of a step: every shard has gradients of its own, and some have none.
TEST(Replicas, KeepTheGradientsOfEveryShardInTheState) {
  ReplicasTraining training(all_sorts());
  (void)training.run(0, 2);
  const State state = training.state();
  EXPECT_FALSE(state.part("ops/network[2] update/gradient").tensors.empty());
  EXPECT_FALSE(state.part("replicas/1/network[2] update/gradient").tensors.empty());
  EXPECT_TRUE(state.part("replicas/2/network[2] update/gradient").tensors.empty());
}

TEST(Replicas, GoOnFromAStateToTheSameBits) {
  ReplicasTraining whole(all_sorts());
  for (int64_t step = 0; step < 5; ++step) (void)whole.run(step, 7);
  const State saved = whole.state();
  ReplicasTraining resumed(all_sorts());
  (void)resumed.run(77, 7);  // leaves gradients and statistics that the state replaces
  resumed.restore(saved);
  for (int64_t step = 5; step < 9; ++step)
    EXPECT_TRUE(whole.run(step, 7)[0].equal(resumed.run(step, 7)[0]));
  expect_same_state(whole.state(), resumed.state());
}

TEST(Replicas, DropOtherValuesInEveryReplica) {
  ReplicasSettings settings;
  settings.model =
      layers::sequential({{layers::dropout({0.5}), layers::linear({.out_features = 3})}});
  settings.sample = {64};
  ReplicasTraining training(settings);
  const at::Tensor row = training.batch_of(1, 1).input;
  const auto values = training.run(row.expand({2, 64}), at::zeros({2}, at::kLong));
  EXPECT_FALSE(values[1][0].equal(values[1][1]));
}

std::vector<at::Tensor> statistics_after(const ReplicasTraining::Batch& batch, int64_t replicas) {
  ReplicasSettings settings = all_sorts();
  settings.model = convolutions({layers::batch_norm2d()});
  settings.replicas = replicas;
  ReplicasTraining training(settings);
  (void)training.run(batch.input, batch.label);
  std::vector<at::Tensor> buffers;
  for (const auto& [name, buffer] : training.layer().buffers()) buffers.push_back(buffer);
  return buffers;
}

TEST(Replicas, AverageTheStatisticsOfTheirPartsByTheirSizes) {
  const ReplicasTraining::Batch batch = ReplicasTraining(all_sorts()).batch_of(3, 7);
  const auto joined = statistics_after(batch, 2);
  const auto first =
      statistics_after({batch.input.narrow(0, 0, 3), batch.label.narrow(0, 0, 3)}, 1);
  const auto second =
      statistics_after({batch.input.narrow(0, 3, 4), batch.label.narrow(0, 3, 4)}, 1);
  for (size_t i = 0; i < 2; ++i) {
    const at::Tensor mean = first[i].mul(3.0 / 7).add(second[i], 4.0 / 7);
    EXPECT_TRUE(joined[i].allclose(mean, 1e-5, 1e-6));
    EXPECT_FALSE(joined[i].allclose(first[i], 1e-5, 1e-6));
  }
  EXPECT_EQ(joined[2].item<int64_t>(), 1);
}

TEST(Replicas, LeaveOtherModesAndTheCallersThreadsAsTheyAre) {
  ReplicasSettings settings = all_sorts();
  ReplicasTraining several(settings);
  settings.replicas = 1;
  ReplicasTraining one(settings);
  const int threads = at::get_num_threads();
  (void)several.run(1, 6);
  EXPECT_EQ(at::get_num_threads(), threads);
  one.restore(several.state());
  const at::Tensor input = one.batch_of(2, 5).input;
  const auto logits = [&](ReplicasTraining& training) {
    return training.network().run({{"input", input}}, {"logits"}).at("logits");
  };
  EXPECT_TRUE(logits(several).equal(logits(one)));
}

TEST(Replicas, StepFromUpdateToUpdateAsOneNetworkDoes) {
  const std::vector<Choice<NetworkOp>> ops = {
      network_ops::call({.model = "net", .in = {"input"}, .out = {"logits"}}),
      network_ops::cross_entropy({.in = {"logits", "label"}, .out = "first_loss"}),
      network_ops::update({.model = "net", .loss = "first_loss"}),
      network_ops::call({.model = "net", .in = {"input"}, .out = {"moved_logits"}}),
      network_ops::call({.model = "other", .in = {"moved_logits"}, .out = {"other_logits"}}),
      network_ops::cross_entropy({.in = {"other_logits", "label"}, .out = "loss"}),
      network_ops::update({.model = "net", .loss = "loss"}),
      network_ops::update({.model = "other", .loss = "loss", .accumulate = 2})};
  ReplicasSettings settings;
  settings.model = layers::linear({.out_features = 3});
  ReplicasTraining several(settings, ops);
  settings.replicas = 1;
  ReplicasTraining one(settings, ops);
  for (int64_t step = 0; step < 8; ++step)
    EXPECT_TRUE(several.run(step, 5)[0].allclose(one.run(step, 5)[0], 1e-4, 1e-6));
  expect_close_state(several.state(), one.state());
}

}  // namespace
}  // namespace hearth
