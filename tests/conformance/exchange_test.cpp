// Every way in which gradients travel: all ranks get the same, nothing of a gradient is lost for
// good, and a state goes on to the same bits.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <mutex>

#include "hearth/cluster/join.h"
#include "hearth/network/rank_exchange.h"
#include "tests/conformance/component_cases.h"

namespace hearth {
namespace {

constexpr int64_t kShards = 4;

// A matrix, a vector and a picture's weight, which the processes have alike.
Handles parameters_of_case(bool in_order) {
  Handles all;
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{6, 5}, std::vector<int64_t>{7}, std::vector<int64_t>{4, 3, 2, 2}}) {
    const bool is_turned = !in_order && sizes.size() == 4;
    const at::Tensor parameter = at::zeros(sizes).contiguous(
        is_turned ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous);
    all.emplace_back("net/" + std::to_string(all.size()), parameter.set_requires_grad(true));
  }
  return all;
}

// Of one shard in one step. Ranks are threads here: each draws from a generator of its own.
void find_gradients(const Handles& parameters, int64_t shard, int64_t step) {
  const at::Generator draws =
      at::detail::createCPUGenerator(static_cast<uint64_t>(100 * step + shard));
  for (const auto& [name, parameter] : parameters)
    parameter.mutable_grad() =
        at::zeros_like(parameter).copy_(at::randn(parameter.sizes(), draws).add(0.3 * (step % 2)));
}

// What becomes of every parameter's gradients in a step; where ranks step by themselves, what is
// left of it when they meet.
std::vector<at::Tensor> exchanged(RankExchange& ranks, int64_t step, bool in_order = true) {
  std::vector<Handles> shards;
  for (int64_t shard = ranks.own_shards().begin; shard < ranks.own_shards().end; ++shard) {
    shards.push_back(parameters_of_case(in_order));
    find_gradients(shards.back(), shard, step);
  }
  const Handles first = shards[0];
  const auto sum = ranks.begin_sum(shards, shards.size());
  for (size_t i = first.size(); i-- > 0 && sum->listens();)
    for (size_t shard = 0; shard < shards.size(); ++shard) sum->found(i);
  ranks.finish_sum();
  (void)ranks.count_step();
  State gradients;
  for (const auto& [name, parameter] : first)
    gradients.tensors.emplace_back(name, parameter.grad().clone());
  if (ranks.lets_apart()) gradients = ranks.mean("gradients", gradients);
  std::vector<at::Tensor> found;
  for (const auto& [name, gradient] : gradients.tensors) found.push_back(gradient);
  return found;
}

std::vector<at::Tensor> true_sums(int64_t step) {
  Group alone;
  RankExchange ranks(alone, kShards);
  return exchanged(ranks, step);
}

class EveryExchange : public CaseTest<Exchange, OptionsCase> {};

TEST_P(EveryExchange, GivesAllRanksTheSame) {
  for (const int count : {2, 4}) {
    std::mutex mutex;
    std::vector<std::vector<at::Tensor>> all;
    with_ranks(count, [&](Group& group) {
      RankExchange ranks(group, kShards, make());
      for (int64_t step = 0; step < 3; ++step) {
        const std::vector<at::Tensor> found = exchanged(ranks, step);
        const std::scoped_lock lock(mutex);
        if (step == 2) all.push_back(found);
      }
    });
    for (const std::vector<at::Tensor>& one : all)
      for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(one[i].equal(all[0][i])) << i;
  }
}

TEST_P(EveryExchange, LosesNothingForGood) {
  constexpr int64_t kSteps = 300;
  std::vector<at::Tensor> truth;
  for (int64_t step = 0; step < kSteps; ++step) {
    const std::vector<at::Tensor> sums = true_sums(step);
    for (size_t i = 0; i < sums.size(); ++i) {
      if (step == 0) truth.push_back(at::zeros_like(sums[i]));
      truth[i].add_(sums[i]);
    }
  }
  with_ranks(2, [&](Group& group) {
    RankExchange ranks(group, kShards, make());
    std::vector<at::Tensor> total;
    for (const at::Tensor& sum : truth) total.push_back(at::zeros_like(sum));
    for (int64_t step = 0; step < kSteps; ++step) {
      const std::vector<at::Tensor> found = exchanged(ranks, step);
      for (size_t i = 0; i < found.size(); ++i) total[i].add_(found[i]);
    }
    for (size_t i = 0; i < truth.size(); ++i)
      EXPECT_LT(total[i].sub(truth[i]).norm().item<float>(), 0.2 * truth[i].norm().item<float>())
          << i;
  });
}

TEST_P(EveryExchange, GoesOnFromAStateToTheSameBits) {
  with_ranks(2, [&](Group& group) {
    RankExchange whole(group, kShards, make());
    for (int64_t step = 0; step < 4; ++step) (void)exchanged(whole, step);
    const State saved = copy(whole.state());
    const State left = saved.part("exchange/rank_" + std::to_string(group.rank()));
    EXPECT_TRUE(make()->has_state() || !left.values.value("has_left", false));
    RankExchange resumed(group, kShards, make());
    resumed.restore(saved);
    for (int64_t step = 4; step < 6; ++step) {
      const std::vector<at::Tensor> expected = exchanged(whole, step);
      const std::vector<at::Tensor> found = exchanged(resumed, step);
      for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].equal(expected[i])) << i;
    }
  });
}

TEST_P(EveryExchange, GivesTheSameInAnyOrderOfMemory) {
  with_ranks(2, [&](Group& group) {
    RankExchange first(group, kShards, make());
    RankExchange second(group, kShards, make());
    for (int64_t step = 0; step < 4; ++step) {
      const std::vector<at::Tensor> expected = exchanged(first, step);
      const std::vector<at::Tensor> found = exchanged(second, step, step % 2 == 0);
      for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].equal(expected[i])) << i;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Components, EveryExchange,
                         testing::ValuesIn(all_cases<Exchange, OptionsCase>()), kCaseName);

}  // namespace
}  // namespace hearth
