// Statistics of batch norms that are measured anew, for weights that no step has made.
#include <ATen/ops/allclose.h>
#include <ATen/ops/stack.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/network/network.h"
#include "hearth/network/ops/follow.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm1d.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/train/code_traces.h"
#include "hearth/train/divergence_fixture_test.h"
#include "hearth/train/traces/recalibrate.h"

namespace hearth {
namespace {

// A model and its mean, which is called in evaluation only. The statistics are of a layer in its
// middle, so that they hang on its weights.
ExperimentOptions averaged(const std::string& folder) {
  ExperimentOptions options = spoilt_experiment({.step = 99999});
  options.folder += folder;
  std::filesystem::remove_all(options.folder);
  options.data.train = sources::synthetic({.size = 45, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = sources::synthetic({.size = 16, .shape = {1, 4, 4}, .classes = 3, .seed = 1});
  options.models["net"].build =
      layers::sequential({.layers = {layers::flatten(), layers::linear({.out_features = 5}),
                                     layers::batch_norm1d(), layers::linear()}});
  options.models["mean"].build = options.models["net"].build;
  options.models["mean"].trainable = false;
  options.network.push_back(network_ops::follow({.model = "mean", .mean = true}));
  options.network.push_back({"call", Node::map()
                                         .set("model", Node::scalar("mean"))
                                         .set("in", Node::scalar("image"))
                                         .set("out", Node::scalar("advice"))
                                         .set("when", Node::scalar("eval"))});
  Node measured = metrics::accuracy({.in = {"advice", "label"}, .out = "mean"}).options();
  options.metrics.push_back({"accuracy", measured.set("when", Node::scalar("eval"))});
  options.train.traces = {traces::recalibrate({.model = "mean"})};
  return options;
}

std::map<std::string, at::Tensor> tensors_of(Estimator& estimator, const std::string& model) {
  std::map<std::string, at::Tensor> found;
  const Layer& layer = estimator.network().models().find(model).layer();
  for (const auto& [name, tensor] : layer.parameters()) found[name] = tensor.detach().clone();
  for (const auto& [name, tensor] : layer.buffers()) found[name] = tensor.clone();
  return found;
}

TEST(Recalibrate, FindsTheMeanOfTheBatchesStatistics) {
  ExperimentOptions options = averaged("/statistics");
  std::vector<at::Tensor> batches;
  const auto keep = [&](const Happening& happening, RunControl&) {
    if (happening.moment.epoch == 1) batches.push_back(happening.values[0].clone());
  };
  options.train.traces.push_back(traces::lambda(
      "keep_batches", {.on = {{Occasion::kBatchEnd}}, .reads = {"image"}, .call = keep}));
  Estimator estimator(options, {.keeps_run = false});
  (void)estimator.fit();
  ASSERT_EQ(batches.size(), 6U);  // the last of five samples
  const auto mean = tensors_of(estimator, "mean");
  std::vector<at::Tensor> means;
  std::vector<at::Tensor> variances;
  for (const at::Tensor& batch : batches) {
    const at::Tensor made = batch.flatten(1).matmul(mean.at("1.weight").t()).add(mean.at("1.bias"));
    means.push_back(made.mean(0));
    variances.push_back(made.var(0));
  }
  EXPECT_TRUE(at::allclose(mean.at("2.running_mean"), at::stack(means).mean(0), 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(mean.at("2.running_var"), at::stack(variances).mean(0), 1e-5, 1e-6));
}

TEST(Recalibrate, LeavesTheTrainingAsItIs) {
  ExperimentOptions options = averaged("/alone");
  Estimator with(options, {.keeps_run = false});
  (void)with.fit();
  options.train.traces.clear();
  Estimator without(options, {.keeps_run = false});
  (void)without.fit();
  const auto left = tensors_of(with, "net");
  const auto right = tensors_of(without, "net");
  for (const auto& [name, tensor] : left) EXPECT_TRUE(tensor.equal(right.at(name))) << name;
  EXPECT_FALSE(tensors_of(with, "mean")
                   .at("2.running_mean")
                   .equal(tensors_of(without, "mean").at("2.running_mean")));
}

// A signal in the pass, or in the evaluation after it: a resume does both again.
TEST(Recalibrate, IsDoneAgainAfterAnInterruption) {
  for (const bool is_before : {true, false}) {
    ExperimentOptions options = averaged("/interrupted");
    std::atomic<bool> interrupt = false;
    int64_t evaluations = 0;
    const Choice<Trace> interrupting = traces::lambda(
        "interrupting",
        {.on = {{Occasion::kEvaluationBegin, Mode::kEval}},
         .call = [&](const Happening&, RunControl&) { interrupt = ++evaluations == 1; }});
    std::vector<Choice<Trace>>& traces = options.train.traces;
    traces.insert(is_before ? traces.begin() : traces.end(), interrupting);
    const Report report = Estimator(options, {.interrupt = &interrupt}).fit();
    ASSERT_TRUE(report.was_interrupted);
    interrupt = false;
    Estimator resumed = Estimator::resume(report.run_folder, {.interrupt = &interrupt});
    EXPECT_FALSE(resumed.fit().was_interrupted);
    Estimator whole(options, {.keeps_run = false});
    (void)whole.fit();
    EXPECT_EQ(resumed.state_digest(), whole.state_digest());
  }
}

TEST(Recalibrate, MeasuresAveragesWhereAModelHasThem) {
  ExperimentOptions options = averaged("/ema");
  options.models["net"].average = 0.9;
  options.train.traces = {traces::recalibrate({.model = "net", .batches = 2})};
  Estimator estimator(options, {.keeps_run = false});
  (void)estimator.fit();
  const auto net = tensors_of(estimator, "net");
  EXPECT_EQ(net.at("2.num_batches_tracked").item<int64_t>(), 2);
}

TEST(Recalibrate, SaysWhenThereIsNothingToMeasure) {
  ExperimentOptions options = averaged("/none");
  for (const char* model : {"net", "mean"}) options.models[model].build = layers::mlp();
  std::string notices;
  Estimator estimator(options, {.on_notice = [&](const std::string& text) { notices += text; },
                                .keeps_run = false});
  (void)estimator.fit();
  EXPECT_THAT(notices, testing::HasSubstr("no batch norms"));
}

}  // namespace
}  // namespace hearth
