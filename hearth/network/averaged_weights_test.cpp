// Averaged weights: what evaluates, what is saved, and that training's own values come back.
#include "hearth/network/averaged_weights.h"

#include <gtest/gtest.h>

#include "hearth/network/network_fixture.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

// A linear model after two updates.
struct AveragedModel {
  explicit AveragedModel(std::optional<double> average = 0.5)
      : models(models_of({.build = layers::linear({.out_features = 2}),
                          .optimizer = optimizers::sgd({.lr = 0.5}),
                          .average = average})),
        model(models.find("net")) {
    (void)model.build(sample_spec({3}), 7, 3, at::kCPU);
  }
  void train(int64_t steps) {
    for (int64_t index = 0; index < steps; ++index) {
      at::manual_seed(static_cast<uint64_t>(index));
      model.layer()(at::randn({4, 3})).square().mean().backward();
      model.optimizer()->step(Moment());
      for (const auto& [name, parameter] : model.layer().parameters())
        parameter.mutable_grad() = at::Tensor();
    }
  }
  at::Tensor weight() { return model.layer().parameters()[0].second; }

  ModelSet models;
  Model& model;
};

TEST(AveragedWeights, StandInWhileItLivesAndGiveTheOwnValuesBack) {
  AveragedModel trained;
  trained.train(2);
  const at::Tensor own = trained.weight().detach().clone();
  const void* memory = trained.weight().data_ptr();
  const at::Tensor average = trained.model.optimizer()->average(0);
  {
    const AveragedWeights scope(trained.models);
    EXPECT_TRUE(trained.weight().equal(average));
    EXPECT_FALSE(trained.weight().equal(own));
  }
  EXPECT_TRUE(trained.weight().equal(own));
  EXPECT_EQ(trained.weight().data_ptr(), memory);
}

TEST(AveragedWeights, DoNothingForAModelWithoutAnAverageOrBeforeItsFirstUpdate) {
  for (const std::optional<double> average : {std::optional<double>(), std::optional(0.5)}) {
    AveragedModel fresh(average);
    if (!average) fresh.train(1);
    const at::Tensor own = fresh.weight().detach().clone();
    const AveragedWeights scope(fresh.models);
    EXPECT_TRUE(fresh.weight().equal(own));
  }
}

TEST(AveragedWeights, AreAModelsWeightsWhileItsStateHoldsBoth) {
  AveragedModel trained;
  trained.train(2);
  const at::Tensor average = trained.model.optimizer()->average(0);
  EXPECT_TRUE(trained.model.weights().tensor("model/weight").equal(average));
  const State state = trained.model.state();
  EXPECT_TRUE(state.tensor("model/weight").equal(trained.weight()));
  EXPECT_TRUE(state.tensor("optimizer/average/weight").equal(average));
}

TEST(AveragedWeights, AreTakenOutOfAStateByAModelThatAverages) {
  AveragedModel trained;
  trained.train(2);
  AveragedModel reader;
  reader.model.restore_weights(trained.model.state());
  EXPECT_TRUE(reader.weight().equal(trained.model.optimizer()->average(0)));
  AveragedModel plain_reader(std::nullopt);
  plain_reader.model.restore_weights(trained.model.state());
  EXPECT_TRUE(plain_reader.weight().equal(trained.weight()));
}

TEST(AveragedWeights, ContinueToTheSameBitsAfterARestore) {
  AveragedModel whole;
  whole.train(2);
  AveragedModel resumed;
  resumed.model.restore(copy(whole.model.state()));
  whole.train(3);
  resumed.train(3);
  for (const auto& [name, tensor] : whole.model.state().tensors)
    EXPECT_TRUE(resumed.model.state().tensor(name).equal(tensor)) << name;
}

}  // namespace
}  // namespace hearth
