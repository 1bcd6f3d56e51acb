// Steps of several batches: every sample counts the same, whatever batch it came in.
#include <gtest/gtest.h>

#include <ATen/ops/allclose.h>

#include "hearth/network/network.h"
#include "hearth/network/ops/backward.h"
#include "hearth/network/ops/step.h"
#include "hearth/nn/layers/linear.h"
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

std::vector<NamedTensor> trained_with(const Sizes& sizes) {
  ExperimentOptions options = spoilt_experiment({.step = 9999});
  options.data.train =
      sources::synthetic({.size = sizes.samples, .shape = {1, 4, 4}, .classes = 3});
  options.data.batch_size = sizes.batch;
  options.data.shuffle = false;
  options.data.last_batch = sizes.last_batch;
  options.models["net"].optimizer = optimizers::sgd({.lr = 0.5, .momentum = 0.9});
  options.network[3] =
      network_ops::update({.loss = "spoilt", .accumulate = sizes.accumulate, .clip_norm = 0.5});
  if (sizes.by_keys) {
    options.network[3] = network_ops::backward({.model = {"net"}, .loss = "spoilt"});
    options.network.push_back(
        network_ops::step({.accumulate = sizes.accumulate, .clip_norm = 0.5}));
  }
  options.replicas = sizes.replicas;
  options.train.epochs = 8;
  Estimator estimator(options, {.keeps_run = false});
  EXPECT_EQ(estimator.fit().steps, 8);
  std::vector<NamedTensor> weights;
  for (const auto& [name, tensor] : estimator.network().models().find("net").weights().tensors)
    weights.emplace_back(name, tensor.clone());
  return weights;
}

void expect_equal(const Sizes& many, const Sizes& one) {
  const auto left = trained_with(many);
  const auto right = trained_with(one);
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i)
    EXPECT_TRUE(at::allclose(left[i].second, right[i].second, 1e-6, 1e-6)) << left[i].first;
}

TEST(Accumulation, FourBatchesOf32AreOneOf128) {
  expect_equal({.samples = 128, .batch = 32, .accumulate = 4}, {.samples = 128, .batch = 128});
}

TEST(Accumulation, CountsSamplesWhereBatchesAreNotFull) {
  for (const std::string last_batch : {"keep", "pad"})
    for (const bool by_keys : {false, true})
      expect_equal({.samples = 101,
                    .batch = 32,
                    .accumulate = 4,
                    .last_batch = last_batch,
                    .by_keys = by_keys},
                   {.samples = 101, .batch = 128});
}

TEST(Accumulation, IsSharedByReplicas) {
  expect_equal({.samples = 101, .batch = 32, .accumulate = 4, .replicas = 2},
               {.samples = 101, .batch = 128});
}

}  // namespace
}  // namespace hearth
