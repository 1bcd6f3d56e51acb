// cross_entropy and softmax: specs, and the same numbers as Python's torch.
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/config/yaml.h"
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

// A loss with the model it may bring along, of scores or points [B, 3] and labels of three classes.
class LossOfLabels {
 public:
  explicit LossOfLabels(Choice<NetworkOp> choice) : choice_(std::move(choice)) {
    models_.seed = 7;
    for (OwnModel& own : registry<NetworkOp>().make(choice_)->own_models())
      models_.add(std::make_unique<Model>(own.name, *own.options, std::move(own.layer)));
  }
  double operator()(const at::Tensor& labels) {
    const at::Tensor scores =
        at::tensor({0.9, 0.2, -0.4, 0.3, -0.8, 0.5}).to(at::kFloat).reshape({2, 3});
    const bool is_soft = labels.is_floating_point();
    Spec spec = is_soft ? sample_spec({3}) : sample_spec({}, DType::kInt64);
    spec.classes = 3;
    spec.role = Role::kClass;
    const auto op = bound(choice_, models_);
    (void)op->infer({sample_spec({3}), spec});
    return run_op(*op, {}, {scores, labels}).item<double>();
  }

 private:
  Choice<NetworkOp> choice_;
  ModelSet models_;
};

at::Tensor shares_of(std::vector<double> shares) {
  return at::tensor(shares).to(at::kFloat).reshape({2, 3});
}

Choice<NetworkOp> loss_named(const std::string& name, const std::string& options) {
  return {name, parse_yaml(options, "options")};
}

TEST(Losses, WeighTheLossesOfAllClassesBySoftLabels) {
  for (const auto& [name, options] :
       std::vector<std::pair<std::string, std::string>>{{"cross_entropy", "{label_smoothing: 0.1}"},
                                                        {"focal_loss", "{alpha: [1, 2, 0.5]}"},
                                                        {"hinge_loss", "{}"},
                                                        {"hinge_loss", "{squared: true}"},
                                                        {"arc_face", "{scale: 4}"},
                                                        {"cos_face", "{scale: 4}"},
                                                        {"proxy_nca", "{}"},
                                                        {"center_loss", "{}"}}) {
    SCOPED_TRACE(name);
    LossOfLabels loss(loss_named(name, options));
    const double sure = loss(at::tensor({0, 2}, at::kLong));
    const double other = loss(at::tensor({1, 0}, at::kLong));
    EXPECT_NEAR(loss(shares_of({1, 0, 0, 0, 0, 1})), sure, 1e-5 * (1 + std::abs(sure)));
    EXPECT_NEAR(loss(shares_of({0.75, 0.25, 0, 0.25, 0, 0.75})), 0.75 * sure + 0.25 * other,
                1e-5 * (1 + std::abs(sure) + std::abs(other)));
  }
}

TEST(Losses, OfRegionsTakeSoftLabelsAsSharesOfEachRegion) {
  for (const auto& [name, options] : std::vector<std::pair<std::string, std::string>>{
           {"dice_loss", "{}"}, {"iou_loss", "{of: classes}"}}) {
    SCOPED_TRACE(name);
    LossOfLabels loss(loss_named(name, options));
    const double sure = loss(at::tensor({0, 2}, at::kLong));
    EXPECT_NEAR(loss(shares_of({1, 0, 0, 0, 0, 1})), sure, 1e-6);
    EXPECT_GT(std::abs(loss(shares_of({0.5, 0.5, 0, 0, 0.5, 0.5})) - sure), 1e-3);
  }
}

TEST(Losses, OfPairsSayWhySoftLabelsMeanNothingToThem) {
  LossOfLabels loss(loss_named("sup_con", "{}"));
  try {
    (void)loss(shares_of({1, 0, 0, 0, 0, 1}));
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("which do not say who belongs to whom. Leave out "
                                                 "what blends labels, such as mixup"));
  }
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
