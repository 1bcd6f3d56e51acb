// call and update: building, training, accumulation, clipping, and updates in progress.
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hearth/base/message_of_test.h"
#include "hearth/network/network_fixture.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layers/dropout.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/sequential.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

// A model, its call and its update, run on made-up batches.
struct Training {
  explicit Training(const UpdateOptions& options,
                    const Choice<Optimizer>& optimizer = sgd({.lr = 1}))
      : models(models_of({linear({.out_features = 2}), optimizer, true})),
        forward(bound(call({.in = "x", .out = "y"}), models)),
        step(bound(update(options), models)) {
    (void)forward->infer({sample_spec({3})});
    (void)step->infer({loss_spec()});
  }

  at::Tensor loss(int64_t batch) {
    at::manual_seed(static_cast<uint64_t>(batch));
    return run_op(*forward, {}, {at::randn({4, 3})}).square().mean();
  }
  bool run(int64_t batch) {
    StepContext context;
    const std::vector<at::Tensor> inputs = {loss(batch)};
    step->run(context, inputs, {});
    return context.has_updated;
  }
  at::Tensor weight() { return models.find("net").layer().parameters()[0].second; }
  at::Tensor value() { return weight().detach().clone(); }

  ModelSet models;
  std::unique_ptr<NetworkOp> forward;
  std::unique_ptr<NetworkOp> step;
};

TEST(Call, BuildsItsModelFromTheSpecAndTheData) {
  ModelSet models = models_of({mlp({.hidden = {4}}), std::nullopt, true});
  const auto op = bound(call(), models);
  EXPECT_EQ(op->infer({sample_spec({1, 2, 2})})[0].text(), "float32 [B, 3], 3 classes");
  EXPECT_TRUE(models.find("net").is_built());
}

TEST(Call, NamesTheNearestModelWhenItsModelIsNotThere) {
  ModelSet models = models_of({mlp(), std::nullopt, true});
  EXPECT_EQ(message_of<ConfigError>([&] { (void)bound(call({.model = "nett"}), models); }),
            "There is no model 'nett'. Did you mean 'net'?");
}

TEST(Call, DropsValuesOnlyWhileTrainingAModelThatLearns) {
  const auto is_dropping = [](bool is_trainable, Mode mode) {
    ModelSet models = models_of({sequential({{dropout({0.5})}}), std::nullopt, is_trainable});
    const auto op = bound(call(), models);
    (void)op->infer({sample_spec({64})});
    StepContext context;
    context.mode = mode;
    const at::Tensor input = at::randn({2, 64});
    return !run_op(*op, context, {input}).equal(input);
  };
  EXPECT_TRUE(is_dropping(true, Mode::kTrain));
  EXPECT_FALSE(is_dropping(true, Mode::kEval));
  EXPECT_FALSE(is_dropping(false, Mode::kTrain));
}

TEST(Update, StepsAgainstTheGradientAndDropsIt) {
  Training training({});
  const at::Tensor before = training.value();
  training.loss(1).backward();
  const at::Tensor gradient = training.weight().grad().clone();
  training.weight().mutable_grad() = at::Tensor();
  EXPECT_TRUE(training.run(1));
  EXPECT_TRUE(training.value().allclose(before.sub(gradient)));
  EXPECT_FALSE(training.weight().grad().defined());
}

TEST(Update, LivesInTrainingOnlyAndHasAnEffect) {
  Training training({.accumulate = 3});
  EXPECT_EQ(training.step->modes(), Modes(Mode::kTrain));
  EXPECT_TRUE(training.step->has_effect());
  EXPECT_EQ(training.step->batches_per_step(), 3);
}

TEST(Update, AccumulatesTheMeanGradientOfSeveralBatches) {
  Training training({.accumulate = 2});
  const at::Tensor before = training.value();
  training.loss(1).add(training.loss(2)).div(2).backward();
  const at::Tensor gradient = training.weight().grad().clone();
  training.weight().mutable_grad() = at::Tensor();
  EXPECT_FALSE(training.run(1));
  EXPECT_TRUE(training.value().equal(before));
  EXPECT_TRUE(training.run(2));
  EXPECT_TRUE(training.value().allclose(before.sub(gradient)));
}

TEST(Update, ClipsTheNormOfAllGradientsTogether) {
  Training training({.clip_norm = 0.01});
  const auto before = copy(training.models.find("net").weights());
  (void)training.run(1);
  double squares = 0;
  for (const auto& [name, tensor] : training.models.find("net").weights().tensors) {
    squares += tensor.sub(before.tensor(name)).square().sum().item<double>();
  }
  EXPECT_NEAR(std::sqrt(squares), 0.01, 1e-5);
}

TEST(Update, LeavesGradientsBelowTheLimitAlone) {
  Training free({});
  Training clipped({.clip_norm = 1000});
  (void)free.run(1);
  (void)clipped.run(1);
  EXPECT_TRUE(free.value().equal(clipped.value()));
}

TEST(Update, KeepsTheGraphForALaterUpdateOfTheSameStep) {
  const auto can_go_back_again = [](bool is_last_update) {
    Training training({.accumulate = 2});
    StepContext context;
    context.is_last_update = is_last_update;
    const std::vector<at::Tensor> inputs = {training.loss(1)};
    training.step->run(context, inputs, {});
    return message_of<c10::Error>([&] { inputs[0].backward(); }) == "no fault";
  };
  EXPECT_TRUE(can_go_back_again(false));
  EXPECT_FALSE(can_go_back_again(true));
}

TEST(Update, ContinuesToTheSameBitsInTheMiddleOfAnAccumulation) {
  const UpdateOptions options = {.accumulate = 3, .clip_norm = 0.5};
  Training whole(options, adamw({.lr = 0.1}));
  for (int64_t batch = 0; batch < 5; ++batch) (void)whole.run(batch);
  const State model = copy(whole.models.find("net").state());
  const State progress = copy(whole.step->state());
  Training resumed(options, adamw({.lr = 0.1}));
  (void)resumed.run(77);
  resumed.models.find("net").restore(model);
  resumed.step->restore(progress);
  for (int64_t batch = 5; batch < 9; ++batch) EXPECT_EQ(whole.run(batch), resumed.run(batch));
  EXPECT_TRUE(whole.value().equal(resumed.value()));
}

TEST(Update, SaysWhatItsModelLacks) {
  ModelSet plain = models_of({linear(), std::nullopt, true});
  EXPECT_EQ(message_of<ConfigError>([&] { (void)bound(update(), plain); }),
            "update: the model 'net' has no optimizer. Give it one, such as adamw.");
  ModelSet frozen = models_of({linear(), sgd(), false});
  EXPECT_EQ(message_of<ConfigError>([&] { (void)bound(update(), frozen); }),
            "update: the model 'net' is not trainable. Remove the update, or set trainable: true.");
}

TEST(Update, RefusesALossOfEverySample) {
  Training training({});
  EXPECT_EQ(message_of<GraphError>([&] { (void)training.step->infer({sample_spec({})}); }),
            "needs one float for the whole batch in 'loss', but it is float32 [B]. Name the key a "
            "loss writes.");
}

TEST(Update, RefusesALossOfAnotherModel) {
  Training training({});
  Training other({});
  const std::vector<at::Tensor> inputs = {other.loss(1)};
  StepContext context;
  EXPECT_EQ(message_of<GraphError>([&] { training.step->run(context, inputs, {}); }),
            "update: the loss 'loss' does not depend on the model 'net'. Name the loss of that "
            "model's output.");
}

}  // namespace
}  // namespace hearth
