// Weights of convolutions while a network learns: packed from step to step, ordinary for whoever
// looks, and the same bits either way.
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include "hearth/config/registry.h"
#include "hearth/network/replicas_fixture.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/optim/optimizers/adamw.h"

namespace hearth {
namespace {

// Convolutions of all sorts: few channels in, by Winograd's algorithm, strided, 1x1.
ReplicasSettings residual(int64_t replicas = 1) {
  ReplicasSettings settings;
  settings.replicas = replicas;
  settings.model = layers::resnet({.depth = 20, .classes = 3});
  settings.sample = {3, 8, 8};
  return settings;
}

std::vector<at::Tensor> weights_in_memory(ReplicasTraining& training) {
  std::vector<at::Tensor> weights;
  for (const auto& [name, tensor] : training.layer().handles())
    if (tensor.dim() > 2) weights.push_back(tensor.detach());
  return weights;
}

size_t packed_weights(ReplicasTraining& training) {
  size_t count = 0;
  for (const at::Tensor& weight : weights_in_memory(training)) count += weight.dim() == 6 ? 1 : 0;
  return count;
}

class PackedWeights : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override {
    if (!has_vector_unit()) GTEST_SKIP() << "needs AVX2 and FMA";
  }
};
INSTANTIATE_TEST_SUITE_P(Replicas, PackedWeights, testing::Values(1, 2));

TEST_P(PackedWeights, StayWhereTheyAreFromStepToStep) {
  ReplicasTraining training(residual(GetParam()));
  (void)training.run(0, 4);
  const std::vector<at::Tensor> first = weights_in_memory(training);
  EXPECT_EQ(packed_weights(training), first.size());
  for (int64_t step = 1; step < 4; ++step) (void)training.run(step, 4);
  const std::vector<at::Tensor> last = weights_in_memory(training);
  for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].data_ptr(), last[i].data_ptr());
}

TEST_P(PackedWeights, GiveTheBitsOfOrdinaryOnes) {
  for (const Choice<Optimizer>& optimizer :
       {optimizers::sgd({.lr = 0.1, .momentum = 0.9}), optimizers::adamw()}) {
    ReplicasSettings settings = residual(GetParam());
    settings.optimizer = optimizer;
    settings.average = 0.9;
    settings.step = {.accumulate = 2};
    ReplicasTraining packed(settings);
    ReplicasTraining ordinary(settings);
    const Parameters held = ordinary.layer().parameters();
    for (int64_t step = 0; step < 5; ++step) {
      EXPECT_TRUE(packed.run(step, 5)[0].equal(ordinary.run(step, 5)[0])) << step;
      EXPECT_EQ(packed_weights(ordinary), 0u);
    }
    EXPECT_GT(packed_weights(packed), 0u);
    expect_same_state(packed.state(), ordinary.state());
  }
}

// Clipping sums over gradients as they lie in memory; gradients wait for a second batch.
TEST_P(PackedWeights, GoOnFromAStateToTheSameBits) {
  ReplicasSettings settings = residual(GetParam());
  settings.optimizer = optimizers::adamw();
  settings.average = 0.9;
  settings.step = {.accumulate = 2, .clip_norm = 0.1};
  ReplicasTraining straight(settings);
  ReplicasTraining interrupted(settings);
  ReplicasTraining resumed(settings);
  for (int64_t step = 0; step < 9; ++step) {
    const at::Tensor loss = straight.run(step, 5)[0];
    EXPECT_TRUE(loss.equal(interrupted.run(step, 5)[0])) << step;
    const State saved = interrupted.state();
    interrupted.restore(saved);
    if (step == 4) resumed.restore(saved);
    if (step > 4) {
      EXPECT_TRUE(loss.equal(resumed.run(step, 5)[0])) << step;
    }
  }
  expect_same_state(straight.state(), interrupted.state());
  expect_same_state(straight.state(), resumed.state());
}

TEST_P(PackedWeights, AreOrdinaryInStatesAndForWhoeverAsks) {
  ReplicasTraining training(residual(GetParam()));
  (void)training.run(0, 4);
  ASSERT_GT(packed_weights(training), 0u);
  for (const auto& [name, tensor] : training.state().tensors) EXPECT_LE(tensor.dim(), 4) << name;
  EXPECT_EQ(packed_weights(training), 0u);
  (void)training.run(1, 4);
  EXPECT_GT(packed_weights(training), 0u);
  const auto& parameters = training.network().models().find("net").optimizer()->parameters();
  for (const auto& [name, tensor] : parameters) EXPECT_LE(tensor.dim(), 4) << name;
}

TEST(PackedWeightsWithHooks, AreOrdinaryWhileSomebodyListens) {
  ReplicasTraining training(residual());
  size_t largest = 0;
  training.layer().children()[1].second->add_hook_after([&](const Layer& layer, at::Tensor&) {
    for (const auto& [name, tensor] : layer.handles())
      largest = std::max(largest, static_cast<size_t>(tensor.dim()));
  });
  (void)training.run(0, 4);
  EXPECT_EQ(largest, 1u);  // a batch norm
  EXPECT_EQ(packed_weights(training), 0u);
  training.layer().clear_hooks();
  (void)training.run(1, 4);
  EXPECT_EQ(packed_weights(training) > 0, has_vector_unit());
}

// The squares of a model's parameters, as an op of a user's would find them; and it halves them.
struct PenaltyOptions {
  static const Schema<PenaltyOptions>& schema() {
    static const Schema<PenaltyOptions> fields;
    return fields;
  }
};

class PenaltyOp : public NetworkOp {
 public:
  using Options = PenaltyOptions;
  explicit PenaltyOp(const PenaltyOptions&) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {"loss"}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {"whole_loss"}; }
  void bind(ModelSet& models) override { model_ = &models.find("net"); }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override { return inputs; }
  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    std::vector<at::Tensor> squares;
    for (const auto& [name, tensor] : model_->layer().parameters())
      squares.push_back(tensor.pow(2).sum());
    outputs[0] = inputs[0].add(at::stack(squares).sum(), 0.01);
  }

 private:
  Model* model_ = nullptr;
};

TEST(PackedWeightsWithOps, AreOrdinaryBesideAnOpThatLooksAtThem) {
  registry<NetworkOp>().add<PenaltyOp>("penalty", "Adds the squares of all parameters.");
  std::vector<at::Tensor> losses;
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
    ReplicasSettings settings = residual();
    settings.kernels = kernels;
    settings.optimizer = optimizers::sgd({.lr = 0.01});
    ReplicasTraining training(settings,
                              {network_ops::call({.in = {"input"}}),
                               network_ops::cross_entropy({.in = {"logits", "label"}}),
                               choose<NetworkOp>("penalty", PenaltyOptions()),
                               network_ops::update({.loss = "whole_loss"})},
                              {"whole_loss"});
    for (int64_t step = 0; step < 3; ++step) losses.push_back(training.run(step, 4)[0]);
    EXPECT_EQ(packed_weights(training), 0u);
  }
  for (size_t step = 0; step < 3; ++step)
    EXPECT_TRUE(losses[step].allclose(losses[step + 3], 1e-4)) << step;
}

}  // namespace
}  // namespace hearth
