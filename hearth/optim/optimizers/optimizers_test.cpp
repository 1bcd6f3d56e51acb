// Optimizers: the same numbers as Python's torch or their papers' formulas, and bits that survive a
// restore.
#include <ATen/ops/randn.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/optim/optimizer.h"
#include "hearth/optim/optimizers/adam.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"
#include "tests/parity/parity.h"
#include "tests/parity/tried_options.h"

namespace hearth {
namespace {

// Parameters and the optimizer that moves them along the gradients in optim.json.
struct ParityRun {
  explicit ParityRun(const Choice<Optimizer>& choice, Kernels kernels = Kernels::kFast)
      : optimizer(registry<Optimizer>().make(choice)) {
    for (const char* name : {"weight", "bias", "filter"}) {
      parameters.emplace_back(name, parity_tensor(truth["start"][name], truth["shapes"][name]));
      parameters.back().second.set_requires_grad(true);
    }
    optimizer->attach(parameters, kernels, 0.9);
  }

  void step(int64_t index) {
    for (const auto& [name, parameter] : parameters) {
      const bool is_skipped = truth["skipped"].value(name, int64_t{-1}) == index;
      const Json& values = truth["gradients"][static_cast<size_t>(index)][name];
      parameter.mutable_grad() =
          is_skipped ? at::Tensor() : parity_tensor(values, truth["shapes"][name]);
    }
    Moment moment;
    moment.step = index;
    optimizer->step(moment);
  }
  void steps(int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) step(index);
  }

