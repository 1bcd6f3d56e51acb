// Ops on weights: a price on them, steps by the worst place nearby, slow weights, gradients without
// their mean; and optimizers that learn an average.
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>

#include "hearth/base/message_of_test.h"
#include "hearth/config/yaml.h"
#include "hearth/network/averaged_weights.h"
#include "hearth/network/gradient_fixture.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/optim/optimizers/lbfgs.h"
#include "hearth/optim/optimizers/schedule_free_sgd.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

constexpr const char* kCall = "call: {in: input}";
constexpr const char* kLoss = "cross_entropy: {in: [logits, label]}";
constexpr double kRate = 0.5;

std::map<std::string, ModelOptions> one_linear(double momentum = 0) {
  return {{"net",
           {layers::linear({.out_features = 3}),
            optimizers::sgd({.lr = kRate, .momentum = momentum})}}};
}

// Of weight and bias, at these values.
std::vector<at::Tensor> gradients_at(std::vector<at::Tensor> values, int64_t batch) {
  const auto [input, label] = NetworkTraining::batch_of(batch);
  for (at::Tensor& value : values) value = value.detach().clone().set_requires_grad(true);
  at::cross_entropy_loss(at::linear(input, values[0], values[1]), label).backward();
  return {values[0].grad(), values[1].grad()};
}

TEST(Asam, StepsByTheGradientOfTheWorstPlaceInSizesOfWeights) {
  NetworkTraining training(one_linear(), {kCall, kLoss, "asam: {rho: 0.3, eta: 0.1}"});
  const std::vector<at::Tensor> start = training.values();
  std::vector<at::Tensor> expected = start;
  const at::Tensor size = start[0].abs().add(0.1);
  const std::vector<at::Tensor> first = gradients_at(start, 0);
  const double norm = std::sqrt(first[0].mul(size).square().sum().item<double>() +
                                first[1].square().sum().item<double>());
  const std::vector<at::Tensor> worst = {start[0].add(first[0].mul(size).mul(size), 0.3 / norm),
                                         start[1].add(first[1], 0.3 / norm)};
  const std::vector<at::Tensor> gradients = gradients_at(worst, 0);
  for (size_t i = 0; i < 2; ++i) expected[i] = start[i].sub(gradients[i], kRate);
  training.run(0, 1);
  expect_near(training.values(), expected);
}

TEST(CentralizeGradients, TakesTheMeanOfEachOutputFromWeightsAlone) {
  NetworkTraining training(one_linear(),
                           {kCall, kLoss, "backward: {}", "centralize_gradients: {}", "step: {}"});
  const std::vector<at::Tensor> start = training.values();
  const std::vector<at::Tensor> gradients = gradients_at(start, 0);
  const at::Tensor centered = gradients[0].sub(gradients[0].mean(1, /*keepdim=*/true));
  training.run(0, 1);
  expect_near(training.values(),
              {start[0].sub(centered, kRate), start[1].sub(gradients[1], kRate)});
}

TEST(WeightPenalty, IsAPartOfTheLossWithAGradient) {
  NetworkTraining training(
      one_linear(),
      {kCall, kLoss, "weight_penalty: {l1: 0.01, l2: 0.1, orthogonal: 0.05, match: weight}",
       "update: {loss: penalized_loss}"},
      1, {"loss", "penalty", "penalized_loss"});
  const std::vector<at::Tensor> start = training.values();
  at::Tensor weight = start[0].clone().set_requires_grad(true);
  const at::Tensor angles = at::matmul(weight, weight.t()).sub(at::eye(3));
  const at::Tensor penalty =
      weight.abs().sum().mul(0.01).add(weight.square().sum(), 0.1).add(angles.square().sum(), 0.05);
  penalty.backward();
  const std::vector<at::Tensor> gradients = gradients_at(start, 0);
  const std::vector<at::Tensor> found = training.run(0);
  EXPECT_NEAR(found[1].item<double>(), penalty.item<double>(), 1e-5);
  EXPECT_NEAR(found[2].item<double>(), found[0].item<double>() + found[1].item<double>(), 1e-5);
  expect_near(training.values(), {start[0].sub(gradients[0].add(weight.grad()), kRate),
                                  start[1].sub(gradients[1], kRate)});
}

