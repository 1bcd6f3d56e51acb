// Sums over shards of several ranks, which are threads of this process.
#include "hearth/network/rank_exchange.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scalar_tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mutex>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/cluster/join.h"
#include "hearth/network/exchange_fixture.h"
#include "hearth/network/exchanges/bfloat16.h"

namespace hearth {
namespace {

constexpr int64_t kShards = 5;

// Some of several dtypes and orders in memory; more values than the first bucket takes.
std::vector<at::Tensor> parameters_of_test() {
  return {at::empty({3, 4}),
          at::empty({}),
          at::empty({700, 900}),
          at::empty({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast),
          at::empty({7}, at::kDouble),
          at::empty({0})};
}

// Of one shard; the second parameter has one in some shards only, the last in none.
at::Tensor gradient_of_test(int64_t shard, size_t parameter, const at::Tensor& like) {
  if (parameter == 5 || (parameter == 1 && shard != 3)) return {};
  const double value = shard % 2 == 0 ? 1e7 / 3 : -1.0 / static_cast<double>(shard + 7);
  return at::empty_like(like).fill_(value * static_cast<double>(parameter + 1));
}

std::vector<at::Tensor> summed(Group& group) {
  RankExchange ranks(group, kShards);
  const ShardTree::Range own = ranks.own_shards();
  std::vector<Handles> shards;
  for (int64_t shard = own.begin; shard < own.end; ++shard) {
    Handles& parameters = shards.emplace_back();
    for (const at::Tensor& parameter : parameters_of_test()) {
      const size_t i = parameters.size();
      parameters.emplace_back(std::to_string(i), parameter.set_requires_grad(true));
      parameter.mutable_grad() = gradient_of_test(shard, i, parameter.detach());
    }
  }
  const Handles parameters = shards[0];
  ranks.begin_sum(shards, 0);
  ranks.finish_sum();
  std::vector<at::Tensor> sums;
  for (const auto& [name, parameter] : parameters) sums.push_back(parameter.grad());
  return sums;
}

TEST(RankExchange, AddsGradientsToTheSameBitsForAnyNumberOfRanks) {
  Group alone;
  const std::vector<at::Tensor> expected = summed(alone);
  for (int ranks = 2; ranks <= kShards; ++ranks) {
    std::mutex mutex;
    with_ranks(ranks, [&](Group& group) {
      const std::vector<at::Tensor> found = summed(group);
      const std::scoped_lock lock(mutex);
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(found[i].defined(), expected[i].defined()) << i;
        if (!found[i].defined()) continue;
        EXPECT_TRUE(found[i].equal(expected[i])) << i << " of " << ranks << " ranks";
        EXPECT_EQ(found[i].strides(), expected[i].strides());
      }
    });
  }
}

TEST(RankExchange, RefusesWhatAnotherNumberOfRanksHasLeft) {
  State saved;
  std::mutex mutex;
  with_two_ranks(exchanges::bfloat16(), [&](RankExchange& ranks, Group&) {
    (void)exchanged(ranks, {at::full({3}, 1.001)});
    const State own = copy(ranks.state());
    const std::scoped_lock lock(mutex);
    saved.tensors.insert(saved.tensors.end(), own.tensors.begin(), own.tensors.end());
    saved.values.merge_patch(own.values);
  });
  EXPECT_EQ(saved.tensors.size(), 2u);  // one of each rank
  EXPECT_NO_THROW(check_exchange_state(saved, 2));
  EXPECT_EQ(message_of<ConfigError>([&] { check_exchange_state(saved, 1); }),
            "the checkpoint holds what the gradients of each of 2 processes left for later steps, "
            "but there is 1. Go on with 2 processes, or begin a new run from its weights.");
}

TEST(RankExchange, GathersPacketsInTheOrderOfRanks) {
  with_ranks(3, [](Group& group) {
    RankExchange ranks(group, 3);
    const at::Tensor own = at::full({group.rank()}, group.rank());
    const auto all = ranks.gather("test", {{own, at::Tensor()}, {{"rank", group.rank()}}});
    ASSERT_EQ(all.size(), 3u);
    for (int64_t rank = 0; rank < 3; ++rank) {
      const TensorPacket& packet = all[static_cast<size_t>(rank)];
      EXPECT_TRUE(packet.tensors.at(0).equal(at::full({rank}, rank)));
      EXPECT_FALSE(packet.tensors.at(1).defined());
      EXPECT_EQ(packet.values.at("rank"), rank);
    }
  });
}

TEST(TensorPacket, KeepsEveryBitOfTensorsAndValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  State state;
  state.tensors = {{"a", at::randn({3, 2}).t()}, {"b", at::scalar_tensor(-0.0, at::kDouble)}};
  state.values = {{"nan", nan}, {"third", 1.0 / 3}, {"text", "x"}};
  const State again = state_of(TensorPacket::of(packet_of(state).bytes()));
  ASSERT_EQ(again.tensors.size(), 2u);
  EXPECT_TRUE(again.tensor("a").equal(state.tensor("a")));
  EXPECT_TRUE(std::signbit(again.tensor("b").item<double>()));
  EXPECT_TRUE(std::isnan(again.values.at("nan").get<double>()));
  EXPECT_EQ(again.values.at("third"), 1.0 / 3);
}

TEST(TensorPacket, RefusesBytesThatAreNone) {
  const at::Tensor bytes = TensorPacket{{at::randn({100})}, {}}.bytes();
  for (const int64_t size : {int64_t{0}, int64_t{5}, int64_t{20}, bytes.numel() - 200})
    EXPECT_THAT(message_of<DataError>([&] { (void)TensorPacket::of(bytes.narrow(0, 0, size)); }),
                testing::HasSubstr("what another process sent cannot be read"));
}

}  // namespace
}  // namespace hearth
