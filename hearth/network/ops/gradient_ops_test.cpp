// Gradients as keys: backward, what changes them, and step.
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linear.h>

#include <cmath>
#include <functional>

#include "hearth/base/message_of_test.h"
#include "hearth/network/gradient_fixture.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

constexpr const char* kCall = "call: {in: input}";
constexpr const char* kLoss = "cross_entropy: {in: [logits, label]}";

std::map<std::string, ModelOptions> one_mlp() {
  return {{"net",
           {layers::mlp({.hidden = {8}, .classes = 3}),
            optimizers::sgd({.lr = 0.1, .momentum = 0.9})}}};
}

std::map<std::string, ModelOptions> one_linear(double lr = 0.5) {
  return {{"net", {layers::linear({.out_features = 3}), optimizers::sgd({.lr = lr})}}};
}

// Weight and bias after a plain step whose gradients `change` was applied to.
template <class Change>
std::vector<at::Tensor> by_hand(NetworkTraining& start, int64_t batches, const Change& change) {
  std::vector<at::Tensor> values = start.values();
  for (int64_t number = 0; number < batches; ++number) {
    const auto [input, label] = NetworkTraining::batch_of(number);
    for (at::Tensor& value : values) value.set_requires_grad(true);
    at::cross_entropy_loss(at::linear(input, values[0], values[1]), label).backward();
    std::vector<at::Tensor> gradients = {values[0].grad(), values[1].grad()};
    change(gradients);
    for (size_t i = 0; i < 2; ++i) values[i] = values[i].detach().sub(gradients[i], 0.5);
  }
  return values;
}

void compare_with_hand(const std::vector<std::string>& between,
                       const std::function<void(std::vector<at::Tensor>&)>& change) {
  std::vector<std::string> ops = {kCall, kLoss, "backward: {}"};
  ops.insert(ops.end(), between.begin(), between.end());
  ops.emplace_back("step: {}");
  NetworkTraining training(one_linear(), ops);
  const std::vector<at::Tensor> expected = by_hand(training, 4, change);
  training.run(0, 4);
  expect_near(training.values(), expected);
}

TEST(Gradients, BackwardAndStepAreAnUpdateToTheBit) {
  NetworkTraining update(one_mlp(), {kCall, kLoss, "update: {clip_norm: 0.3}"});
  NetworkTraining parts(one_mlp(), {kCall, kLoss, "backward: {}", "step: {clip_norm: 0.3}"});
  update.run(0, 5);
  parts.run(0, 5);
  EXPECT_EQ(parts.step(), 5);
  expect_equal(parts.values(), update.values());
}

TEST(Gradients, AreClippedScaledAndBoundedAsByHand) {
  compare_with_hand({"clip_norm: {at: 0.2}"}, [](std::vector<at::Tensor>& all) {
    const double norm =
        std::sqrt(all[0].square().sum().item<double>() + all[1].square().sum().item<double>());
    for (at::Tensor& one : all) one = one.mul(std::min(1.0, 0.2 / (norm + 1e-6)));
  });
  compare_with_hand({"clip_value: {in: gradients, out: gradients, at: 0.05}"},
                    [](std::vector<at::Tensor>& all) {
                      for (at::Tensor& one : all) one = one.clamp(-0.05, 0.05);
                    });
  compare_with_hand({"scale_gradients: {by: 0.5}"}, [](std::vector<at::Tensor>& all) {
    for (at::Tensor& one : all) one = one.mul(0.5);
  });
}

TEST(Gradients, OfSeveralLossesAddUp) {
  NetworkTraining twice(one_linear(),
                        {kCall, kLoss, "backward: {}", "backward: {in: gradients}", "step: {}"});
  NetworkTraining scaled(one_linear(1.0), {kCall, kLoss, "update: {}"});
  twice.run(0, 3);
  scaled.run(0, 3);
  expect_near(twice.values(), scaled.values());
}

TEST(Gradients, NoiseIsTheSameAgainAndItsOwnInEveryStep) {
  const std::vector<std::string> ops = {kCall, kLoss, "backward: {}",
                                        "gradient_noise: {deviation: 0.1}", "step: {}"};
  NetworkTraining first(one_linear(), ops);
  NetworkTraining second(one_linear(), ops);
  NetworkTraining plain(one_linear(), {kCall, kLoss, "update: {}"});
  for (NetworkTraining* training : {&first, &second, &plain}) training->run(0, 3);
  expect_equal(first.values(), second.values());
  EXPECT_FALSE(first.values()[0].allclose(plain.values()[0], 1e-4, 1e-4));
}

