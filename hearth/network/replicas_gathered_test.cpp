// Steps that are made of some parts of a batch: those of the samples that took part.
#include <ATen/ops/cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/network/replicas_fixture.h"
#include "hearth/network/step_gathering.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"

namespace hearth {
namespace {

// Of three parts, of which these make every step.
ReplicasTraining training_of(ReplicasSettings settings, const std::vector<int64_t>& slots) {
  settings.sync = SyncReplicasOptions{.aggregate = static_cast<int64_t>(slots.size()), .total = 3};
  return ReplicasTraining(settings);
}

void replay(ReplicasTraining& training, const std::vector<int64_t>& slots) {
  training.network().gathering()->replay({{0, {.slots = slots}}});
}

at::Tensor rows(const at::Tensor& all, const std::vector<RowRange>& ranges) {
  std::vector<at::Tensor> some;
  for (const RowRange& range : ranges) some.push_back(all.narrow(0, range.begin, range.size()));
  return at::cat(some, 0);
}

void expect_close(const State& left, const State& right) {
  ASSERT_EQ(left.tensors.size(), right.tensors.size());
  for (size_t i = 0; i < left.tensors.size(); ++i)
    EXPECT_TRUE(left.tensors[i].second.allclose(right.tensors[i].second, 1e-3, 2e-5))
        << left.tensors[i].first;
}

// Against one network that is given just the rows of these parts.
void compare_with_rows(const ReplicasSettings& settings, const std::vector<int64_t>& slots,
                       const std::vector<RowRange>& ranges) {
  ReplicasTraining some = training_of(settings, slots);
  replay(some, slots);
  ReplicasSettings alone = settings;
  alone.replicas = 1;
  ReplicasTraining truth(alone);
  for (int64_t step = 0; step < 5; ++step) {
    const auto batch = some.batch_of(step, 8);
    const auto found = some.run(batch.input, batch.label);
    const auto wanted = truth.run(rows(batch.input, ranges), rows(batch.label, ranges));
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].sizes(), wanted[i].sizes());
      EXPECT_TRUE(found[i].allclose(wanted[i], 1e-3, 1e-5)) << "step " << step;
    }
    EXPECT_EQ(*some.network().kept_rows(), ranges);
  }
  expect_close(some.state(), truth.state());
}

constexpr int64_t kParts = 3;  // of 8 rows: 0 to 1, 2 to 4, 5 to 7

TEST(GatheredReplicas, MakeTheMeanStepOfTheSamplesThatTookPart) {
  compare_with_rows({.replicas = kParts}, {0, 2}, {{0, 2}, {5, 8}});
  compare_with_rows({.replicas = kParts, .step = {.clip_norm = 0.1}}, {1, 2}, {{2, 5}, {5, 8}});
}

TEST(GatheredReplicas, MoveStatisticsOfBatchNormsByThePartsThatTookPart) {
  const auto model =
      layers::sequential({{layers::conv2d({.out_channels = 4}), layers::batch_norm2d(),
                           layers::flatten(), layers::linear({.out_features = 3})}});
  // One part alone, as each part has statistics of its own.
  compare_with_rows({.replicas = kParts, .model = model, .sample = {1, 5, 5}}, {1}, {{2, 5}});
}

TEST(GatheredReplicas, GiveTheBitsOfReplicasWhereAllPartsArrive) {
  const auto model = layers::sequential(
      {{layers::conv2d({.out_channels = 4}), layers::batch_norm2d(), layers::flatten(),
        layers::dropout({.p = 0.3}), layers::linear({.out_features = 3})}});
  ReplicasSettings settings = {.replicas = 4, .model = model, .sample = {1, 5, 5}};
  for (const int64_t slots : {2, 4}) {
    settings.sync = SyncReplicasOptions{.aggregate = slots, .total = 1};
    ReplicasTraining gathered(settings);
    ReplicasTraining truth({.replicas = 4, .model = model, .sample = {1, 5, 5}});
    for (int64_t step = 0; step < 5; ++step) {
      const int64_t count = step == 3 ? 2 : 9;  // fewer than parts, too
      const auto found = gathered.run(step, count);
      const auto wanted = truth.run(step, count);
      for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].equal(wanted[i]));
      EXPECT_TRUE(gathered.network().kept_rows()->empty());
    }
    expect_same_state(gathered.state(), truth.state());
  }
}

TEST(GatheredReplicas, RefuseStepsOfSeveralBatches) {
  const std::string message = message_of<ConfigError>([] {
    (void)training_of({.replicas = kParts, .step = {.accumulate = 2}}, {0, 1});
  });
  EXPECT_THAT(message, testing::HasSubstr("makes a step of several batches"));
}

}  // namespace
}  // namespace hearth
