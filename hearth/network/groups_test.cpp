// Groups of a model's parameters, several optimizers for one model, and what is wrong with them.
#include "hearth/base/message_of_test.h"
#include "hearth/network/gradient_fixture.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

const std::vector<std::string> kOps = {"call: {in: input}", "cross_entropy: {in: [logits, label]}",
                                       "update: {}"};

// Two layers: 0 and 1.
ModelOptions two_layers(const Choice<Optimizer>& optimizer,
                        std::vector<ParameterGroup> groups = {}) {
  ModelOptions options;
  options.build = layers::sequential(
      {{layers::linear({.out_features = 4}), layers::linear({.out_features = 3})}});
  options.optimizer = optimizer;
  options.groups = std::move(groups);
  return options;
}

std::vector<at::Tensor> trained(const ModelOptions& options, int64_t replicas = 1,
                                const std::vector<std::string>& ops = kOps) {
  NetworkTraining training({{"net", options}}, ops, replicas);
  training.run(0, 6);
  return training.values();
}

TEST(Groups, MoveTheirParametersByTheirOwnRate) {
  const auto sgd = optimizers::sgd({.lr = 0.1});
  const auto still = trained(two_layers(sgd, {{.match = {"0"}, .lr_factor = 0}}));
  NetworkTraining start({{"net", two_layers(sgd)}}, kOps);
  EXPECT_TRUE(still[0].equal(start.values()[0]));
  EXPECT_TRUE(still[1].equal(start.values()[1]));
  EXPECT_FALSE(still[2].equal(start.values()[2]));
}

TEST(Groups, FrozenParametersAreAsIfFrozenByAnEdit) {
  ModelOptions edited = two_layers(optimizers::adamw());
  LayerEdit freeze;
  freeze.freeze = "0";
  edited.edits = {freeze};
  const ModelOptions grouped =
      two_layers(optimizers::adamw(), {{.match = {"0.*"}, .frozen = true}});
  expect_equal(trained(grouped), trained(edited));
}

TEST(Groups, ThawInTime) {
  const ModelOptions options = two_layers(optimizers::sgd({.lr = 0.1}),
                                          {{.match = {"*"}, .frozen = true, .until = steps(3)}});
  for (const int64_t replicas : {1, 2}) {
    NetworkTraining training({{"net", options}}, kOps, replicas);
    const auto start = training.values();
    training.run(0, 3);
    EXPECT_EQ(training.step(), 3);
    expect_equal(training.values(), start);
    training.run(3, 4);
    EXPECT_FALSE(training.values()[0].equal(start[0]));
  }
}

TEST(Groups, ReplicasTakeTheStepsOfOneNetwork) {
  const ModelOptions options =
      two_layers(optimizers::adamw({.lr = 0.01, .eps = 1e-4}),
                 {{.match = {"*.bias"}, .lr_factor = 0.3, .weight_decay = 0},
                  {.match = {"0.weight"}, .frozen = true, .from = steps(2), .until = steps(4)}});
  expect_near(trained(options, 2), trained(options, 1), 1e-5);
}

TEST(Groups, DecayOfWeightsLeavesBiasesAlone) {
  ModelOptions options = two_layers(optimizers::adamw({.lr = 0.01, .weight_decay = 0.5}));
  options.decay = "weights";
  const ModelOptions listed = two_layers(optimizers::adamw({.lr = 0.01, .weight_decay = 0.5}),
                                         {{.match = {"*.bias"}, .weight_decay = 0}});
  expect_equal(trained(options), trained(listed));
  EXPECT_FALSE(trained(options)[1].equal(
      trained(two_layers(optimizers::adamw({.lr = 0.01, .weight_decay = 0.5})))[1]));
}

TEST(Groups, SayTheirRatesWhenTheyDiffer) {
  const ModelOptions options = two_layers(
      optimizers::sgd({.lr = 0.1}), {{.match = {"0"}, .name = "stem", .lr_factor = 0.5},
                                     {.match = {"1.bias"}, .weight_decay = 0},
                                     {.match = {"1.weight"}, .lr_factor = 2, .from = steps(5)}});
  NetworkTraining training({{"net", options}}, kOps);
  const auto& optimizers = training.network().models().find("net").optimizers();
  using Rates = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(optimizers.learning_rates({0, 0, {10, 10, 1}}),
            (Rates{{"net", 0.1}, {"net/stem", 0.05}}));
  EXPECT_EQ(optimizers.learning_rates({5, 0, {10, 10, 1}}),
            (Rates{{"net", 0.1}, {"net/stem", 0.05}, {"net/2", 0.2}}));
}

TEST(SeveralOptimizers, EachMovesItsOwnParameters) {
  ModelOptions options =
      two_layers(optimizers::sgd({.lr = 0.1}), {{.match = {"1"}, .optimizer = "head"}});
  options.optimizers = {{"head", optimizers::sgd({.lr = 0.05})}};
  expect_equal(trained(options), trained(two_layers(optimizers::sgd({.lr = 0.1}),
                                                    {{.match = {"1"}, .lr_factor = 0.5}})));
  const std::vector<std::string> clipped = {kOps[0], kOps[1], "update: {clip_norm: 0.1}"};
  expect_near(trained(options, 2, clipped), trained(options, 1, clipped), 1e-5);
  const auto body = trained(options, 1, {kOps[0], kOps[1], "update: {optimizer: head}"});
  NetworkTraining start({{"net", options}}, kOps);
  EXPECT_TRUE(body[0].equal(start.values()[0]));
  EXPECT_FALSE(body[2].equal(start.values()[2]));
}

