// A step over all parameters: the kernel against the plain path, clipping, averages, odd gradients.
#include "hearth/optim/optimizer.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "hearth/config/registry.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/optim/optimizers/adam.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

using Shape = std::vector<int64_t>;

struct StepSettings {
  Choice<Optimizer> choice = {};
  double clip_norm = 0;
  std::optional<double> average = {};
};

// Parameters of some shapes, moved along random gradients that depend on the step alone.
struct SteppedParameters {
  SteppedParameters(const std::vector<Shape>& shapes, StepSettings given, Kernels kernels)
      : settings(std::move(given)), optimizer(registry<Optimizer>().make(settings.choice)) {
    at::manual_seed(3);
    for (const Shape& shape : shapes)
      parameters.emplace_back(std::to_string(parameters.size()), at::randn(shape));
    optimizer->attach(parameters, kernels, settings.average);
  }
  at::Tensor& at(size_t index) { return parameters[index].second; }

  void step(int64_t index) {
    at::manual_seed(static_cast<uint64_t>(index) + 100);
    for (const auto& [name, parameter] : parameters)
      parameter.mutable_grad() = at::randn(parameter.sizes());
    change_gradients();
    run(index);
  }
  void run(int64_t index) {
    Moment moment;
    moment.step = index;
    optimizer->step(moment, settings.clip_norm);
  }

  StepSettings settings;
  std::vector<NamedTensor> parameters;
  std::unique_ptr<Optimizer> optimizer;
  std::function<void()> change_gradients = [] {};
};

void expect_close(const SteppedParameters& fast, const SteppedParameters& plain) {
  for (size_t i = 0; i < fast.parameters.size(); ++i)
    EXPECT_TRUE(fast.parameters[i].second.allclose(plain.parameters[i].second, 1e-6, 1e-6)) << i;
  const State state = fast.optimizer->state();
  const State truth = plain.optimizer->state();
  EXPECT_EQ(state.values, truth.values);
  ASSERT_EQ(state.tensors.size(), truth.tensors.size());
  for (const auto& [name, tensor] : truth.tensors)
    EXPECT_TRUE(state.tensor(name).allclose(tensor, 2e-6, 1e-6)) << name;
}

// Changes made to every step's gradients of one run.
using ChangeGradients = std::function<void(SteppedParameters&, int64_t)>;

void compare_paths(
    const std::vector<Shape>& shapes, const StepSettings& settings,
    const ChangeGradients& change = [](SteppedParameters&, int64_t) {}) {
  SteppedParameters fast(shapes, settings, Kernels::kFast);
  SteppedParameters plain(shapes, settings, Kernels::kPlain);
  for (int64_t index = 0; index < 5; ++index) {
    for (SteppedParameters* run : {&fast, &plain}) {
      run->change_gradients = [&] { change(*run, index); };
      run->step(index);
    }
  }
  expect_close(fast, plain);
}

std::vector<Choice<Optimizer>> all_choices() {
  std::vector<Choice<Optimizer>> choices;
  for (const double decay : {0.0, 0.1}) {
    choices.push_back(optimizers::sgd({.lr = 0.1, .weight_decay = decay}));
    choices.push_back(optimizers::sgd({.lr = 0.1, .momentum = 0.9, .weight_decay = decay}));
    choices.push_back(
        optimizers::sgd({.lr = 0.1, .momentum = 0.9, .dampening = 0.3, .weight_decay = decay}));
    choices.push_back(
        optimizers::sgd({.lr = 0.1, .momentum = 0.9, .nesterov = true, .weight_decay = decay}));
    choices.push_back(optimizers::adam({.lr = 0.1, .weight_decay = decay}));
    choices.push_back(optimizers::adamw({.lr = 0.1, .betas = {0.8, 0.95}, .weight_decay = decay}));
  }
  return choices;
}

const WeightOrder kBlocked = {{2, 8, 3, 8, 3, 3}, {1728, 1, 576, 8, 192, 64}};