  Json truth = load_parity("optim.json");
  std::vector<NamedTensor> parameters;
  std::unique_ptr<Optimizer> optimizer;
};

std::vector<Choice<Optimizer>> resumable() {
  return {optimizers::sgd({.lr = 0.1, .momentum = 0.9, .weight_decay = 0.1}),
          optimizers::adam({.lr = 0.05}), optimizers::adamw({.lr = 0.05})};
}

// What is learned, with a tolerance for float32 against float64.
void expect_learned(const Json& expected, const ParityRun& run) {
  for (size_t i = 0; i < run.parameters.size(); ++i) {
    const auto& [name, parameter] = run.parameters[i];
    const bool is_average = run.optimizer->has_own_average();
    const at::Tensor learned = is_average ? run.optimizer->average(i) : parameter.detach();
    SCOPED_TRACE(name);
    expect_near(learned, parity_tensor(expected["end"][name], run.truth["shapes"][name]), 2e-6);
  }
}

// But for lbfgs, which remembers more from step to step.
TEST(Optimizers, SayWhatTheyWillRemember) {
  for (const std::string& name : registry<Optimizer>().names()) {
    if (name == "lbfgs") continue;
    SCOPED_TRACE(name);
    ParityRun run(Choice<Optimizer>(name, Node::map()));
    run.steps(0, 3);
    int64_t bytes = 0;
    for (const auto& [slot, tensor] : run.optimizer->state().tensors)
      bytes += static_cast<int64_t>(tensor.nbytes());
    EXPECT_EQ(run.optimizer->expected_bytes(), bytes);
  }
}

class Parity : public testing::TestWithParam<Kernels> {};

TEST_P(Parity, GivesTheNumbersOfTorchOrOfThePaperOverTwentySteps) {
  const Json truth = load_parity("optim.json");
  for (const Json& expected : truth.at("cases")) {
    SCOPED_TRACE(expected["optimizer"].get<std::string>() + expected["options"].dump());
    ParityRun run({expected["optimizer"], parse_yaml(expected["options"].dump(), "options")},
                  GetParam());
    run.steps(0, 20);
    expect_learned(expected, run);
  }
}
INSTANTIATE_TEST_SUITE_P(Kernels, Parity, testing::Values(Kernels::kFast, Kernels::kPlain),
                         [](const auto& tested) {
                           return tested.param == Kernels::kFast ? "fast" : "plain";
                         });

TEST(Optimizers, AreTriedWithAllTheirOptions) {
  const Json truth = load_parity("optim.json");
  std::map<std::string, std::vector<Json>> tried;
  for (const Json& one : truth.at("cases")) tried[one.at("optimizer")].push_back(one.at("options"));
  for (const Json& one : truth.at("searches")) tried["lbfgs"].push_back(one.at("options"));
  for (const std::string& name : registry<Optimizer>().names())
    EXPECT_THAT(untried_options(registry<Optimizer>().schema(name, Mark()), tried[name]),
                testing::IsEmpty())
        << name << " has options without a case in make_optim.py";
}

TEST(Optimizers, ContinueToTheSameBitsAfterARestore) {
  for (const Choice<Optimizer>& choice : resumable()) {
    SCOPED_TRACE(choice.name());
    ParityRun whole(choice);
    whole.steps(0, 10);
    const State saved = copy(whole.optimizer->state());
    ParityRun resumed(choice);
    copy_into(resumed.parameters, whole.parameters, "parameters");
    resumed.optimizer->restore(saved);
    whole.steps(10, 20);
    resumed.steps(10, 20);
    for (size_t i = 0; i < whole.parameters.size(); ++i) {
      EXPECT_TRUE(whole.parameters[i].second.equal(resumed.parameters[i].second));
      EXPECT_TRUE(whole.optimizer->average(i).equal(resumed.optimizer->average(i)));
    }
  }
}

TEST(Optimizers, RestoreOwnsItsMemoryAndForgetsWhatCameAfter) {
  for (const Choice<Optimizer>& choice : resumable()) {
    SCOPED_TRACE(choice.name());
    ParityRun run(choice);
    const State empty = copy(run.optimizer->state());
    run.step(0);
    const State first = copy(run.optimizer->state());
    run.optimizer->restore(first);
    run.steps(1, 5);
    ASSERT_FALSE(first.tensors.empty());
    run.optimizer->restore(first);
    const State again = run.optimizer->state();
    for (const auto& [name, tensor] : first.tensors) EXPECT_TRUE(again.tensor(name).equal(tensor));
    EXPECT_EQ(again.values, first.values);
    run.optimizer->restore(empty);
    EXPECT_TRUE(run.optimizer->state().tensors.empty());
  }
}

TEST(Optimizers, NameTheirStateBySlotAndParameter) {
  ParityRun run(optimizers::adamw());
  run.step(7);
  const State state = run.optimizer->state();
  ASSERT_EQ(state.tensors.size(), 6U);
  EXPECT_EQ(state.tensors[0].first, "exp_avg/weight");
  EXPECT_EQ(state.tensors[1].first, "exp_avg_sq/weight");
  EXPECT_EQ(state.tensors[2].first, "average/weight");
  EXPECT_EQ(state.tensors[3].first, "exp_avg/filter");
  EXPECT_EQ(state.values, Json::parse(R"({"steps": {"weight": 1, "filter": 1}})"));
}

TEST(Optimizers, RefuseTheStateOfAnother) {
  ParityRun from(optimizers::sgd({.momentum = 0.9}));
  from.step(0);
  ParityRun into(optimizers::adamw());
  try {
    into.optimizer->restore(from.optimizer->state());
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(),
                 "The saved state holds 'momentum_buffer/weight', which this optimizer does not "
                 "use. Was it saved by another optimizer?");
  }
}

at::Tensor searched_loss(const at::Tensor& w) {
  const at::Tensor scales = at::tensor({1.0, 4.0, 0.5}, at::kDouble);
  return scales.mul(w.sub(1).square()).sum().add(w.pow(4).sum(), 0.1).add(w[0].mul(w[1]).square());
}

