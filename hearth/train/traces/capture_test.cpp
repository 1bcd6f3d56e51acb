// What layers give is logged as it is, in the steps that are asked for, and changes no bits.
#include "hearth/train/traces/capture.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/core/log_reader.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv1d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/shape/permute.h"
#include "hearth/train/estimator.h"
#include "hearth/train/layer_outputs.h"
#include "hearth/train/tensor_statistics.h"
#include "hearth/train/trace_fixture_test.h"

namespace hearth {
namespace {

ExperimentOptions captured_experiment(std::vector<Choice<Trace>> added) {
  ExperimentOptions options = heard_experiment({});
  options.folder = (fs::path(testing::TempDir()) / "capture_runs").string();
  options.train.traces = std::move(added);
  return options;
}

TEST(Capture, LogsWhatLayersGiveInTheStepsThatAreAskedFor) {
  Estimator estimator(captured_experiment(
      {traces::capture({.layers = {"1"}, .what = {"mean", "std", "histogram", "dead"}, .bins = 4})
           .every(steps(2))}));
  const Report report = estimator.fit();
  int64_t found = 0;
  for (const Event& event : read_run_log(fs::path(report.run_folder) / "log.jsonl")) {
    if (event.kind != "capture") continue;
    ++found;
    EXPECT_EQ(event.step % 2, 1) << event.step;  // the first, the third, ...
    const std::map<std::string, double> values(event.values.begin(), event.values.end());
    EXPECT_EQ(values.size(), 3U);
    EXPECT_GT(values.at("net.1/std"), 0);
    EXPECT_EQ(values.at("net.1/dead"), 0);
    EXPECT_EQ(event.details.at("net.1").at("counts").size(), 4U);
  }
  EXPECT_EQ(found, (report.steps + 1) / 2);
}

// One of four features is dead, and none of the three places.
TEST(Capture, CountsDeadFeaturesOfSequences) {
  at::Tensor value = at::ones({2, 3, 4});
  value.select(2, 1).zero_();
  const std::vector<NamedTensor> tensors = {{"net.1", value}};
  const std::vector<std::string> what = {"dead"};
  EXPECT_EQ(statistics_of(tensors, what).front().second, 0.25);
  EXPECT_EQ(statistics_of(tensors, what, {"net.1"}).front().second, 0);
}

TEST(Capture, KnowsWhichSequencesHaveChannelsFirst) {
  const auto net =
      built(layers::sequential({{layers::conv1d({.out_channels = 3, .kernel_size = 1}),
                                 layers::relu(), layers::permute(), layers::relu(),
                                 layers::linear({.out_features = 2}), layers::relu()}}),
            float_spec({4, 5}));
  EXPECT_EQ(channels_first_paths(net->matching("*")), (std::set<std::string>{"net.0", "net.1"}));
}

TEST(Capture, ChangesNoBits) {
  const auto digest = [](std::vector<Choice<Trace>> added) {
    Estimator estimator(captured_experiment(std::move(added)), {.keeps_run = false});
    (void)estimator.fit();
    return estimator.state_digest();
  };
  EXPECT_EQ(digest({}), digest({traces::capture({.layers = {"*"}})}));
}

TEST(Capture, IsRefusedBeforeTrainingWhereBatchesAreCutIntoParts) {
  for (const bool has_shards : {false, true}) {
    ExperimentOptions options = captured_experiment({traces::capture({.layers = {"1"}})});
    if (has_shards) options.shards = 2;
    if (!has_shards) options.replicas = 2;
    EXPECT_THAT(message_of<GraphError>([&] { Estimator estimator(options); }),
                testing::HasSubstr("capture listens to '1', but replicas and shards cut every "
                                   "batch into parts, and it would hear of one of them only. Use "
                                   "replicas: 1 and no shards, or `when: eval`."));
    options.train.traces = {traces::capture({.layers = {"1"}}).when(Mode::kEval)};
    EXPECT_NO_THROW((void)Estimator(options, {.keeps_run = false}).fit());
  }
}

}  // namespace
}  // namespace hearth