// Packs and unpacks the first parameter, whose gradients come now in one form, now in the other.
void change_form(SteppedParameters& run, int64_t index) {
  at::Tensor& parameter = run.at(0);
  if (index % 3 == 1) pack_parameter(parameter, kBlocked);
  if (index % 3 == 0) unpack_parameter(parameter, {16, 24, 3, 3});
  if (index % 2 == 0) parameter.mutable_grad() = parameter.grad().reshape({16, 24, 3, 3});
}

// Bit by bit: which value comes first in memory does not matter to the rest.
TEST(OptimizerStep, FollowsParametersThatArePackedAndUnpacked) {
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
    for (const Choice<Optimizer>& choice : all_choices()) {
      const StepSettings settings = {choice, 0, 0.9};
      SteppedParameters changing({{16, 24, 3, 3}, {7}}, settings, kernels);
      SteppedParameters ordinary({{16, 24, 3, 3}, {7}}, settings, kernels);
      for (int64_t index = 0; index < 7; ++index) {
        changing.change_gradients = [&] { change_form(changing, index); };
        changing.step(index);
        ordinary.step(index);
      }
      const State state = changing.optimizer->state();
      const State truth = ordinary.optimizer->state();
      EXPECT_TRUE(changing.at(0).equal(ordinary.at(0)));
      ASSERT_EQ(state.tensors.size(), truth.tensors.size());
      for (const auto& [name, tensor] : truth.tensors)
        EXPECT_TRUE(state.tensor(name).equal(tensor)) << name;
    }
}

TEST(OptimizerStep, RestoresAStateIntoPackedParameters) {
  const StepSettings settings = {optimizers::adam({.lr = 0.1}), 0, 0.9};
  SteppedParameters saved({{16, 24, 3, 3}}, settings, Kernels::kFast);
  saved.step(0);
  SteppedParameters restored({{16, 24, 3, 3}}, settings, Kernels::kFast);
  pack_parameter(restored.at(0), kBlocked);
  restored.step(5);
  restored.optimizer->restore(saved.optimizer->state());
  copy_into(restored.optimizer->parameters(), saved.optimizer->parameters(), "test");
  pack_parameter(restored.at(0), kBlocked);
  saved.step(1);
  restored.step(1);
  EXPECT_TRUE(restored.optimizer->parameters()[0].second.equal(saved.at(0)));
}

constexpr double kClips = 0.5;
constexpr double kNeverClips = 1e6;

TEST(OptimizerStep, KernelAgreesWithThePlainPathForAllOptions) {
  const std::vector<Shape> shapes = {{1}, {7}, {8}, {9}, {3, 5, 2}, {16383}, {16385}, {0}, {}};
  for (const Choice<Optimizer>& choice : all_choices())
    for (const double clip_norm : {0.0, kClips, kNeverClips})
      for (const std::optional<double> average : {std::optional<double>(), std::optional(0.3)}) {
        SCOPED_TRACE(choice.name() + " " + std::to_string(clip_norm));
        compare_paths(shapes, {choice, clip_norm, average});
      }
}

TEST(OptimizerStep, KernelAgreesWithThePlainPathForManyTensors) {
  std::vector<Shape> shapes;
  for (int64_t size = 0; size < 200; ++size) shapes.push_back({size * 7 % 61 + 1, size % 5 + 1});
  compare_paths(shapes, {optimizers::adamw(), kClips, 0.99});
}

TEST(OptimizerStep, KernelReadsGradientsWithoutScalingThemInMemory) {
  if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  SteppedParameters run({{30}}, {optimizers::sgd(), kClips}, Kernels::kFast);
  at::Tensor before;
  run.change_gradients = [&] { before = run.at(0).grad().clone(); };
  run.step(0);
  EXPECT_TRUE(run.at(0).grad().equal(before));
}