TEST(WeightPenalty, OfLayersIsWhatTheySayThemselves) {
  std::map<std::string, ModelOptions> models = one_linear();
  models.at("net").build = models.at("net").build.with(
      "regularize", parse_yaml("{'*': {l2: 0.1}, bias: {l1: 0.5, vectors: true}}", "net.yaml"));
  NetworkTraining training(
      models, {kCall, kLoss, "weight_penalty: {of_layers: true}", "update: {loss: penalized_loss}"},
      1, {"penalty"});
  const std::vector<at::Tensor> start = training.values();
  const double expected =
      0.1 * start[0].square().sum().item<double>() + 0.5 * start[1].abs().sum().item<double>();
  EXPECT_NEAR(training.run(0)[0].item<double>(), expected, 1e-5);
}

TEST(WeightPenalty, OfReplicasIsThatOfOneNetwork) {
  const std::vector<std::string> ops = {kCall, kLoss, "weight_penalty: {l2: 0.1}",
                                        "update: {loss: penalized_loss}"};
  NetworkTraining one(one_linear(), ops);
  NetworkTraining two(one_linear(), ops, 2);
  one.run(0, 3);
  two.run(0, 3);
  expect_near(two.values(), one.values());
}

TEST(Lookahead, GoesBackAShareOfTheWayEveryFewSteps) {
  NetworkTraining fast(one_linear(), {kCall, kLoss, "update: {}"});
  NetworkTraining slow(one_linear(),
                       {kCall, kLoss, "update: {}", "lookahead: {steps: 3, rate: 0.25}"});
  std::vector<at::Tensor> start;
  for (const at::Tensor& value : fast.values()) start.push_back(value.clone());
  fast.run(0, 3);
  slow.run(0, 3);
  std::vector<at::Tensor> expected;
  for (size_t i = 0; i < 2; ++i)
    expected.push_back(start[i].add(fast.values()[i].sub(start[i]), 0.25));
  expect_near(slow.values(), expected);
}

TEST(Lookahead, GoesOnFromAStateToTheSameBits) {
  const std::vector<std::string> ops = {kCall, kLoss, "update: {}", "lookahead: {steps: 3}"};
  NetworkTraining whole(one_linear(0.9), ops);
  whole.run(0, 6);
  NetworkTraining resumed(one_linear(0.9), ops);
  resumed.run(50, 55);
  resumed.restore(whole.state(), whole.step());
  whole.run(6, 12);
  resumed.run(6, 12);
  expect_equal(resumed.values(), whole.values());
}

TEST(Lbfgs, LooksAtTheLossOfItsBatchAgain) {
  const std::map<std::string, ModelOptions> models = {
      {"net",
       {layers::linear({.out_features = 3}), optimizers::lbfgs({.line_search = "strong_wolfe"})}}};
  NetworkTraining training(models, {kCall, kLoss, "update: {}"});
  const double before = training.run(0)[0].item<double>();
  const double after = training.run(0)[0].item<double>();
  EXPECT_LT(after, 0.2 * before);
  EXPECT_EQ(training.step(), 2);
}

TEST(Lbfgs, RefusesWhatItsSearchCannotHave) {
  const std::map<std::string, ModelOptions> models = {
      {"net", {layers::linear({.out_features = 3}), optimizers::lbfgs()}}};
  for (const char* option : {"accumulate: 2", "clip_norm: 1"})
    EXPECT_THROW(NetworkTraining(models, {kCall, kLoss, "update: {" + std::string(option) + "}"}),
                 GraphError)
        << option;
}

TEST(ScheduleFree, LetsEvaluationUseWhatItLearned) {
  const std::map<std::string, ModelOptions> models = {
      {"net", {layers::linear({.out_features = 3}), optimizers::schedule_free_sgd({.lr = kRate})}}};
  NetworkTraining training(models, {kCall, kLoss, "update: {}"});
  training.run(0, 3);
  Model& model = training.network().models().find("net");
  const at::Tensor learned = model.optimizer()->average(0).clone();
  EXPECT_FALSE(training.values()[0].equal(learned));
  EXPECT_TRUE(model.weights().tensor("model/weight").equal(learned));
  const AveragedWeights scope(training.network().models());
  EXPECT_TRUE(training.values()[0].equal(learned));
}

}  // namespace
}  // namespace hearth
