// Groups of parameters and options that move with time, against steps written by hand.
#include "hearth/optim/parameter_groups.h"

#include <ATen/Context.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/optim/optimizer.h"
#include "hearth/optim/optimizers/adam.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

Moment moment_at(int64_t step) { return {step, 0, {10, 10, 1}}; }

Choice<Optimizer> from_yaml(const std::string& name, const std::string& options) {
  return {name, parse_yaml(options, "test.yaml")};
}

at::Tensor gradient_at(int64_t step) {
  at::manual_seed(static_cast<uint64_t>(step) + 40);
  return at::randn({5, 3});
}

at::Tensor first_value() {
  at::manual_seed(2);
  return at::randn({5, 3});
}

// Ten steps of two equal parameters; what they become.
std::vector<at::Tensor> moved(const Choice<Optimizer>& choice, Kernels kernels,
                              ParameterGroups groups = {}) {
  const std::vector<NamedTensor> parameters = {{"a", first_value()}, {"b", first_value()}};
  const auto optimizer = registry<Optimizer>().make(choice);
  optimizer->attach(parameters, kernels);
  optimizer->set_groups(std::move(groups));
  for (int64_t step = 0; step < 10; ++step) {
    for (const auto& [name, parameter] : parameters) parameter.mutable_grad() = gradient_at(step);
    optimizer->step(moment_at(step));
  }
  return {parameters[0].second, parameters[1].second};
}

class Steps : public testing::TestWithParam<Kernels> {};

TEST_P(Steps, MomentumAndDecayMayMoveWithTime) {
  const auto found = moved(from_yaml("sgd",
                                     "{lr: 0.1, momentum: {linear: {first: 0.5, last: 0.9, "
                                     "end: 10st}}, weight_decay: {linear: {first: 0, last: "
                                     "0.1, end: 10st}}}"),
                           GetParam());
  at::Tensor value = first_value();
  at::Tensor momentum;
  for (int64_t step = 0; step < 10; ++step) {
    const double share = static_cast<double>(step) / 10;
    const at::Tensor gradient = gradient_at(step).add(value, 0.1 * share);
    momentum = step == 0 ? gradient : momentum.mul(0.5 + 0.4 * share).add(gradient);
    value = value.sub(momentum, 0.1);
  }
  EXPECT_TRUE(found[0].allclose(value, 1e-5, 1e-6));
}

TEST_P(Steps, BetasMayMoveWithTime) {
  const auto found = moved(
      from_yaml("adam", "{lr: 0.1, betas: [{linear: {first: 0.5, last: 0.9, end: 10st}}, 0.99]}"),
      GetParam());
  at::Tensor value = first_value();
  at::Tensor mean = at::zeros_like(value);
  at::Tensor square = at::zeros_like(value);
  for (int64_t step = 0; step < 10; ++step) {
    const double beta = 0.5 + 0.04 * static_cast<double>(step);
    const at::Tensor gradient = gradient_at(step);
    mean = mean.mul(beta).add(gradient, 1 - beta);
    square = square.mul(0.99).add(gradient.square(), 0.01);
    const auto count = static_cast<double>(step + 1);
    const at::Tensor divisor = square.div(1 - std::pow(0.99, count)).sqrt().add(1e-8);
    value = value.sub(mean.div(divisor), 0.1 / (1 - std::pow(beta, count)));
  }
  EXPECT_TRUE(found[0].allclose(value, 1e-4, 1e-5));
}

TEST_P(Steps, AFactorAndADecayOfAGroupAreThoseOfAnOptimizerOfItsOwn) {
  OptimizerGroup group;
  group.lr_factor = ScheduledValue(0.5);
  group.rule = registry<Optimizer>().make(optimizers::adamw({.lr = 0.1, .weight_decay = 0.3}));
  const auto found = moved(optimizers::adamw({.lr = 0.1, .weight_decay = 0.1}), GetParam(),
                           ParameterGroups({group}, {{}, {0}}));
  const auto plain = moved(optimizers::adamw({.lr = 0.1, .weight_decay = 0.1}), GetParam());
  const auto other = moved(optimizers::adamw({.lr = 0.05, .weight_decay = 0.3}), GetParam());
  EXPECT_TRUE(found[0].equal(plain[0]));
  EXPECT_TRUE(found[1].equal(other[1]));
}

TEST_P(Steps, TheFirstGroupInForceCounts) {
  OptimizerGroup late;
  late.is_frozen = true;
  late.from = steps(0);
  late.until = steps(10);
  OptimizerGroup always;
  always.lr_factor = ScheduledValue(0.5);
  const auto frozen = moved(optimizers::sgd({.lr = 0.1}), GetParam(),
                            ParameterGroups({late, always}, {{0, 1}, {1}}));
  EXPECT_TRUE(frozen[0].equal(first_value()));
  EXPECT_TRUE(frozen[1].equal(moved(optimizers::sgd({.lr = 0.05}), GetParam())[1]));
}

TEST_P(Steps, SmallParametersMayGoWithoutDecay) {
  ParameterGroups groups;
  groups.set_undecayed(registry<Optimizer>().make(optimizers::sgd({.lr = 0.1})), {false, true});
  const auto found = moved(optimizers::sgd({.lr = 0.1, .weight_decay = 0.1}), GetParam(), groups);
  EXPECT_FALSE(found[0].equal(found[1]));
  EXPECT_TRUE(found[1].equal(moved(optimizers::sgd({.lr = 0.1}), GetParam())[1]));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Steps, testing::Values(Kernels::kFast, Kernels::kPlain),
                         [](const auto& tested) {
                           return tested.param == Kernels::kFast ? "fast" : "plain";
                         });

TEST(ParameterGroups, AFrozenGroupAsksForNoGradientsInItsWindow) {
  at::Tensor parameter = first_value().set_requires_grad(true);
  const auto optimizer = registry<Optimizer>().make(optimizers::sgd());
  optimizer->attach({{"a", parameter}});
  OptimizerGroup group;
  group.is_frozen = true;
  group.from = steps(2);
  group.until = steps(4);
  optimizer->set_groups(ParameterGroups({group}, {{0}}));
  std::vector<bool> learns;
  for (int64_t step = 0; step < 6; ++step) {
    optimizer->follow_groups(moment_at(step));
    learns.push_back(parameter.requires_grad());
  }
  EXPECT_EQ(learns, (std::vector<bool>{true, true, false, false, true, true}));
}

}  // namespace
}  // namespace hearth