TEST(OptimizerStep, TakesGradientsInAnyOrderInMemory) {
  const auto transpose = [](SteppedParameters& run, int64_t) {
    at::Tensor& gradient = run.at(0).mutable_grad();
    gradient = gradient.t().contiguous().t();
  };
  compare_paths({{6, 5}, {9}}, {optimizers::adam(), kClips, 0.9}, transpose);
  const auto repeat = [](SteppedParameters& run, int64_t) {
    run.at(1).mutable_grad() = at::full({1}, 0.25).expand({9});
  };
  compare_paths({{6, 5}, {9}}, {optimizers::adam(), 0, 0.9}, repeat);
}

TEST(OptimizerStep, TakesAGradientOfAnotherLayoutForThePlainPath) {
  const auto make_sparse = [](SteppedParameters& run, int64_t) {
    run.at(0).mutable_grad() = run.at(0).grad().to_sparse();
  };
  compare_paths({{6, 5}, {9}}, {optimizers::sgd(), 0, 0.9}, make_sparse);
}

TEST(OptimizerStep, LeavesParametersWithoutGradientsAndGoesOnAveragingThem) {
  const auto drop = [](SteppedParameters& run, int64_t index) {
    run.at(0).mutable_grad() = at::Tensor();
    if (index % 2 == 1) run.at(1).mutable_grad() = at::Tensor();
  };
  const StepSettings settings = {optimizers::adamw(), kClips, 0.9};
  compare_paths({{3}, {4}, {5}}, settings, drop);
  SteppedParameters run({{3}, {4}}, settings, Kernels::kFast);
  const at::Tensor before = run.at(0).clone();
  for (int64_t index = 0; index < 2; ++index) {
    run.change_gradients = [&] { drop(run, index); };
    run.step(index);
  }
  EXPECT_TRUE(run.at(0).equal(before));
  EXPECT_FALSE(run.optimizer->average(0).defined());
  EXPECT_EQ(run.optimizer->state().values, Json::parse(R"({"steps": {"1": 1}})"));
}

TEST(OptimizerStep, WorksOnParametersInChannelsLastOrder) {
  const auto run_with = [](Kernels kernels) {
    SteppedParameters run({{4, 3, 5, 5}}, {optimizers::adamw(), kClips, 0.9}, kernels);
    run.at(0).set_data(run.at(0).contiguous(at::MemoryFormat::ChannelsLast));
    for (int64_t index = 0; index < 2; ++index) run.step(index);
    const State saved = copy(run.optimizer->state());
    State contiguous = saved;
    for (NamedTensor& tensor : contiguous.tensors) tensor.second = tensor.second.contiguous();
    run.optimizer->restore(contiguous);
    for (const auto& [name, tensor] : run.optimizer->state().tensors)
      EXPECT_EQ(tensor.strides(), run.at(0).strides()) << name;
    run.step(2);
    return run;
  };
  expect_close(run_with(Kernels::kFast), run_with(Kernels::kPlain));
}

TEST(OptimizerStep, GivesTheSameBitsForOneAndTwoThreads) {
  const int before = at::get_num_threads();
  const auto digest = [](int threads) {
    at::set_num_threads(threads);
    SteppedParameters run({{70000}, {5}, {300, 300}}, {optimizers::adam(), kClips, 0.9},
                          Kernels::kFast);
    for (int64_t index = 0; index < 3; ++index) run.step(index);
    return run;
  };
  const SteppedParameters one = digest(1);
  const SteppedParameters two = digest(2);
  at::set_num_threads(before);
  for (size_t i = 0; i < one.parameters.size(); ++i) {
    EXPECT_TRUE(one.parameters[i].second.equal(two.parameters[i].second)) << i;
    EXPECT_TRUE(one.optimizer->average(i).equal(two.optimizer->average(i))) << i;
  }
}

class EitherKernels : public testing::TestWithParam<Kernels> {};

