// Profiles of a small training: rows, sums, and that nothing of it stays.
#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/data/sources/synthetic.h"
#include "hearth/kernels/kernels.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/network/network_op.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/update.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/adamw.h"
#include "hearth/train/check_report.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

ExperimentOptions profiled_experiment() {
  ExperimentOptions options;
  options.data.train = sources::synthetic({.size = 20, .shape = {1, 4, 4}, .classes = 3});
  options.data.batch_size = 8;
  options.model = layers::sequential({{layers::flatten(), layers::linear({.out_features = 8}),
                                       layers::relu(), layers::dropout({0.2}), layers::linear()}});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::adamw({.lr = 0.01});
  options.metrics = {metrics::accuracy()};
  options.train.epochs = 2;
  return options;
}

std::vector<std::string> row_names(const ProfileReport& report) {
  std::vector<std::string> names;
  for (const ProfileRow& row : report.rows) names.push_back(row.name);
  return names;
}

const ProfileRow& row_named(const ProfileReport& report, const std::string& name) {
  for (const ProfileRow& row : report.rows)
    if (row.name == name) return row;
  throw std::out_of_range(name);
}

TEST(Profile, HasARowForEverythingAStepDoes) {
  Estimator estimator(profiled_experiment(), {.keeps_run = false});
  const ProfileReport report = estimator.profile(7);
  EXPECT_THAT(row_names(report),
              testing::UnorderedElementsAre("net", "net.0", "net.1", "net.2", "net.3", "net.4",
                                            "network[0] call", "network[1] cross_entropy",
                                            "optimizer (network[3] update)", "autograd",
                                            "waiting for data", "the rest"));
  EXPECT_EQ(report.steps, 7);
  EXPECT_GT(row_named(report, "net.1").backward_seconds, 0);
  EXPECT_GT(row_named(report, "network[1] cross_entropy").backward_seconds, 0);
  EXPECT_TRUE(row_named(report, "net.2").is_fused);
  EXPECT_EQ(row_named(report, "net.2").seconds(), 0);
}

TEST(Profile, SumsToTheStepAndSortsByTime) {
  Estimator estimator(profiled_experiment(), {.keeps_run = false});
  const ProfileReport report = estimator.profile(5);
  double seconds = 0;
  double share = 0;
  for (const ProfileRow& row : report.rows) {
    EXPECT_GE(row.seconds(), 0) << row.name;
    seconds += row.seconds();
    share += row.share;
  }
  EXPECT_NEAR(seconds, report.step_seconds, report.step_seconds * 1e-6);
  EXPECT_NEAR(share, 1, 1e-6);
  EXPECT_TRUE(std::is_sorted(
      report.rows.begin(), report.rows.end(),
      [](const auto& left, const auto& right) { return left.seconds() > right.seconds(); }));
}

TEST(Profile, LeavesTheTrainingAsItWas) {
  Estimator plain(profiled_experiment(), {.keeps_run = false});
  (void)plain.fit();
  Estimator profiled(profiled_experiment(), {.keeps_run = false});
  const std::string before = profiled.state_digest();
  (void)profiled.profile(11);
  EXPECT_EQ(profiled.state_digest(), before);
  const Report report = profiled.fit();
  EXPECT_EQ(profiled.state_digest(), plain.state_digest());
  EXPECT_EQ(report.steps, 6);
  (void)profiled.profile(2);
  EXPECT_EQ(profiled.state_digest(), plain.state_digest());
  EXPECT_FALSE(at::hasCallbacks());
}

TEST(Profile, CountsAStepOfSeveralBatchesAsOne) {
  ExperimentOptions options = profiled_experiment();
  options.models = {{"net", {.build = *options.model, .optimizer = options.optimizer}}};
  options.network = {network_ops::call(), network_ops::cross_entropy(),
                     network_ops::update({.accumulate = 2})};
  options.model = {};
  options.loss = {};
  options.optimizer = {};
  options.data.train = sources::synthetic({.size = 16, .shape = {1, 4, 4}, .classes = 3});
  Estimator estimator(options, {.keeps_run = false});
  const ProfileReport report = estimator.profile(3);
  EXPECT_EQ(report.steps, 3);
  EXPECT_EQ(report.samples_per_step, 16);
}

// Looks at nothing, but does not say so.
struct SecretiveOptions {
  static const Schema<SecretiveOptions>& schema() {
    static const Schema<SecretiveOptions> fields;
    return fields;
  }
};
class SecretiveOp : public NetworkOp {
 public:
  using Options = SecretiveOptions;
  explicit SecretiveOp(const SecretiveOptions&) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {"loss"}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {"whole"}; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override { return inputs; }
  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = inputs[0];
  }
};

TEST(Profile, SaysWhyWeightsAreNotPacked) {
  if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  registry<NetworkOp>().add<SecretiveOp>("secretive", "Says nothing.");
  ExperimentOptions options = profiled_experiment();
  options.data.train = sources::synthetic({.size = 16, .shape = {16, 4, 4}, .classes = 3});
  options.models = {{"net",
                     {.build = layers::sequential({{layers::conv2d({.out_channels = 16}),
                                                    layers::flatten(), layers::linear()}}),
                      .optimizer = options.optimizer}}};
  options.network = {network_ops::call(), network_ops::cross_entropy(),
                     choose<NetworkOp>("secretive", SecretiveOptions()),
                     network_ops::update({.loss = "whole"})};
  options.model = {};
  options.loss = {};
  options.optimizer = {};
  Estimator estimator(options, {.keeps_run = false});
  EXPECT_THAT(
      estimator.profile(1).notes,
      testing::ElementsAre("weights of 'net' are not kept packed: network[2] secretive may look at "
                           "parameters. If it does not, let its looks_at_parameters() say so."));
  EXPECT_THAT(check_experiment(options).text(), testing::HasSubstr("note: weights of 'net'"));
  options.network = {network_ops::call(), network_ops::cross_entropy(), network_ops::update()};
  EXPECT_TRUE(Estimator(options, {.keeps_run = false}).profile(1).notes.empty());
}

TEST(Check, WarnsOfWhatLayersGiveBeyondTheMachinesMemory) {
  constexpr int64_t kBatch = 1'000'000;
  constexpr int64_t kWidth = 300'000;
  ExperimentOptions options = profiled_experiment();
  options.data.train = sources::synthetic({.size = kBatch, .shape = {1, 4, 4}, .classes = 3});
  options.data.batch_size = kBatch;
  options.models = {
      {"net",
       {.build = layers::sequential({{layers::flatten(), layers::linear({.out_features = kWidth}),
                                      layers::relu(), layers::linear()}}),
        .optimizer = options.optimizer}}};
  options.network = {network_ops::call(), network_ops::cross_entropy(), network_ops::update()};
  options.model = {};
  options.loss = {};
  options.optimizer = {};
  const CheckReport report = check_experiment(options);
  EXPECT_EQ(report.activation_bytes, uint64_t{kBatch} * (16 + 2 * kWidth + 3) * sizeof(float));
  EXPECT_EQ(report.to_json().at("activation_bytes"), report.activation_bytes);
  EXPECT_THAT(report.warnings, testing::Contains(testing::HasSubstr(
                                   "and what layers give in a step, but this machine has")));
}

TEST(Profile, EndsEarlyWhenInterrupted) {
  const std::atomic<bool> interrupt{true};
  Estimator estimator(profiled_experiment(), {.interrupt = &interrupt, .keeps_run = false});
  EXPECT_EQ(estimator.profile(1000).samples_per_step, 0);
}

}  // namespace
}  // namespace hearth