TEST(Lbfgs, SearchesAsPythonsTorch) {
  const Json truth = load_parity("optim.json").at("searches");
  ASSERT_EQ(truth.size(), 6U);
  for (const Json& expected : truth) {
    SCOPED_TRACE(expected["options"].dump());
    const Choice<Optimizer> choice("lbfgs", parse_yaml(expected["options"].dump(), "options"));
    const auto optimizer = registry<Optimizer>().make(choice);
    at::Tensor w = at::tensor({0.5, -1.0, 2.0}, at::kDouble).set_requires_grad(true);
    optimizer->attach({{"w", w}});
    const auto evaluate = [&] {
      const c10::AutoGradMode with_gradients(true);
      w.mutable_grad() = at::Tensor();
      const at::Tensor loss = searched_loss(w);
      loss.backward();
      return loss.item<double>();
    };
    for (const Json& place : expected["path"]) {
      optimizer->step_along(Moment(), evaluate(), evaluate);
      for (int64_t i = 0; i < 3; ++i)
        EXPECT_NEAR(w[i].item<double>(), place[static_cast<size_t>(i)].get<double>(), 1e-8);
    }
  }
}

// As the constant that the schedule has at the fifth step.
TEST(Muon, AsksItsIterationsAtEveryStep) {
  const auto weight_after = [](const std::string& iterations) {
    ParityRun run({"muon", parse_yaml("{iterations: " + iterations + "}", "options")});
    run.step(4);
    return run.parameters.front().second.detach();
  };
  const at::Tensor moved = weight_after("{linear: {first: 1, last: 9, end: 8st}}");
  EXPECT_TRUE(moved.equal(weight_after("5")));
  EXPECT_FALSE(moved.equal(weight_after("1")));
}

TEST(Lbfgs, ForgetsWhatAScheduleLeavesNoRoomFor) {
  const Choice<Optimizer> choice(
      "lbfgs", parse_yaml("{lr: 0.3, max_iter: {linear: {first: 4, last: 2, end: 2st}}, "
                          "history_size: {linear: {first: 5, last: 1, end: 1st}}}",
                          "options"));
  const auto optimizer = registry<Optimizer>().make(choice);
  at::Tensor w = at::tensor({0.5, -1.0, 2.0}, at::kDouble).set_requires_grad(true);
  optimizer->attach({{"w", w}});
  int64_t looks = 0;
  const auto evaluate = [&] {
    const c10::AutoGradMode with_gradients(true);
    ++looks;
    w.mutable_grad() = at::Tensor();
    const at::Tensor loss = searched_loss(w);
    loss.backward();
    return loss.item<double>();
  };
  optimizer->step_along({0, 0, {10, 10, 1}}, evaluate(), evaluate);
  EXPECT_EQ(looks, 4);  // the last step is not looked at
  EXPECT_EQ(optimizer->state().tensor("steps/w").size(0), 3);
  optimizer->step_along({1, 0, {10, 10, 1}}, evaluate(), evaluate);
  EXPECT_EQ(looks, 4 + 3);
  EXPECT_EQ(optimizer->state().tensor("steps/w").size(0), 1);
}

TEST(Sgd, WithoutMomentumRemembersOnlyHowOftenItUpdated) {
  ParityRun run(optimizers::sgd());
  run.step(0);
  EXPECT_THROW((void)run.optimizer->state().tensor("momentum_buffer/weight"), DataError);
}

TEST(Sgd, RefusesNesterovWithoutMomentum) {
  EXPECT_THROW((void)registry<Optimizer>().make(optimizers::sgd({.nesterov = true})), ConfigError);
}

TEST(Adamw, RefusesBetasThatAreNotTwoSharesBelowOne) {
  EXPECT_THROW((void)registry<Optimizer>().make(optimizers::adamw({.betas = {0.9}})), ConfigError);
  EXPECT_THROW((void)registry<Optimizer>().make(optimizers::adamw({.betas = {0.9, 1.0}})),
               ConfigError);
}

TEST(Adamw, SaysItsLearningRate) {
  EXPECT_EQ(ParityRun(optimizers::adamw({.lr = 0.02})).optimizer->learning_rate(Moment()), 0.02);
}

}  // namespace
}  // namespace hearth