TEST(SeveralOptimizers, KeepTheirStatesAndAverages) {
  ModelOptions options = two_layers(optimizers::sgd({.lr = 0.1, .momentum = 0.9}),
                                    {{.match = {"1"}, .optimizer = "head"}});
  options.optimizers = {{"head", optimizers::adamw({.lr = 0.01})}};
  options.average = 0.9;
  NetworkTraining whole({{"net", options}}, kOps);
  whole.run(0, 3);
  NetworkTraining resumed({{"net", options}}, kOps);
  resumed.restore(whole.state(), whole.step());
  whole.run(3, 6);
  resumed.run(3, 6);
  expect_equal(resumed.values(), whole.values());
  Model& model = whole.network().models().find("net");
  const at::Tensor average = model.weights().tensor("model/1.weight");
  EXPECT_FALSE(average.equal(whole.values()[2]));
}

// Convolutions whose weights are packed from step to step, in the windows of their groups too.
TEST(Groups, FrozenConvolutionsArePackedAndUnpackedInTime) {
  ModelOptions options;
  options.build = layers::sequential({{layers::conv2d({.out_channels = 32, .padding = 1}),
                                       layers::conv2d({.out_channels = 32, .padding = 1}),
                                       layers::flatten(), layers::linear({.out_features = 3})}});
  options.optimizer = optimizers::sgd({.lr = 0.01, .momentum = 0.9});
  options.groups = {{.match = {"1"}, .frozen = true, .from = steps(1), .until = steps(3)}};
  const std::vector<std::string> parts = {kOps[0], kOps[1], "backward: {}", "clip_norm: {at: 1}",
                                          "step: {}"};
  const auto values = [&](Kernels kernels, const std::vector<std::string>& ops) {
    NetworkTraining training({{"net", options}}, ops, 1, {"loss"}, kernels, {32, 6, 6});
    EXPECT_TRUE(training.packing_obstacles().empty());
    training.run(0, 5);
    return training.values();
  };
  expect_near(values(Kernels::kFast, kOps), values(Kernels::kPlain, kOps), 1e-4);
  expect_near(values(Kernels::kFast, parts), values(Kernels::kPlain, parts), 1e-4);
}

struct RateOptions {
  double lr = 0.1;
  static const Schema<RateOptions>& schema() {
    static const auto fields = Schema<RateOptions>().field(&RateOptions::lr, "lr", "Rate.");
    return fields;
  }
};

// Knows no decay.
class RateOptimizer : public Optimizer {
 public:
  using Options = RateOptions;
  explicit RateOptimizer(RateOptions options) : Optimizer(options.lr, {}) {}

 private:
  void update(const at::Tensor& parameter, OptimizerMemory::Entry&,
              const ParameterStep& step) const override {
    parameter.add_(parameter.grad(), -step.lr);
  }
};

std::string fault_of(const ModelOptions& options) {
  return message_of<Error>([&] { NetworkTraining training({{"net", options}}, kOps); });
}

TEST(GroupFaults, NameAnOptimizerWithoutDecay) {
  registry<Optimizer>().add<RateOptimizer>("rate", "Knows no decay.");
  const Choice<Optimizer> rate = choose<Optimizer>("rate", RateOptions());
  EXPECT_NE(
      fault_of(two_layers(rate, {{.match = {"0"}, .weight_decay = 0}}))
          .find("The group sets weight_decay, which the optimizer 'rate' does not have. Leave "
                "it out, or use one that has it, such as adamw."),
      std::string::npos);
}

TEST(GroupFaults, SayWhatDoesNotFit) {
  const auto sgd = optimizers::sgd();
  EXPECT_EQ(fault_of(two_layers(sgd, {{.match = {"0.weihgt"}}})),
            "test.yaml:1:7: in mode train: network[0] call match: no parameter of 'net' is called "
            "'0.weihgt'. Did you mean "
            "'0.weight'?");
  EXPECT_EQ(fault_of(two_layers(sgd, {{.match = {"*"}}, {.match = {"0"}}})),
            "test.yaml:1:7: in mode train: network[0] call match: all parameters of 'net' that it "
            "names are in groups before it, "
            "and the first group counts. Move it up, or leave it out.");
  ModelOptions options = two_layers(sgd, {{.match = {"0"}, .optimizer = "hed"}});
  options.optimizers = {{"head", sgd}};
  EXPECT_EQ(fault_of(options),
            "the model 'net' has no optimizer 'hed' in `optimizers`. Did you mean 'head'?");
  options.groups[0].optimizer = "head";
  options.groups[0].match = {"*"};
  EXPECT_EQ(fault_of(options),
            "test.yaml:1:7: in mode train: network[0] call no parameter of the model 'net' is left "
            "for its optimizer. Name it in "
            "a group, or leave it out.");
  options.groups[0].match = {"0"};
  options.optimizer.reset();
  EXPECT_EQ(fault_of(options),
            "test.yaml:1:7: in mode train: network[0] call no optimizer moves the parameter "
            "'1.weight' of the model 'net'. Give "
            "the model an `optimizer`, for all that no group names another for.");
}

}  // namespace
}  // namespace hearth
