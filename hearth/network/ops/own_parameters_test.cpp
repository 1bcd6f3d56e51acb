// center_loss, which has parameters of its own, and sam, which runs a part of the step again.
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/softplus.h>

#include "hearth/base/message_of_test.h"
#include "hearth/network/gradient_fixture.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

constexpr const char* kCallNet = "call: {in: input}";
constexpr const char* kClassLoss = "cross_entropy: {in: [logits, label]}";

std::map<std::string, ModelOptions> linear_model() {
  return {{"net", {layers::linear({.out_features = 3}), optimizers::sgd({.lr = 0.5})}}};
}

const std::vector<std::string> kCenters = {kCallNet,
                                           "center_loss: {in: [logits, label], out: loss}",
                                           "update: {}", "update: {model: centers}"};

TEST(CenterLoss, MovesPointsAndCentersAsByHand) {
  NetworkTraining training(linear_model(), kCenters);
  std::vector<at::Tensor> values = training.values();
  values.push_back(training.values("centers")[0]);
  EXPECT_EQ(values[2].sizes(), (at::IntArrayRef{3, 3}));
  for (int64_t number = 0; number < 3; ++number) {
    const auto [input, label] = NetworkTraining::batch_of(number);
    for (at::Tensor& value : values) value.set_requires_grad(true);
    const at::Tensor points = at::linear(input, values[0], values[1]);
    points.sub(values[2].index({label})).square().sum().div(12).backward();
    for (at::Tensor& value : values) value = value.detach().sub(value.grad(), 0.5);
  }
  training.run(0, 3);
  std::vector<at::Tensor> found = training.values();
  found.push_back(training.values("centers")[0]);
  expect_near(found, values);
}

TEST(CenterLoss, IsSavedAndSharedByReplicas) {
  NetworkTraining one(linear_model(), kCenters);
  NetworkTraining two(linear_model(), kCenters, 2);
  one.run(0, 3);
  two.run(0, 3);
  expect_near(two.values("centers"), one.values("centers"));
  NetworkTraining resumed(linear_model(), kCenters);
  resumed.restore(one.state(), one.step());
  expect_equal(resumed.values("centers"), one.values("centers"));
}

TEST(CenterLoss, SaysWhatItNeeds) {
  EXPECT_EQ(message_of<Error>([] {
              NetworkTraining training(linear_model(),
                                       {kCallNet, "center_loss: {name: net, in: [logits, label]}"});
            }),
            "test.yaml:1:21: there is a model 'net' already. Give the op another name.");
}

TEST(Sam, StepsAsByHand) {
  NetworkTraining training(linear_model(), {kCallNet, kClassLoss, "sam: {rho: 0.1}"});
  std::vector<at::Tensor> values = training.values();
  const auto gradients = [&](const std::vector<at::Tensor>& at, int64_t number) {
    const auto [input, label] = NetworkTraining::batch_of(number);
    std::vector<at::Tensor> leaves;
    for (const at::Tensor& value : at)
      leaves.push_back(value.detach().clone().set_requires_grad(true));
    at::cross_entropy_loss(at::linear(input, leaves[0], leaves[1]), label).backward();
    return std::vector<at::Tensor>{leaves[0].grad(), leaves[1].grad()};
  };
  for (int64_t number = 0; number < 4; ++number) {
    const auto here = gradients(values, number);
    const at::Tensor norm = here[0].square().sum().add(here[1].square().sum()).sqrt();
    std::vector<at::Tensor> worst;
    for (size_t i = 0; i < 2; ++i) worst.push_back(values[i].add(here[i].div(norm).mul(0.1)));
    const auto there = gradients(worst, number);
    for (size_t i = 0; i < 2; ++i) values[i] = values[i].sub(there[i], 0.5);
  }
  training.run(0, 4);
  expect_near(training.values(), values);
}

// With a rho that moves nothing, both passes are one: the same values are dropped.
TEST(Sam, DrawsTheSameRandomNumbersTwice) {
  const std::map<std::string, ModelOptions> models = {
      {"net",
       {layers::sequential({{layers::dropout({0.5}), layers::linear({.out_features = 3})}}),
        optimizers::sgd({.lr = 0.5})}}};
  NetworkTraining sam(models, {kCallNet, kClassLoss, "sam: {rho: 1e-12}"});
  NetworkTraining plain(models, {kCallNet, kClassLoss, "update: {}"});
  sam.run(0, 3);
  plain.run(0, 3);
  expect_near(sam.values(), plain.values());
}

TEST(Sam, CountsABatchOnceInBatchNorms) {
  const std::map<std::string, ModelOptions> models = {
      {"net",
       {layers::sequential({{layers::conv2d({.out_channels = 4}), layers::batch_norm2d(),
                             layers::flatten(), layers::linear({.out_features = 3})}}),
        optimizers::sgd({.lr = 0})}}};
  const auto buffers = [&](const std::string& moves) {
    NetworkTraining training(models, {kCallNet, kClassLoss, moves}, 1, {"loss"}, Kernels::kFast,
                             {2, 5, 5});
    training.run(0, 3);
    std::vector<at::Tensor> found;
    for (const auto& [name, buffer] : training.layer().buffers()) found.push_back(buffer.clone());
    return found;
  };
  expect_equal(buffers("sam: {rho: 0.5}"), buffers("update: {}"));
}

TEST(Sam, IsNotForReplicas) {
  EXPECT_EQ(message_of<Error>([] {
              NetworkTraining training(linear_model(), {kCallNet, kClassLoss, "sam: {}"}, 2);
            }),
            "test.yaml:1:6: network[2] sam makes steps by itself, which replicas cannot share. Use "
            "replicas: 1.");
}

TEST(Game, SidesLearnByTurns) {
  const std::map<std::string, ModelOptions> models = {
      {"maker", {layers::linear({.out_features = 5}), optimizers::sgd({.lr = 0.1})}},
      {"critic", {layers::linear({.out_features = 1}), optimizers::sgd({.lr = 0.1})}}};
  for (const int64_t replicas : {1, 2}) {
    NetworkTraining training(
        models,
        {"noise: {shape: [4], like: input, out: z}", "call: {model: maker, in: z, out: fake}",
         "call: {model: critic, in: input, out: real_score}",
         "call: {model: critic, in: fake, detach: true, out: fake_score}",
         "gan_loss: {out: critic_loss}", "update: {model: critic, loss: critic_loss}",
         "call: {model: critic, in: fake, out: judged}",
         "gan_loss: {side: generator, in: judged, out: loss}", "backward: {model: maker}",
         "clip_value: {at: 0.5}", "step: {}"},
        replicas, {"loss", "critic_loss"});
    const auto maker = training.values("maker");
    const auto critic = training.values("critic");
    training.run(0, 2);
    EXPECT_FALSE(training.values("maker")[0].equal(maker[0]));
    EXPECT_FALSE(training.values("critic")[0].equal(critic[0]));
  }
}

TEST(GanLoss, IsTheLogisticLossOfBothSides) {
  NetworkTraining training(linear_model(),
                           {kCallNet, "gan_loss: {in: [logits, input], out: loss}", "update: {}"});
  const auto [input, label] = NetworkTraining::batch_of(0);
  const std::vector<at::Tensor> values = training.values();
  const at::Tensor scores = at::linear(input, values[0], values[1]);
  const at::Tensor expected = at::softplus(scores.neg()).mean().add(at::softplus(input).mean());
  EXPECT_TRUE(training.run(0)[0].allclose(expected, 1e-5, 1e-6));
}

}  // namespace
}  // namespace hearth
