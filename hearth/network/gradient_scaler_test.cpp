// The scale of a loss: grows, backs off, and goes on after a resume.
#include "hearth/network/gradient_scaler.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hearth/network/gradient_fixture.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

std::vector<at::Tensor> gradients_of(double value) {
  return {at::full({2}, 3.0), at::full({3}, value)};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(GradientScaler, TakesTheScaleOutAgain) {
  GradientScaler scaler;
  const std::vector<at::Tensor> gradients = {scaler.scaled(at::full({2}, 1.5))};
  EXPECT_EQ(gradients[0][0].item<double>(), 1.5 * 65536);
  EXPECT_TRUE(scaler.unscale(gradients));
  EXPECT_EQ(gradients[0][0].item<double>(), 1.5);
}

TEST(GradientScaler, BacksOffAndLeavesTheStepOutWhereAGradientIsNotFinite) {
  for (const double odd : {kInfinity, -kInfinity, std::nan("")}) {
    GradientScaler scaler;
    EXPECT_FALSE(scaler.unscale(gradients_of(odd)));
    EXPECT_EQ(scaler.scale(), 32768);
    EXPECT_EQ(scaler.skipped(), 1);
  }
}

TEST(GradientScaler, GrowsAfterFiniteStepsInARow) {
  GradientScaler scaler({.first = 4, .growth_steps = 3});
  for (const double value : {1.0, 1.0, kInfinity, 1.0, 1.0})
    (void)scaler.unscale(gradients_of(value));
  EXPECT_EQ(scaler.scale(), 2);
  EXPECT_TRUE(scaler.unscale(gradients_of(1)));
  EXPECT_EQ(scaler.scale(), 4);
}

TEST(GradientScaler, NeitherVanishesNorOverflows) {
  GradientScaler small({.first = 2});
  for (int i = 0; i < 5; ++i) (void)small.unscale(gradients_of(kInfinity));
  EXPECT_EQ(small.scale(), 1);
  GradientScaler large({.first = 1e38, .growth = 10, .growth_steps = 1});
  (void)large.unscale(gradients_of(1));
  EXPECT_EQ(large.scale(), 1e38);
}

TEST(GradientScaler, GoesOnWhereItsStateWasSaved) {
  const GradientScaler::Settings settings = {.first = 8, .growth_steps = 3};
  GradientScaler saved(settings);
  for (const double value : {kInfinity, 1.0, 1.0}) (void)saved.unscale(gradients_of(value));
  State state;
  saved.write(state);
  GradientScaler resumed(settings);
  resumed.read(state);
  EXPECT_EQ(resumed.skipped(), 1);
  (void)resumed.unscale(gradients_of(1));
  EXPECT_EQ(resumed.scale(), 8);
}

NetworkTraining float16_training(double lr, int64_t replicas = 1) {
  const std::map<std::string, ModelOptions> models = {
      {"net", {layers::linear({.out_features = 3}), optimizers::sgd({.lr = lr})}}};
  return {models,
          {"call: {model: net, in: [input], out: [logits]}",
           "cross_entropy: {in: [logits, label], out: loss}", "update: {model: net, loss: loss}"},
          replicas,
          {"loss"},
          Kernels::kPlain.in(Precision::kFloat16)};
}

// In memory, factors of float16 are rounded float32 values: enough to see the scale at work.
TEST(GradientScaler, LeavesTheScaleOutOfWhatAnUpdateLearns) {
  NetworkTraining scaled = float16_training(0.1);
  const std::vector<at::Tensor> before = scaled.values();
  scaled.run(0, 4);
  const State state = scaled.state();
  EXPECT_EQ(state.values.dump().find("\"skipped_steps\":0") == std::string::npos, false);
  for (size_t i = 0; i < before.size(); ++i) {
    const double moved = scaled.values()[i].sub(before[i]).abs().max().item<double>();
    EXPECT_GT(moved, 1e-4);
    EXPECT_LT(moved, 1);
  }
}

TEST(GradientScaler, IsPartOfATrainingsState) {
  NetworkTraining whole = float16_training(0.1, 2);
  whole.run(0, 6);
  NetworkTraining first = float16_training(0.1, 2);
  first.run(0, 3);
  NetworkTraining second = float16_training(0.1, 2);
  second.restore(first.state(), 3);
  second.run(3, 6);
  expect_equal(second.values(), whole.values());
}

}  // namespace
}  // namespace hearth
