// Batch norms with sync: shards are normalized by the statistics of the whole batch.
#include "hearth/network/shard_meeting.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/cluster/join.h"
#include "hearth/network/rank_exchange.h"
#include "hearth/network/replicas_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm1d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"

namespace hearth {
namespace {

// Uneven, and smaller than the number of shards; a single row has nothing to be normalized by.
constexpr int64_t kRows[] = {8, 7, 5, 2, 9};

Choice<Layer> normalized(bool sync, const std::vector<Choice<Layer>>& more = {}) {
  std::vector<Choice<Layer>> layers = {layers::conv2d({.out_channels = 5}),
                                       layers::batch_norm2d({.sync = sync}),
                                       layers::relu(),
                                       layers::conv2d({.out_channels = 4}),
                                       layers::batch_norm2d({.affine = false, .sync = sync}),
                                       layers::flatten(),
                                       layers::linear({.out_features = 6}),
                                       layers::batch_norm1d({.momentum = 0.3, .sync = sync})};
  layers.insert(layers.end(), more.begin(), more.end());
  layers.push_back(layers::linear({.out_features = 3}));
  return layers::sequential({layers});
}

ReplicasSettings settings_with(const Choice<Layer>& model, int64_t shards, int64_t threads) {
  return {.replicas = shards, .threads = threads, .model = model, .sample = {2, 6, 6}};
}

TEST(SyncedBatchNorms, TakeTheStepsOfOneNetwork) {
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain})
    for (const int64_t shards : {2, 3, 4}) {
      SCOPED_TRACE(shards);
      ReplicasSettings settings = settings_with(normalized(true), shards, 2);
      settings.kernels = kernels;
      settings.optimizer = optimizers::sgd({.lr = 0.02});
      ReplicasTraining several(settings);
      settings.replicas = 1;
      ReplicasTraining one(settings);
      for (int64_t step = 0; step < 10; ++step) {
        const auto values = several.run(step, kRows[step % 5]);
        const auto truth = one.run(step, kRows[step % 5]);
        for (size_t i = 0; i < values.size(); ++i)
          EXPECT_TRUE(values[i].allclose(truth[i], 2e-3, 2e-4)) << "step " << step;
      }
      const State left = several.state();
      const State right = one.state();
      ASSERT_EQ(left.tensors.size(), right.tensors.size());
      for (size_t i = 0; i < left.tensors.size(); ++i)
        EXPECT_TRUE(left.tensors[i].second.allclose(right.tensors[i].second, 2e-3, 2e-4))
            << left.tensors[i].first;
    }
}

TEST(SyncedBatchNorms, AreNotWhatShardsFindAlone) {
  ReplicasTraining synced(settings_with(normalized(true), 2, 2));
  ReplicasTraining alone(settings_with(normalized(false), 2, 2));
  EXPECT_FALSE(synced.run(0, 8)[1].allclose(alone.run(0, 8)[1], 1e-2, 1e-2));
}

TEST(SyncedBatchNorms, GiveTheSameBitsInAnyNumberOfThreads) {
  const auto model = normalized(true, {layers::dropout({.p = 0.3})});
  ReplicasTraining truth(settings_with(model, 4, 4));
  ReplicasTraining two(settings_with(model, 4, 2));
  ReplicasTraining one(settings_with(model, 4, 1));
  for (int64_t step = 0; step < 10; ++step) {
    const auto wanted = truth.run(step, kRows[step % 5]);
    for (ReplicasTraining* other : {&two, &one}) {
      const auto found = other->run(step, kRows[step % 5]);
      for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].equal(wanted[i]));
    }
  }
  expect_same_state(truth.state(), two.state());
  expect_same_state(truth.state(), one.state());
}

TEST(SyncedBatchNorms, AreRefusedWhereStepsAreMadeOfWhatComesFirst) {
  ReplicasSettings settings = settings_with(normalized(true), 3, 1);
  settings.sync = SyncReplicasOptions{.aggregate = 2, .total = 3};
  const std::string message = message_of<ConfigError>([&] { (void)ReplicasTraining(settings); });
  EXPECT_THAT(message, testing::HasSubstr("has sync: true"));
  EXPECT_THAT(message, testing::HasSubstr("Leave one of them out."));
}

at::Tensor number(double value) { return at::full({1}, value, at::kDouble); }

TEST(ShardMeeting, AddsWhatShardsHave) {
  ShardMeeting meeting({0, 3}, 1, nullptr);
  std::vector<double> sums(3);
  meeting.run(3, [&](size_t k) {
    SharedSum& place = *shared_sum();
    const at::Tensor first = place.of(place.next(), number(static_cast<double>(k)));
    sums[k] = place.of(place.next(), first.add(1)).item<double>();
  });
  EXPECT_EQ(sums, std::vector<double>(3, 12));
}

TEST(ShardMeeting, AddsWhatRanksHaveAlsoWhereOneHasNoSamples) {
  with_ranks(2, [](Group& group) {
    RankExchange ranks(group, 4);
    const ShardTree::Range own = ranks.own_shards();
    ShardMeeting meeting(own, 1, &ranks);
    for (const int64_t parts : {4, 3, 1}) {
      const auto running = static_cast<size_t>(std::clamp<int64_t>(parts - own.begin, 0, 2));
      std::vector<double> sums(running);
      meeting.run(running, [&](size_t k) {
        const auto shard = static_cast<double>(own.begin) + static_cast<double>(k);
        sums[k] = shared_sum()->of(1, number(shard + 1)).item<double>();
      });
      const auto wanted = static_cast<double>(parts * (parts + 1) / 2);
      EXPECT_EQ(sums, std::vector<double>(running, wanted));
    }
  });
}

TEST(ShardMeeting, RefusesRanksThatMakeDifferentSums) {
  const auto uneven = [] {
    with_ranks(2, [](Group& group) {
      RankExchange ranks(group, 2);
      ShardMeeting meeting(ranks.own_shards(), 1, &ranks);
      meeting.run(1, [&](size_t) {
        if (group.is_first()) (void)shared_sum()->of(1, number(1));
      });
    });
  };
  EXPECT_THAT(message_of<GraphError>(uneven), testing::HasSubstr("same batch norms"));
}

TEST(ShardMeeting, ThrowsInsteadOfWaitingForAShardThatFailed) {
  ShardMeeting meeting({0, 3}, 2, nullptr);
  const std::string message = message_of<DataError>([&] {
    meeting.run(3, [](size_t k) {
      if (k == 1) throw DataError("a broken sample");
      (void)shared_sum()->of(1, number(1));
    });
  });
  EXPECT_EQ(message, "a broken sample");
}

TEST(ShardMeeting, ThrowsInsteadOfWaitingForAShardThatHasNoMoreSums) {
  ShardMeeting meeting({0, 2}, 2, nullptr);
  const auto uneven = [&] {
    meeting.run(2, [](size_t k) {
      if (k == 1) (void)shared_sum()->of(1, number(1));
    });
  };
  EXPECT_THAT(message_of<GraphError>(uneven), testing::HasSubstr("same batch norms"));
}

TEST(ShardMeeting, RefusesSumsOfDifferentPlaces) {
  ShardMeeting meeting({0, 2}, 2, nullptr);
  const auto different = [&] {
    meeting.run(2, [](size_t k) { (void)shared_sum()->of(k == 0 ? 1 : 2, number(1)); });
  };
  EXPECT_THAT(message_of<GraphError>(different), testing::HasSubstr("same batch norms"));
}

}  // namespace
}  // namespace hearth
