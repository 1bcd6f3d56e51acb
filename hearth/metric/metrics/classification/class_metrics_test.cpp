// confusion, f1 and top_k beside values worked out by hand.
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/metric/metric.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/metric/metrics/classification/confusion.h"
#include "hearth/metric/metrics/classification/f1.h"
#include "hearth/metric/metrics/classification/log_loss.h"
#include "hearth/metric/metrics/classification/top_k.h"

namespace hearth {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::NanSensitiveDoubleEq;

Spec scores_spec(int64_t classes) { return {.shape = {classes}, .classes = classes}; }
Spec labels_spec(std::vector<std::string> names) {
  return {.dtype = DType::kInt64,
          .classes = static_cast<int64_t>(names.size()),
          .class_names = names,
          .role = Role::kClass};
}

std::unique_ptr<Metric> pet_metric(const Choice<Metric>& choice) {
  auto metric = registry<Metric>().make(choice);
  metric->check({scores_spec(4), labels_spec({"cat", "dog", "bird", "fish"})});
  return metric;
}

void answer(Metric& metric, const std::vector<int64_t>& predicted,
            const std::vector<int64_t>& labels) {
  const auto rows = static_cast<int64_t>(labels.size());
  const at::Tensor scores = at::zeros({rows, 4});
  scores.scatter_(1, at::tensor(predicted).reshape({rows, 1}), 1.0);
  metric.update(std::vector<at::Tensor>{scores, at::tensor(labels)}, {});
}

// cat: 3 due, 2 given, 2 right. dog: 2 due, 2 given, 1 right. bird: 1 due, 2 given, 1 right.
void answer_pets(Metric& metric) {
  answer(metric, {0, 0, 1, 1}, {0, 0, 0, 1});
  answer(metric, {2, 2, 3}, {1, 2, -100});
}

TEST(Confusion, CountsTrueClassesInRowsAndPredictedOnesInColumns) {
  const auto metric = pet_metric(metrics::confusion());
  answer_pets(*metric);
  const Measured measured = metric->measured();
  EXPECT_FALSE(measured.headline);
  ASSERT_TRUE(measured.table);
  EXPECT_THAT(measured.table->rows, ElementsAre("cat", "dog", "bird", "fish"));
  EXPECT_EQ(measured.table->columns, measured.table->rows);
  EXPECT_THAT(measured.table->cells, ElementsAre(2, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0));
}

TEST(Confusion, LeavesOutLabelsThatAreNoClass) {
  const auto metric = pet_metric(metrics::confusion());
  answer(*metric, {0, 1, 2}, {-1, 4, 99});
  EXPECT_THAT(metric->measured().table->cells, testing::Each(0));
}

TEST(Confusion, ReadsASoftLabelAsTheClassWithTheLargestShare) {
  const auto metric = registry<Metric>().make(metrics::confusion());
  Spec soft = {.shape = {2}, .classes = 2, .role = Role::kClass};
  metric->check({scores_spec(2), soft});
  const at::Tensor scores = at::tensor({9.0, 0.0, 0.0, 9.0}).reshape({2, 2});
  const at::Tensor labels = at::tensor({0.7, 0.3, 0.6, 0.4}).reshape({2, 2});
  metric->update(std::vector<at::Tensor>{scores, labels}, {});
  EXPECT_THAT(metric->measured().table->cells, ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(metric->measured().table->rows, ElementsAre("0", "1"));
}

TEST(Confusion, RefusesMoreClassesThanATableCanHold) {
  const auto metric = registry<Metric>().make(metrics::confusion());
  EXPECT_EQ(message_of<GraphError>([&] {
              metric->check({scores_spec(50000), {.dtype = DType::kInt64}});
            }),
            "counts every class against every other, at most 1024, but 'logits' scores 50,000. "
            "Use f1, which counts each class by itself.");
}

// f1: cat 4/5, dog 2/4, bird 2/3; fish neither came up nor was answered.
TEST(F1, IsTheMeanOverClassesOrSamples) {
  const auto metric = pet_metric(metrics::f1());
  EXPECT_TRUE(std::isnan(*metric->measured().headline));
  answer_pets(*metric);
  const Measured measured = metric->measured();
  const double macro = (0.8 + 0.5 + 2.0 / 3) / 3;
  EXPECT_DOUBLE_EQ(*measured.headline, macro);
  ASSERT_EQ(measured.numbers.size(), 3u);
  EXPECT_DOUBLE_EQ(measured.numbers[0].second, macro);
  EXPECT_DOUBLE_EQ(measured.numbers[1].second, 4.0 / 6);  // as accuracy
  EXPECT_DOUBLE_EQ(measured.numbers[2].second, (3 * 0.8 + 2 * 0.5 + 2.0 / 3) / 6);
}

TEST(F1, HasATableOfEveryClass) {
  const auto metric = pet_metric(metrics::f1());
  answer_pets(*metric);
  const Table table = *metric->measured().table;
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(table.columns, ElementsAre("precision", "recall", "f1", "samples"));
  EXPECT_THAT(table.cells,
              testing::Pointwise(NanSensitiveDoubleEq(),
                                 std::vector<double>{1, 2.0 / 3, 0.8, 3, 0.5, 0.5, 0.5, 2, 0.5, 1,
                                                     2.0 / 3, 1, none, none, none, 0}));
}

TEST(F1, ReportsTheAverageThatIsAskedForUnderItsOwnName) {
  const auto metric = pet_metric(metrics::f1({.average = "micro", .out = "pets"}));
  answer_pets(*metric);
  EXPECT_DOUBLE_EQ(*metric->measured().headline, 4.0 / 6);
  EXPECT_THAT(reported_names(*metric),
              ElementsAre("pets", "pets/macro", "pets/micro", "pets/weighted"));
}

TEST(TopK, IsTheShareOfLabelsAmongTheHighestScores) {
  const auto metric = registry<Metric>().make(metrics::top_k({.k = 2}));
  const at::Tensor scores =
      at::tensor({5.0, 3.0, 1.0, 5.0, 3.0, 1.0, 5.0, 3.0, 1.0, 5.0, 3.0, 1.0}).reshape({4, 3});
  metric->update(std::vector<at::Tensor>{scores, at::tensor({0, 1, 2, -100}, at::kLong)}, {});
  EXPECT_DOUBLE_EQ(*metric->measured().headline, 2.0 / 3);
}

TEST(TopK, OfOneIsAccuracyAlsoForEqualScoresAndNotANumber) {
  const auto top = registry<Metric>().make(metrics::top_k({.k = 1}));
  const auto accuracy = registry<Metric>().make(metrics::accuracy());
  const at::Tensor scores = at::randint(0, 4, {256, 5}).to(at::kFloat);
  scores.masked_fill_(scores.eq(3), std::numeric_limits<float>::quiet_NaN());
  const std::vector<at::Tensor> inputs = {scores, at::randint(0, 5, {256}, at::kLong)};
  top->update(inputs, {});
  accuracy->update(inputs, {});
  EXPECT_EQ(top->measured().headline, accuracy->measured().headline);
}

// Rows on the host are counted in a pass over memory; others by LibTorch's operators.
TEST(ClassMetrics, CountTheSameHoweverScoresLieInMemory) {
  const at::Tensor scores = at::randint(0, 4, {256, 4}).to(at::kFloat);
  scores.masked_fill_(scores.eq(3), std::numeric_limits<float>::quiet_NaN());
  const at::Tensor labels = at::randint(-1, 5, {256}, at::kLong);
  labels.masked_fill_(labels.eq(-1), -100);
  for (const Choice<Metric>& choice :
       {metrics::accuracy(), metrics::confusion(), metrics::f1(), metrics::top_k({.k = 2})}) {
    const auto quick = pet_metric(choice);
    const auto slow = pet_metric(choice);
    quick->update(std::vector<at::Tensor>{scores, labels}, {});
    slow->update(std::vector<at::Tensor>{scores.t().contiguous().t(), labels}, {});
    const Measured found = quick->measured();
    const Measured expected = slow->measured();
    EXPECT_EQ(found.headline, expected.headline);
    if (!found.table) continue;
    EXPECT_THAT(found.table->cells,
                testing::Pointwise(NanSensitiveDoubleEq(), expected.table->cells));
  }
}

TEST(LogLoss, IsTheSameHoweverScoresLieInMemory) {
  const at::Tensor logits = at::randn({64, 4}) * 30;
  const at::Tensor labels = at::randint(0, 4, {64}, at::kLong);
  labels.slice(0, 0, 64, 9).fill_(-100);
  for (const std::string scores : {"logits", "probabilities"}) {
    const at::Tensor given = scores == "logits" ? logits.clone() : logits.softmax(1);
    const auto quick = pet_metric(metrics::log_loss({.scores = scores}));
    const auto slow = pet_metric(metrics::log_loss({.scores = scores}));
    quick->update(std::vector<at::Tensor>{given, labels}, {});
    slow->update(std::vector<at::Tensor>{given.t().contiguous().t(), labels}, {});
    EXPECT_NEAR(*quick->measured().headline / *slow->measured().headline, 1, 1e-12);
    given.fill_(std::numeric_limits<float>::quiet_NaN());
    quick->update(std::vector<at::Tensor>{given, labels}, {});
    EXPECT_TRUE(std::isnan(*quick->measured().headline));
  }
}

TEST(TopK, RefusesAsManyAsThereAreClasses) {
  const auto metric = registry<Metric>().make(metrics::top_k({.k = 3}));
  EXPECT_EQ(message_of<GraphError>([&] {
              metric->check({scores_spec(3), {.dtype = DType::kInt64}});
            }),
            "counts a label among the 3 highest scores, but 'logits' has only 3, so that every "
            "answer would be right. Use a smaller k.");
}

}  // namespace
}  // namespace hearth
