// cross_entropy and softmax: specs, and the same numbers as Python's torch.
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "hearth/network/network_fixture.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/network/ops/softmax.h"
#include "hearth/network/ops/sum.h"
#include "hearth/network/ops/triplet_loss.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

TEST(CrossEntropy, GivesTheSameLossAsPythonsTorch) {
  const Json truth = load_parity("forward.json");
  ASSERT_EQ(truth.at("losses").size(), 2U);
  for (const Json& expected : truth.at("losses")) {
    const double smoothing = expected["label_smoothing"].get<double>();
    const auto op =
        registry<NetworkOp>().make(network_ops::cross_entropy({.label_smoothing = smoothing}));
    const at::Tensor label = at::tensor(expected["label"].get<std::vector<int64_t>>());
    const at::Tensor loss = run_op(*op, {}, {parity_tensor(expected["logits"]), label});
    EXPECT_NEAR(loss.item<double>(), expected["loss"].get<double>(), 1e-6);
  }
}

TEST(CrossEntropy, IsTheMeanOverEveryPlaceOfASequence) {
  const auto op = registry<NetworkOp>().make(network_ops::cross_entropy());
  const at::Tensor rows = at::tensor({3.0, 1.0, 0.0, 2.0, 1.0, 1.5, 0.5, 4.0}).reshape({4, 2});
  const at::Tensor labels = at::tensor({0, 1, 1, 0}, at::kLong);
  const at::Tensor scores = rows.reshape({2, 2, 2}).transpose(1, 2);
  EXPECT_NEAR(run_op(*op, {}, {scores, labels.reshape({2, 2})}).item<double>(),
              run_op(*op, {}, {rows, labels}).item<double>(), 1e-6);
}

TEST(CrossEntropy, WeighsTheLossesOfAllClassesBySoftLabels) {
  const auto op = registry<NetworkOp>().make(network_ops::cross_entropy());
  const at::Tensor rows = at::tensor({3.0, 1.0, 0.0, 2.0}).reshape({2, 2});
  const auto loss_of = [&](const at::Tensor& labels) {
    return run_op(*op, {}, {rows, labels}).item<double>();
  };
  const double sure = loss_of(at::tensor({0, 1}, at::kLong));
  const double other = loss_of(at::tensor({1, 0}, at::kLong));
  EXPECT_NEAR(loss_of(at::tensor({1.0, 0.0, 0.0, 1.0}).reshape({2, 2})), sure, 1e-6);
  EXPECT_NEAR(loss_of(at::tensor({0.75, 0.25, 0.25, 0.75}).reshape({2, 2})),
              0.75 * sure + 0.25 * other, 1e-6);
}

TEST(CrossEntropy, WritesOneValueForTheBatch) {
  const auto op = registry<NetworkOp>().make(network_ops::cross_entropy());
  EXPECT_EQ(op->infer({sample_spec({3}), sample_spec({}, DType::kInt64, 3)}),
            std::vector<Spec>{loss_spec()});
}

TEST(CrossEntropy, RefusesAnotherNumberOfClasses) {
  const auto op =
      registry<NetworkOp>().make(network_ops::cross_entropy({.in = {"scores", "digit"}}));
  try {
    (void)op->infer({sample_spec({3}), sample_spec({}, DType::kInt64, 10)});
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "'scores' scores 3 classes, but 'digit' has 10. Give the last layer as many "
                 "values, or leave its number out to take it from the data.");
  }
}

TEST(CrossEntropy, RefusesAnythingButTwoKeys) {
  EXPECT_THROW((void)registry<NetworkOp>().make(network_ops::cross_entropy({.in = {"logits"}})),
               ConfigError);
}

// The distances are 3 and 2 in the first row, 1 and 5 in the second.
TEST(TripletLoss, WantsTheOtherKindFartherAwayByTheMargin) {
  const auto op = registry<NetworkOp>().make(network_ops::triplet_loss({.margin = 2}));
  const at::Tensor anchor = at::tensor({0.0, 0.0, 1.0, 1.0}).reshape({2, 2});
  const at::Tensor same = at::tensor({3.0, 0.0, 1.0, 2.0}).reshape({2, 2});
  const at::Tensor different = at::tensor({0.0, 2.0, 4.0, 5.0}).reshape({2, 2});
  EXPECT_NEAR(run_op(*op, {}, {anchor, same, different}).item<double>(), 3.0 / 2, 1e-5);
}

TEST(TripletLoss, SaysWhatItNeeds) {
  EXPECT_THROW((void)registry<NetworkOp>().make(network_ops::triplet_loss({.in = {"a"}})),
               ConfigError);
  const auto op = registry<NetworkOp>().make(network_ops::triplet_loss());
  EXPECT_EQ(op->infer({sample_spec({4}), sample_spec({4}), sample_spec({4})}),
            std::vector<Spec>{loss_spec()});
  EXPECT_THROW((void)op->infer({sample_spec({4}), sample_spec({4}), sample_spec({5})}), GraphError);
  EXPECT_THROW((void)op->infer({sample_spec({4, 2}), sample_spec({4, 2}), sample_spec({4, 2})}),
               GraphError);
}

TEST(Sum, AddsWithWeights) {
  const auto op =
      registry<NetworkOp>().make(network_ops::sum({.in = {"a", "b"}, .weights = {2, 0.5}}));
  EXPECT_EQ(op->infer({loss_spec(), loss_spec()}), std::vector<Spec>{loss_spec()});
  EXPECT_EQ(run_op(*op, {}, {at::tensor(3.0), at::tensor(4.0)}).item<double>(), 8);
  const auto plain = registry<NetworkOp>().make(network_ops::sum({.in = {"a", "b"}}));
  EXPECT_EQ(run_op(*plain, {}, {at::tensor(3.0), at::tensor(4.0)}).item<double>(), 7);
}

TEST(Sum, RefusesWhatDoesNotFitTogether) {
  EXPECT_THROW(
      (void)registry<NetworkOp>().make(network_ops::sum({.in = {"a", "b"}, .weights = {2}})),
      ConfigError);
  const auto op = registry<NetworkOp>().make(network_ops::sum({.in = {"a", "b"}}));
  EXPECT_THROW((void)op->infer({loss_spec(), sample_spec({})}), GraphError);
  EXPECT_THROW((void)op->infer({sample_spec({}, DType::kInt64), sample_spec({}, DType::kInt64)}),
               GraphError);
}

TEST(Softmax, GivesTheSameProbabilitiesAsPythonsTorch) {
  const Json expected = load_parity("forward.json").at("losses")[0];
  const auto op = registry<NetworkOp>().make(network_ops::softmax());
  const at::Tensor probability = run_op(*op, {}, {parity_tensor(expected["logits"])});
  expect_near(probability, parity_tensor(expected["probability"]), 1e-6);
}

TEST(Softmax, KeepsClassesAndTheirNames) {
  const auto op = registry<NetworkOp>().make(network_ops::softmax());
  Spec logits = sample_spec({2}, DType::kFloat32, 2);
  logits.class_names = {"cat", "dog"};
  EXPECT_EQ(op->infer({logits}), std::vector<Spec>{logits});
  EXPECT_EQ(op->infer({sample_spec({5})})[0].classes, 5);
}

TEST(Softmax, RefusesAKeyWithoutScores) {
  const auto op = registry<NetworkOp>().make(network_ops::softmax());
  EXPECT_THROW((void)op->infer({sample_spec({}, DType::kInt64)}), GraphError);
}

}  // namespace
}  // namespace hearth
