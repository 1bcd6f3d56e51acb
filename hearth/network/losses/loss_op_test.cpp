// Weights, masks and reductions of losses; what losses refuse; ops around them.
#include "hearth/network/losses/loss_op.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/base/message_of_test.h"
#include "hearth/network/gradient_fixture.h"
#include "hearth/network/network_fixture.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/losses/binary_cross_entropy.h"
#include "hearth/network/ops/losses/iou_loss.h"
#include "hearth/network/ops/losses/target_loss.h"
#include "hearth/network/ops/mse_loss.h"
#include "hearth/network/ops/prediction.h"
#include "hearth/network/ops/sample_gaussian.h"
#include "hearth/network/ops/sum.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/schedule/schedules/linear.h"
#include "hearth/tensor/sample_weights.h"

namespace hearth {
namespace {

std::string refusal(const Choice<NetworkOp>& loss, const std::vector<Spec>& specs) {
  return message_of<Error>([&] { (void)registry<NetworkOp>().make(loss)->infer(specs); });
}

TEST(Loss, SpreadsWeightsOverFirstDimensionsOrOverChannels) {
  const at::Tensor images = at::zeros({2, 3, 4, 5});
  EXPECT_EQ(spread_over(at::ones({2}), images).sizes(), (at::IntArrayRef{2, 1, 1, 1}));
  EXPECT_EQ(spread_over(at::ones({2, 1}), images).sizes(), (at::IntArrayRef{2, 1, 1, 1}));
  EXPECT_EQ(spread_over(at::ones({2, 3}), images).sizes(), (at::IntArrayRef{2, 3, 1, 1}));
  EXPECT_EQ(spread_over(at::ones({2, 4, 5}), images).sizes(), (at::IntArrayRef{2, 1, 4, 5}));
  EXPECT_EQ(spread_over(at::ones({2, 1}), at::zeros({2})).sizes(), (at::IntArrayRef{2}));
}

// A sequence of two places beside one of three, as pad_longest makes them.
TEST(Loss, LeavesOutWhatPaddingAdded) {
  const auto op =
      registry<NetworkOp>().make(network_ops::mse_loss({.in = {"made", "truth"}, .mask = "real"}));
  const at::Tensor made = at::tensor({1.0, 2.0, 90.0, 1.0, 2.0, 3.0}).reshape({2, 3, 1});
  const at::Tensor real = at::tensor({1, 1, 0, 1, 1, 1}).reshape({2, 3}).to(at::kBool);
  const at::Tensor loss = run_op(*op, {}, {made, at::zeros({2, 3, 1}), real});
  EXPECT_NEAR(loss.item<double>(), (1 + 4 + 1 + 4 + 9) / 5.0, 1e-6);
  EXPECT_EQ(op->infer({sample_spec({kAnyLength, 1}), sample_spec({kAnyLength, 1}),
                       sample_spec({kAnyLength}, DType::kBool)}),
            std::vector<Spec>{loss_spec()});
}

TEST(Loss, SaysWhichWeightsDoNotFit) {
  const Spec numbers = sample_spec({3});
  EXPECT_EQ(refusal(network_ops::mse_loss({.in = {"made", "truth"}, .weight = "share"}),
                    {numbers, numbers, sample_spec({2})}),
            "weight needs a number for each sample, [B], or for each loss, float32 [B, 3], but "
            "'share' is float32 [B, 2]. Name such a key.");
  EXPECT_EQ(refusal(network_ops::mse_loss({.in = {"made", "truth"}, .mask = "shown"}),
                    {numbers, numbers, numbers}),
            "mask needs yes or no, bool or whole numbers, but 'shown' is float32 [B, 3]. Use "
            "weight for numbers between.");
}

TEST(Loss, SaysWhatToUseInstead) {
  Spec label = sample_spec({}, DType::kInt64, 10);
  label.role = Role::kClass;
  EXPECT_EQ(refusal(network_ops::binary_cross_entropy(), {sample_spec({10}), label}),
            "needs yes or no in 'label', but it has 10 classes. Use cross_entropy, or form: "
            "classes where the loss has it.");
  EXPECT_EQ(
      refusal(network_ops::cross_entropy({.class_weights = {1, 2}}), {sample_spec({10}), label}),
      "class_weights has 2 numbers, but 'logits' scores 10 classes. Give one for each "
      "class.");
  EXPECT_EQ(refusal(network_ops::iou_loss(), {sample_spec({5}), sample_spec({5})}),
            "needs boxes of four numbers, float [B, ..., 4], in 'boxes', but it is float32 [B, 5]. "
            "Use of: classes or of: binary for regions.");
}

std::map<std::string, ModelOptions> linear_model() {
  return {{"net", {layers::linear({.out_features = 3}), optimizers::sgd({.lr = 0.05})}}};
}

// Replicas take means of their parts by shares: sums must come out whole.
TEST(Loss, SumsAreSharedByReplicas) {
  const std::vector<std::string> ops = {
      "call: {in: input}", "cross_entropy: {in: [logits, label], reduction: sum}", "update: {}"};
  NetworkTraining one(linear_model(), ops);
  NetworkTraining two(linear_model(), ops, 2);
  EXPECT_TRUE(two.run(0)[0].allclose(one.run(0)[0], 1e-5, 1e-6));
  expect_near(two.values(), one.values());
}

TEST(TargetLoss, FollowsTheTarget) {
  ModelSet models;
  const auto of_classes = bound(network_ops::target_loss(), models);
  EXPECT_EQ(of_classes->infer({sample_spec({3}), sample_spec({}, DType::kInt64, 3)}),
            std::vector<Spec>{loss_spec()});
  const at::Tensor scores = at::tensor({1.0, 2.0, 3.0}).reshape({1, 3});
  EXPECT_NEAR(run_op(*of_classes, {}, {scores, at::tensor({2}, at::kLong)}).item<double>(),
              0.407606, 1e-5);
  const auto of_numbers = bound(network_ops::target_loss(), models);
  (void)of_numbers->infer({sample_spec({3}), sample_spec({3})});
  EXPECT_NEAR(run_op(*of_numbers, {}, {scores, at::zeros({1, 3})}).item<double>(), 14 / 3.0, 1e-5);
}

TEST(TargetLoss, WeighsAndHidesSamples) {
  ModelSet models;
  const auto op =
      bound(network_ops::target_loss({.in = {"made", "truth"}, .weight = "share", .mask = "shown"}),
            models);
  (void)op->infer(
      {sample_spec({1}), sample_spec({1}), sample_spec({}), sample_spec({}, DType::kBool)});
  const at::Tensor made = at::tensor({1.0, 2.0, 9.0}).reshape({3, 1});
  const at::Tensor share = at::tensor({3.0, 1.0, 1.0});
  const at::Tensor shown = at::tensor({1, 1, 0}).to(at::kBool);
  EXPECT_NEAR(run_op(*op, {}, {made, at::zeros({3, 1}), share, shown}).item<double>(),
              (3 * 1 + 4) / 4.0, 1e-6);
}

TEST(Prediction, GivesProbabilitiesOfClassesAndNumbersAsTheyAre) {
  ModelSet models;
  models.set_targets({{"label", 3}});
  const at::Tensor scores = at::tensor({1.0, 2.0, 3.0}).reshape({1, 3});
  const auto classes = bound(network_ops::prediction(), models);
  EXPECT_EQ(classes->infer({sample_spec({3})})[0].classes, 3);
  EXPECT_NEAR(run_op(*classes, {}, {scores}).sum().item<double>(), 1, 1e-6);
  const auto numbers = bound(network_ops::prediction({.target = "price"}), models);
  (void)numbers->infer({sample_spec({3})});
  EXPECT_TRUE(run_op(*numbers, {}, {scores}).equal(scores));
}

TEST(SampleGaussian, DrawsInTrainingAndGivesTheMeanElsewhere) {
  const auto op = registry<NetworkOp>().make(network_ops::sample_gaussian());
  at::manual_seed(3);
  const at::Tensor mean = at::full({4000, 2}, 3.0).set_requires_grad(true);
  const at::Tensor log_variance = at::full({4000, 2}, std::log(4.0)).set_requires_grad(true);
  StepContext context;
  const at::Tensor drawn = run_op(*op, context, {mean, log_variance});
  EXPECT_NEAR(drawn.mean().item<double>(), 3, 0.1);
  EXPECT_NEAR(drawn.std().item<double>(), 2, 0.1);
  drawn.sum().backward();
  EXPECT_TRUE(mean.grad().eq(1).all().item<bool>());
  EXPECT_TRUE(log_variance.grad().allclose(drawn.detach().sub(3).mul(0.5), 1e-4, 1e-4));
  context.mode = Mode::kEval;
  EXPECT_TRUE(run_op(*op, context, {mean, log_variance}).equal(mean));
}

TEST(Sum, TakesPartsWithWeightsThatMove) {
  const auto op = registry<NetworkOp>().make(
      network_ops::sum({.parts = {{"a", 2}, {"b", schedules::linear({.first = 0, .last = 1})}}}));
  EXPECT_EQ(op->reads(), (std::vector<std::string>{"a", "b"}));
  StepContext context;
  context.moment.length = {10, 10, 1};
  context.moment.step = 5;
  EXPECT_NEAR(run_op(*op, context, {at::tensor(3.0), at::tensor(4.0)}).item<double>(), 8, 1e-6);
  EXPECT_THROW(
      (void)registry<NetworkOp>().make(network_ops::sum({.in = {"a"}, .parts = {{"b", 1}}})),
      ConfigError);
}

}  // namespace
}  // namespace hearth
