// Models that follow another: a teacher that is its pupil's average, the mean of the last epochs
// with statistics of its own, and a frozen one.
#include <ATen/ops/allclose.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/network/network.h"
#include "hearth/network/ops/follow.h"
#include "hearth/nn/layers/composition/recompute.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/train/divergence_fixture_test.h"

namespace hearth {
namespace {

using testing::HasSubstr;

Choice<Layer> small_block() {
  return layers::sequential(
      {.layers = {layers::batch_norm2d(), layers::flatten(), layers::linear({.out_features = 6}),
                  layers::dropout({.p = 0.5})}});
}

// A pupil, and a teacher that nothing else moves; frozen, it would not renew its statistics.
ExperimentOptions taught(const network_ops::FollowOptions& follow) {
  ExperimentOptions options = spoilt_experiment({.step = 99999});
  options.models["net"].build = layers::sequential({.layers = {small_block(), layers::linear()}});
  options.models["teacher"].build = options.models["net"].build;
  options.network.push_back(
      network_ops::call({.model = "teacher", .in = {"image"}, .out = {"advice"}}));
  options.network.push_back(network_ops::follow(follow));
  return options;
}

std::vector<at::Tensor> parameters_of(Estimator& estimator, const std::string& model) {
  std::vector<at::Tensor> found;
  for (const auto& [name, tensor] : estimator.network().models().find(model).layer().parameters())
    found.push_back(tensor.detach().clone());
  return found;
}

TEST(Follow, TheMeanIsThatOfWhatItSaw) {
  Estimator estimator(taught({.model = "teacher", .mean = true, .after = {"advice"}}),
                      {.keeps_run = false});
  std::vector<at::Tensor> sums;
  for (int64_t step = 1; step <= 4; ++step) {
    (void)estimator.step();
    const std::vector<at::Tensor> now = parameters_of(estimator, "net");
    for (size_t i = 0; i < now.size(); ++i)
      step == 1 ? sums.push_back(now[i].clone()) : (void)sums[i].add_(now[i]);
    const std::vector<at::Tensor> teacher = parameters_of(estimator, "teacher");
    for (size_t i = 0; i < now.size(); ++i)
      EXPECT_TRUE(at::allclose(teacher[i], sums[i].div(step), 1e-5, 1e-6)) << step << " " << i;
  }
  // Called in training, it has statistics of batch norms of its own.
  const auto buffers = estimator.network().models().find("teacher").layer().buffers();
  ASSERT_FALSE(buffers.empty());
  EXPECT_GT(buffers[0].second.abs().sum().item<double>(), 0);
}

TEST(Follow, IsPartOfTheCheckpoint) {
  ExperimentOptions options = taught({.model = "teacher", .decay = 0.9, .after = {"advice"}});
  options.folder += "/follow";
  std::filesystem::remove_all(options.folder);
  options.train.checkpoint.every = steps(2);
  Estimator whole(options);
  (void)whole.fit();
  const std::string run = Estimator(options).step(5).run_folder;
  Estimator resumed = Estimator::resume(run);
  (void)resumed.fit();
  EXPECT_EQ(resumed.state_digest(), whole.state_digest());
}

TEST(Follow, SaysWhatDoesNotFit) {
  const auto message = [](const ExperimentOptions& options) {
    return message_of<Error>([&] { (void)Estimator(options, {.keeps_run = false}).fit(); });
  };
  EXPECT_THAT(message(taught({.model = "net", .after = {"advice"}})), HasSubstr("follow itself"));
  EXPECT_THAT(message(taught({.model = "techer", .after = {"advice"}})), HasSubstr("'teacher'"));
  ExperimentOptions other = taught({.model = "teacher", .after = {"advice"}});
  other.models["teacher"].build = layers::mlp({.hidden = {4}});
  EXPECT_THAT(message(other), HasSubstr("Build both alike"));
}

TEST(Recompute, GivesTheSameBitsWithDropoutAndStatistics) {
  ExperimentOptions options = spoilt_experiment({.step = 99999});
  const auto trained = [&](const Choice<Layer>& first) {
    options.models["net"].build = layers::sequential({.layers = {first, layers::linear()}});
    Estimator estimator(options, {.keeps_run = false});
    (void)estimator.fit();
    std::vector<at::Tensor> all = parameters_of(estimator, "net");
    for (const auto& [name, buffer] : estimator.network().models().find("net").layer().buffers())
      all.push_back(buffer);
    return all;
  };
  const std::vector<at::Tensor> plain = trained(small_block());
  const std::vector<at::Tensor> again = trained(layers::recompute({.layer = small_block()}));
  ASSERT_EQ(plain.size(), again.size());
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(plain[i].equal(again[i])) << i;
}

}  // namespace
}  // namespace hearth
