// accuracy and loss: values, halves that merge to the whole, exact state.
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/metric/metric.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/metric/metrics/loss.h"

namespace hearth {
namespace {

std::unique_ptr<Metric> made(const Choice<Metric>& choice) {
  return registry<Metric>().make(choice);
}

double value_of(const Metric& metric) { return metric.measured().headline.value(); }

// Two classes; each row of scores prefers the given class.
void add_predictions(Metric& metric, const std::vector<int64_t>& predicted,
                     const std::vector<int64_t>& labels) {
  const auto rows = static_cast<int64_t>(labels.size());
  const at::Tensor scores = at::zeros({rows, 2});
  scores.scatter_(1, at::tensor(predicted).reshape({rows, 1}), 1.0);
  const std::vector<at::Tensor> inputs = {scores, at::tensor(labels)};
  metric.update(inputs, {});
}

void add_loss(Metric& metric, double loss, int64_t rows) {
  const std::vector<at::Tensor> inputs = {at::full({}, loss, at::kDouble), at::zeros({rows})};
  metric.update(inputs, {});
}

// What a checkpoint does.
std::unique_ptr<Metric> reloaded(const Choice<Metric>& choice, const Metric& metric) {
  std::unique_ptr<Metric> loaded = made(choice);
  loaded->restore(copy(metric.state()));
  return loaded;
}

TEST(Accuracy, IsTheShareOfRightAnswers) {
  const auto metric = made(metrics::accuracy());
  EXPECT_TRUE(std::isnan(value_of(*metric)));
  add_predictions(*metric, {0, 1, 1}, {0, 1, 0});
  add_predictions(*metric, {1}, {0});
  EXPECT_DOUBLE_EQ(value_of(*metric), 0.5);
  metric->reset();
  EXPECT_TRUE(std::isnan(value_of(*metric)));
}

TEST(Accuracy, CountsEveryPlaceOfASequence) {
  const auto metric = made(metrics::accuracy());
  // Two sequences of three places: [B, classes, T] by way of the [B, T, classes] of a head.
  const at::Tensor scores =
      at::tensor({9.0, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0, 9.0, 0.0, 9.0, 9.0, 0.0}).reshape({2, 3, 2});
  const at::Tensor labels = at::tensor({0, 1, 1, 1, 1, 1}, at::kLong).reshape({2, 3});
  metric->update(std::vector<at::Tensor>{scores.transpose(1, 2), labels}, {});
  EXPECT_DOUBLE_EQ(value_of(*metric), 4.0 / 6);
}

TEST(Accuracy, ReadsASoftLabelAsTheClassWithTheLargestShare) {
  const auto metric = made(metrics::accuracy());
  const at::Tensor scores = at::tensor({9.0, 0.0, 0.0, 9.0}).reshape({2, 2});
  const at::Tensor labels = at::tensor({0.7, 0.3, 0.6, 0.4}).reshape({2, 2});
  metric->update(std::vector<at::Tensor>{scores, labels}, {});
  EXPECT_DOUBLE_EQ(value_of(*metric), 0.5);
}

TEST(Accuracy, LeavesOutLabelsThatDoNotCount) {
  const auto metric = made(metrics::accuracy());
  add_predictions(*metric, {0, 1, 1, 0}, {0, -100, 0, -100});
  EXPECT_DOUBLE_EQ(value_of(*metric), 0.5);
}

TEST(Accuracy, OfTwoHalvesIsThatOfTheWhole) {
  const auto left = made(metrics::accuracy());
  const auto right = made(metrics::accuracy());
  add_predictions(*left, {0, 1, 1}, {0, 1, 0});
  add_predictions(*right, {1}, {0});
  left->merge(*right);
  EXPECT_DOUBLE_EQ(value_of(*left), 0.5);
}

TEST(Accuracy, SurvivesACheckpoint) {
  const auto metric = made(metrics::accuracy());
  add_predictions(*metric, {0, 1, 1}, {0, 1, 0});
  EXPECT_EQ(value_of(*reloaded(metrics::accuracy(), *metric)), value_of(*metric));
}

TEST(Accuracy, RefusesKeysThatAreNotScoresAndLabels) {
  Spec label;
  label.dtype = DType::kInt64;
  EXPECT_THROW(made(metrics::accuracy())->check({label, label}), GraphError);
}

TEST(Loss, WeighsEachBatchByItsRows) {
  const auto metric = made(metrics::loss());
  EXPECT_TRUE(std::isnan(value_of(*metric)));
  add_loss(*metric, 1, 3);
  add_loss(*metric, 5, 1);
  EXPECT_DOUBLE_EQ(value_of(*metric), 2);
}

// The first loss is the mean of three places that weigh 1, the second of one that weighs 2.
TEST(Loss, WeighsEachBatchByWhatItsLossIsTheMeanOf) {
  const auto choice = metrics::loss({.weight = "importance", .mask = "shown"});
  const auto add = [](Metric& metric, double loss, const at::Tensor& shown, double weight) {
    const std::vector<at::Tensor> inputs = {at::full({}, loss), at::zeros({2}),
                                            at::full({2}, weight), shown};
    metric.update(inputs, {});
  };
  const auto whole = made(choice);
  const auto half = made(choice);
  EXPECT_TRUE(std::isnan(value_of(*whole)));
  add(*whole, 1, at::tensor({1, 1, 0, 1}).reshape({2, 2}), 1);
  add(*half, 6, at::tensor({0, 0, 1, 0}).reshape({2, 2}), 2);
  add(*half, std::nan(""), at::zeros({2, 2}), 1);
  whole->merge(*reloaded(choice, *half));
  EXPECT_DOUBLE_EQ(value_of(*whole), 3);
}

TEST(Loss, OfTwoHalvesIsThatOfTheWhole) {
  const auto left = made(metrics::loss());
  const auto right = made(metrics::loss());
  add_loss(*left, 1, 3);
  add_loss(*right, 5, 1);
  left->merge(*right);
  EXPECT_DOUBLE_EQ(value_of(*left), 2);
}

TEST(Loss, SurvivesACheckpointToTheLastBit) {
  const auto metric = made(metrics::loss());
  add_loss(*metric, 1.0 / 3, 7);
  const auto copy = reloaded(metrics::loss(), *metric);
  add_loss(*metric, 0.1, 3);
  add_loss(*copy, 0.1, 3);
  EXPECT_EQ(value_of(*copy), value_of(*metric));
}

TEST(Loss, StaysInfiniteOrNotANumberThroughACheckpoint) {
  for (const double value :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    const auto metric = made(metrics::loss());
    add_loss(*metric, value, 1);
    EXPECT_EQ(value_of(*reloaded(metrics::loss(), *metric)), value);
    add_loss(*metric, -value, 1);
    EXPECT_TRUE(std::isnan(value_of(*reloaded(metrics::loss(), *metric))));
  }
}

TEST(Loss, IsBetterWhenLowerAndReadsTheKeyItIsWeighedBy) {
  const auto metric =
      made(metrics::loss({.in = "total", .weight_by = "image", .out = "total_loss"}));
  EXPECT_FALSE(metric->is_better_when_higher());
  EXPECT_EQ(metric->reads(), (std::vector<std::string>{"total", "image"}));
  EXPECT_EQ(metric->name(), "total_loss");
}

TEST(Loss, RefusesAValueOfEverySample) {
  try {
    made(metrics::loss())->check({Spec(), Spec()});
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_STREQ(error.what(),
                 "needs one float for the whole batch in 'loss', but it is float32 "
                 "[B]. Name the key a loss writes.");
  }
}

}  // namespace
}  // namespace hearth