TEST_P(EitherKernels, ClipsTheNormOfAllGradientsTogether) {
  SteppedParameters run({{30}, {20, 5}}, {optimizers::sgd({.lr = 1}), 0.25}, GetParam());
  const at::Tensor first = run.at(0).clone();
  const at::Tensor second = run.at(1).clone();
  run.step(0);
  const double squares = run.at(0).sub(first).square().sum().item<double>() +
                         run.at(1).sub(second).square().sum().item<double>();
  EXPECT_NEAR(std::sqrt(squares), 0.25, 1e-5);
}

// The parameter counts up from zero: 1, 2, 3, ...
std::vector<double> averages_of_counting(Kernels kernels, double decay) {
  SteppedParameters run({{1}}, {optimizers::sgd({.lr = 1}), 0, decay}, kernels);
  run.at(0).fill_(0);
  std::vector<double> averages;
  for (int64_t index = 0; index < 3; ++index) {
    run.at(0).mutable_grad() = at::full({1}, -1.0);
    run.run(index);
    averages.push_back(run.optimizer->average(0).item<double>());
  }
  return averages;
}

TEST_P(EitherKernels, AverageForgetsTheFirstValuesSooner) {
  double average = 0;
  const std::vector<double> averages = averages_of_counting(GetParam(), 0.999);
  for (int n = 0; n < 3; ++n) {
    const double decay = (1.0 + n) / (10 + n);
    average = decay * average + (1 - decay) * (n + 1);
    EXPECT_NEAR(averages[static_cast<size_t>(n)], average, 1e-6);
  }
  EXPECT_NEAR(averages_of_counting(GetParam(), 0.15)[1], 0.15 * averages[0] + 0.85 * 2, 1e-6);
}

// One replica has no gradient of the first parameter, the other none of the second.
TEST_P(EitherKernels, AddsTheGradientsOfReplicasWhereTheyHaveOne) {
  const StepSettings settings = {.choice = optimizers::sgd({.lr = 1})};
  SteppedParameters run({{2}, {2}, {2}}, settings, GetParam());
  SteppedParameters other({{2}, {2}, {2}}, settings, GetParam());
  const std::vector<at::Tensor> before = {run.at(0).clone(), run.at(1).clone(), run.at(2).clone()};
  run.at(1).mutable_grad() = at::full({2}, 3.0);
  other.at(0).mutable_grad() = at::full({2}, 4.0);
  run.at(2).mutable_grad() = at::full({2}, 5.0);
  other.at(2).mutable_grad() = at::full({2}, 6.0);
  Optimizer* const others[] = {other.optimizer.get()};
  run.optimizer->step({}, 0, {.others = others});
  EXPECT_TRUE(run.at(0).equal(before[0].sub(4)));
  EXPECT_TRUE(run.at(1).equal(before[1].sub(3)));
  EXPECT_TRUE(run.at(2).equal(before[2].sub(11)));
}

TEST_P(EitherKernels, UpdatesATensorWithTwoNamesOnce) {
  const auto optimizer = registry<Optimizer>().make(optimizers::sgd({.lr = 1}));
  at::Tensor tied = at::zeros({3});
  optimizer->attach({{"in", tied}, {"out", tied}}, GetParam());
  tied.mutable_grad() = at::full({3}, -1.0);
  optimizer->step(Moment());
  EXPECT_TRUE(tied.equal(at::full({3}, 1.0)));
  EXPECT_EQ(optimizer->parameters().size(), 1U);
}

TEST_P(EitherKernels, ABackwardThatNeedsTheOldValuesNotices) {
  SteppedParameters run({{4}}, {optimizers::sgd()}, GetParam());
  run.at(0).set_requires_grad(true);
  const at::Tensor loss = run.at(0).square().sum();
  run.step(0);
  EXPECT_THROW(loss.backward(), c10::Error);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EitherKernels, testing::Values(Kernels::kFast, Kernels::kPlain),
                         [](const auto& tested) {
                           return tested.param == Kernels::kFast ? "fast" : "plain";
                         });

}  // namespace
}  // namespace hearth
