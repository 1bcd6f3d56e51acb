// Steps of several batches: all that a loss counts counts the same, whatever batch it came in.
#include <gtest/gtest.h>

#include <ATen/ops/allclose.h>

#include "hearth/network/network.h"
#include "hearth/network/ops/backward.h"
#include "hearth/network/ops/losses/fcos_loss.h"
#include "hearth/network/ops/mse_loss.h"
#include "hearth/network/ops/step.h"
#include "hearth/nn/layers/convolution/conv1d.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/divergence_fixture_test.h"

namespace hearth {
namespace {

struct Sizes {
  int64_t samples = 0;
  int64_t batch = 0;
  int64_t accumulate = 1;
  std::string last_batch = "keep";
  bool by_keys = false;  // backward and step in the place of update
  int64_t replicas = 1;
};

// Samples of five places, of which some do not count, or count more.
Choice<Source> places(int64_t samples) {
  return sources::synthetic({.size = samples,
                             .keys = {{"image", {.shape = {6, 5}}},
                                      {"truth", {.shape = {3, 5}}},
                                      {"kinds", {.dtype = "int64", .shape = {5}, .classes = 3}},
                                      {"shown", {.dtype = "bool", .shape = {5}}},
                                      {"kept", {.dtype = "bool"}},
                                      {"sides", {.shape = {3, 4}}},
                                      {"centers", {.shape = {3, 1}}},
                                      {"points", {.shape = {3, 3}}},
                                      {"boxes", {.shape = {2, 4}}},
                                      {"box_kinds", {.dtype = "int64", .shape = {2}, .classes = 5}},
                                      {"importance", {.dtype = "uint8"}}}});
}

// A bound on gradients would hide a factor, so that only one of them has it.
struct Trial {
  Choice<NetworkOp> loss;
  double lr = 0.05;
  double clip_norm = 0;
};

std::vector<NamedTensor> trained_with(const Sizes& sizes, const Trial& trial) {
  ExperimentOptions options = spoilt_experiment({.step = 9999});
  options.data.train = places(sizes.samples);
  options.models["net"].build = layers::conv1d({.out_channels = 3, .kernel_size = 1});
  options.network[1] = trial.loss;
  options.metrics.clear();
  options.data.batch_size = sizes.batch;
  options.data.shuffle = false;
  options.data.last_batch = sizes.last_batch;
  options.models["net"].optimizer = optimizers::sgd({.lr = trial.lr, .momentum = 0.9});
  options.network[3] = network_ops::update(
      {.loss = "spoilt", .accumulate = sizes.accumulate, .clip_norm = trial.clip_norm});
  if (sizes.by_keys) {
    options.network[3] = network_ops::backward({.model = {"net"}, .loss = "spoilt"});
    options.network.push_back(
        network_ops::step({.accumulate = sizes.accumulate, .clip_norm = trial.clip_norm}));
  }
  options.replicas = sizes.replicas;
  options.train.epochs = 4;
  options.train.warm_up = false;
  options.threads = 1;
  Estimator estimator(options, {.keeps_run = false});
  EXPECT_EQ(estimator.fit().steps, 4);
  std::vector<NamedTensor> weights;
  for (const auto& [name, tensor] : estimator.network().models().find("net").weights().tensors)
    weights.emplace_back(name, tensor.clone());
  return weights;
}

void expect_equal(const Sizes& many, const Sizes& one, const Trial& trial) {
  const auto left = trained_with(many, trial);
  const auto right = trained_with(one, trial);
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i)
    EXPECT_TRUE(at::allclose(left[i].second, right[i].second, 1e-6, 1e-6)) << left[i].first;
}

// Three points with scores of five classes. Most have no box; in some batches none has, whose loss
// is there all the same.
Choice<NetworkOp> box_loss(double radius) {
  return network_ops::fcos_loss({.in = {"logits", "sides", "centers", "points"},
                                 .boxes = "boxes",
                                 .labels = "box_kinds",
                                 .out = {"loss", "box_loss", "center_loss"},
                                 .radius = radius});
}

// Each of them is the mean, or the sum, of something else than as many samples.
std::map<std::string, Trial> trials() {
  const std::vector<std::string> numbers = {"logits", "truth"};
  const std::vector<std::string> classes = {"logits", "kinds"};
  using network_ops::cross_entropy;
  using network_ops::mse_loss;
  return {{"plain", {mse_loss({.in = numbers})}},
          {"clipped", {mse_loss({.in = numbers}), 0.05, 0.5}},
          {"ignored", {cross_entropy({.in = classes, .ignore = 1})}},
          {"weighted classes", {cross_entropy({.in = classes, .class_weights = {1, 0, 4}})}},
          {"weighted samples", {mse_loss({.in = numbers, .weight = "importance"})}},
          {"masked places", {mse_loss({.in = numbers, .mask = "shown"})}},
          {"masked samples", {cross_entropy({.in = classes, .mask = "kept"})}},
          {"few boxes", {box_loss(1.5), 1e-3}},
          {"no boxes", {box_loss(1e-9), 1e-4}},
          {"sum", {mse_loss({.in = numbers, .mask = "kept", .reduction = "sum"}), 1e-4}}};
}

TEST(Accumulation, FourBatchesOf32AreOneOf128) {
  for (const auto& [name, trial] : trials()) {
    SCOPED_TRACE(name);
    expect_equal({.samples = 128, .batch = 32, .accumulate = 4}, {.samples = 128, .batch = 128},
                 trial);
  }
}

TEST(Accumulation, CountsWhatLossesCountWhereBatchesAreNotFull) {
  for (const auto& [name, trial] : trials())
    for (const std::string last_batch : {"keep", "pad"})
      for (const bool by_keys : {false, true}) {
        SCOPED_TRACE(name + ", " + last_batch + (by_keys ? ", by keys" : ""));
        expect_equal({.samples = 101,
                      .batch = 32,
                      .accumulate = 4,
                      .last_batch = last_batch,
                      .by_keys = by_keys},
                     {.samples = 101, .batch = 128}, trial);
      }
}

// Whose parts of a batch count as differently as batches do.
TEST(Accumulation, IsSharedByReplicas) {
  for (const auto& [name, trial] : trials())
    for (const int64_t accumulate : {1, 4})
      for (const bool by_keys : {false, true}) {
        SCOPED_TRACE(name + ", " + std::to_string(accumulate) + (by_keys ? ", by keys" : ""));
        if (accumulate > 1 && by_keys) continue;  // each by itself is enough
        expect_equal({.samples = 101,
                      .batch = 128 / accumulate,
                      .accumulate = accumulate,
                      .by_keys = by_keys,
                      .replicas = 2},
                     {.samples = 101, .batch = 128}, trial);
      }
}

}  // namespace
}  // namespace hearth
