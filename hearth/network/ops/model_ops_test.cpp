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
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

// A model, its call and its update, run on made-up batches.
struct Training {
  explicit Training(const network_ops::UpdateOptions& options,
                    const Choice<Optimizer>& optimizer = optimizers::sgd({.lr = 1}))
      : models(models_of({layers::linear({.out_features = 2}), optimizer, true})),
        forward(bound(network_ops::call({.in = {"x"}, .out = {"y"}}), models)),
        step(bound(network_ops::update(options), models)) {
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
  ModelSet models = models_of({layers::mlp({.hidden = {4}}), std::nullopt, true});
  const auto op = bound(network_ops::call(), models);
  EXPECT_EQ(op->infer({sample_spec({1, 2, 2})})[0].text(), "float32 [B, 3], 3 classes");
  EXPECT_TRUE(models.find("net").is_built());
}

// Two values in, two heads out.
ModelOptions two_heads() {
  return {
      layers::graph({.nodes = {wired(layers::concat(), {"left", "right"}, {"both"}),
                               wired(layers::linear({.classes_of = "make"}), {"both"}, {"make"}),
                               wired(layers::linear({.classes_of = "color"}), {"both"}, {"color"})},
                     .inputs = {"left", "right"}}),
      std::nullopt, true};
}

TEST(Call, TakesAndGivesSeveralKeys) {
  ModelSet models = models_of(two_heads());
  models.set_targets({{"make", 5}, {"color", 2}});
  const auto op = bound(network_ops::call({.in = {"a", "b"}, .out = {"x", "y"}}), models);
  EXPECT_EQ(op->reads(), (std::vector<std::string>{"a", "b"}));
  const std::vector<Spec> outputs = op->infer({sample_spec({3}), sample_spec({4})});
  EXPECT_EQ(outputs[0].text(), "float32 [B, 5], 5 classes");
  EXPECT_EQ(outputs[1].text(), "float32 [B, 2], 2 classes");
  StepContext context;
  const std::vector<at::Tensor> inputs = {at::randn({6, 3}), at::randn({6, 4})};
  std::vector<at::Tensor> results(2);
  op->run(context, inputs, results);
  EXPECT_EQ(results[1].sizes(), (at::IntArrayRef{6, 2}));
}

TEST(Call, SaysHowManyKeysItsModelTakesAndGives) {
  ModelSet models = models_of(two_heads());
  models.set_targets({{"make", 5}, {"color", 2}});
  const auto one_in = bound(network_ops::call({.in = {"a"}, .out = {"x", "y"}}), models);
  EXPECT_EQ(message_of<GraphError>([&] { (void)one_in->infer({sample_spec({3})}); }),
            "net: takes 2 inputs (left, right), but got 1 (float32 [B, 3]). Name as many in `in`.");
  const auto one_out = bound(network_ops::call({.in = {"a", "b"}}), models);
  EXPECT_EQ(message_of<GraphError>([&] {
              (void)one_out->infer({sample_spec({3}), sample_spec({4})});
            }),
            "the model 'net' gives 2 values (make, color), but out names 1 (logits). Name as "
            "many.");
}

TEST(Call, AsksWhichTargetAHeadPredicts) {
  ModelSet models = models_of({layers::mlp({.hidden = {4}}), std::nullopt, true});
  models.set_targets({{"make", 5}, {"color", 2}});
  const auto op = bound(network_ops::call(), models);
  EXPECT_EQ(message_of<GraphError>([&] { (void)op->infer({sample_spec({3})}); }),
            "net mlp: the data's targets have different numbers of classes: color (2), make (5). "
            "Say which one it predicts, classes_of: color, or set the option classes.");
  ModelSet misspelt = models_of({layers::linear({.classes_of = "mkae"}), std::nullopt, true});
  misspelt.set_targets({{"make", 5}, {"color", 2}});
  const auto head = bound(network_ops::call(), misspelt);
  EXPECT_EQ(message_of<GraphError>([&] { (void)head->infer({sample_spec({3})}); }),
            "net linear: classes_of names 'mkae', but the data has no such key with classes. Did "
            "you mean 'make'?");
}

TEST(Call, NamesTheNearestModelWhenItsModelIsNotThere) {
  ModelSet models = models_of({layers::mlp(), std::nullopt, true});
  EXPECT_EQ(
      message_of<ConfigError>([&] { (void)bound(network_ops::call({.model = "nett"}), models); }),
      "there is no model 'nett'. Did you mean 'net'?");
}

TEST(Call, DropsValuesOnlyWhileTrainingAModelThatLearns) {
  const auto is_dropping = [](bool is_trainable, Mode mode) {
    ModelSet models =
        models_of({layers::sequential({{layers::dropout({0.5})}}), std::nullopt, is_trainable});
    const auto op = bound(network_ops::call(), models);
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
  const network_ops::UpdateOptions options = {.accumulate = 3, .clip_norm = 0.5};
  Training whole(options, optimizers::adamw({.lr = 0.1}));
  for (int64_t batch = 0; batch < 5; ++batch) (void)whole.run(batch);
  const State model = copy(whole.models.find("net").state());
  const State progress = copy(whole.step->state());
  Training resumed(options, optimizers::adamw({.lr = 0.1}));
  (void)resumed.run(77);
  resumed.models.find("net").restore(model);
  resumed.step->restore(progress);
  for (int64_t batch = 5; batch < 9; ++batch) EXPECT_EQ(whole.run(batch), resumed.run(batch));
  EXPECT_TRUE(whole.value().equal(resumed.value()));
}

TEST(Update, SaysWhatItsModelLacks) {
  ModelSet plain = models_of({layers::linear(), std::nullopt, true});
  EXPECT_EQ(message_of<ConfigError>([&] { (void)bound(network_ops::update(), plain); }),
            "the model 'net' has no optimizer. Give it one, such as adamw.");
  ModelSet frozen = models_of({layers::linear(), optimizers::sgd(), false});
  EXPECT_EQ(message_of<ConfigError>([&] { (void)bound(network_ops::update(), frozen); }),
            "the model 'net' is not trainable. Remove the update, or set trainable: true.");
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