TEST(Gradients, TheirNormIsANumberOfTheBatch) {
  NetworkTraining training(
      one_linear(),
      {kCall, kLoss, "backward: {}", "clip_norm: {at: 0.01}", "watch_gradients: {}", "step: {}"}, 1,
      {"gradient_norm"});
  EXPECT_NEAR(training.run(0)[0].item<double>(), 0.01, 1e-5);
}

TEST(Gradients, AccumulateWhatTheOpsMadeOfEachBatch) {
  NetworkTraining steps(one_mlp(), {kCall, kLoss, "backward: {}", "step: {accumulate: 3}"});
  NetworkTraining update(one_mlp(), {kCall, kLoss, "update: {accumulate: 3}"});
  steps.run(0, 7);
  update.run(0, 7);
  EXPECT_EQ(steps.step(), 2);
  expect_near(steps.values(), update.values());
}

TEST(Gradients, GoOnFromAStateInTheMiddleOfAnAccumulation) {
  for (const std::vector<std::string>& ops :
       {std::vector<std::string>{kCall, kLoss, "backward: {}", "clip_norm: {at: 0.5}",
                                 "gradient_noise: {deviation: 0.01}", "step: {accumulate: 3}"},
        std::vector<std::string>{kCall, kLoss, "update: {accumulate: 3}"}}) {
    NetworkTraining whole(one_mlp(), ops);
    whole.run(0, 5);
    NetworkTraining resumed(one_mlp(), ops);
    resumed.run(50, 51);
    resumed.restore(whole.state(), whole.step());
    whole.run(5, 12);
    resumed.run(5, 12);
    expect_equal(resumed.values(), whole.values());
  }
}

TEST(Gradients, ReplicasTakeTheStepsOfOneNetwork) {
  const std::vector<std::string> ops = {kCall,
                                        kLoss,
                                        "backward: {}",
                                        "clip_norm: {at: 0.3}",
                                        "watch_gradients: {}",
                                        "step: {accumulate: 2}"};
  NetworkTraining one(one_mlp(), ops, 1, {"loss", "gradient_norm"});
  NetworkTraining three(one_mlp(), ops, 3, {"loss", "gradient_norm"});
  for (int64_t number = 0; number < 6; ++number)
    expect_near(three.run(number), one.run(number), 1e-5);
  expect_near(three.values(), one.values(), 1e-5);
}

TEST(Gradients, OfTwoModelsHaveOneKeyAndStepsOfTheirOwn) {
  std::map<std::string, ModelOptions> models = one_linear();
  models["head"] = {layers::linear({.out_features = 3}), optimizers::sgd({.lr = 0.1})};
  const std::vector<std::string> forward = {"call: {in: input, out: middle}",
                                            "call: {model: head, in: middle, out: logits}", kLoss};
  const auto with = [&](std::vector<std::string> ops) {
    ops.insert(ops.begin(), forward.begin(), forward.end());
    NetworkTraining training(models, ops);
    training.run(0, 4);
    return training.values("net")[0].add(training.values("head")[0].sum());
  };
  const at::Tensor together =
      with({"backward: {model: [net, head]}", "step: {model: head}", "step: {model: net}"});
  EXPECT_TRUE(with({"backward: {model: [net, head]}", "step: {}"}).equal(together));
  EXPECT_FALSE(with({"backward: {model: [net, head]}", "step: {model: net}"}).equal(together));
}

std::string fault_of(const std::vector<std::string>& ops, std::vector<std::string> fetches = {}) {
  try {
    NetworkTraining training(one_linear(), ops, 1, std::move(fetches));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(GradientFaults, SayWhatDoesNotGoTogether) {
  EXPECT_EQ(fault_of({kCall, kLoss, "clip_norm: {in: gradeints}", "backward: {}", "step: {}"}),
            "test.yaml:1:17: no backward before it writes gradients as 'gradeints'. Put `backward: "
            "{model: ..., loss: ..., out: gradeints}` before it.");
  EXPECT_NE(
      fault_of({kCall, kLoss, "backward: {}", "sum: {in: [gradients], out: total}", "step: {}"},
               {"total"})
          .find("reads 'gradients', which stands for gradients: gradient ops, such as"),
      std::string::npos);
  EXPECT_NE(fault_of({kCall, kLoss, "update: {}", "backward: {}", "step: {}"})
                .find("an `update` moves the model 'net', and a `backward` writes its gradients"),
            std::string::npos);
  EXPECT_NE(fault_of({kCall, kLoss, "backward: {}", "backward: {out: more}", "step: {}"})
                .find("the gradients of the model 'net' have the key 'gradients' already."),
            std::string::npos);
  EXPECT_NE(fault_of({kCall, kLoss, "backward: {}", "step: {}"}, {"gradients"})
                .find("the fetch is 'gradients', which stands for gradients"),
            std::string::npos);
}

}  // namespace
}  // namespace hearth
