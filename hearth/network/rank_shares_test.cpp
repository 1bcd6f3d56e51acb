// Optimizers whose state is shared out among ranks, which are threads of this process.
#include "hearth/network/rank_shares.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <c10/core/GradMode.h>
#include <mutex>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/cluster/join.h"
#include "hearth/config/registry.h"
#include "hearth/network/exchanges/exact.h"
#include "hearth/network/rank_exchange.h"
#include "hearth/network/replicas.h"

namespace hearth {
namespace {

constexpr int kSteps = 4;

// Values that follow from the number.
at::Tensor numbered(at::IntArrayRef sizes, int64_t number) {
  const at::Tensor row = at::arange(at::empty(sizes).numel(), at::kFloat);
  return row.mul(0.37).add(static_cast<double>(number)).sin_().view(sizes);
}

// One of several parts of kUpdateChunk values, small ones, and a convolution's.
std::vector<NamedTensor> parameters_of_test() {
  std::vector<NamedTensor> all;
  const std::vector<std::vector<int64_t>> sizes = {{90, 100}, {90}, {16, 8, 3, 3}, {70, 60}, {}};
  for (const auto& each : sizes) {
    const std::string name = "p" + std::to_string(all.size());
    all.emplace_back(name, numbered(each, 100 + static_cast<int64_t>(all.size())));
    all.back().second.set_requires_grad(true);
  }
  return all;
}

struct Trained {
  std::unique_ptr<Optimizer> optimizer;
  std::vector<NamedTensor> parameters = parameters_of_test();
};

struct TestedShares {
  std::string optimizer = "adamw";
  Kernels kernels = Kernels::kFast;
  std::optional<double> average = {};
  bool has_shared_gradients = false;
};

Trained made(const TestedShares& tested) {
  Trained one{registry<Optimizer>().make(Choice<Optimizer>(tested.optimizer, Node::map()))};
  one.optimizer->attach(one.parameters, tested.kernels, tested.average);
  return one;
}

Trained shared(const TestedShares& tested, const Group& group) {
  Trained one = made(tested);
  one.optimizer->set_shares(
      {share_out(one.optimizer->shared_parameters(), group.size()), group.rank()});
  return one;
}

// The second parameter has a gradient in every second step only.
void set_gradients(const Trained& trained, int step, bool are_shared) {
  for (size_t i = 0; i < trained.parameters.size(); ++i) {
    const at::Tensor& parameter = trained.parameters[i].second;
    if (i == 1 && step % 2 == 1) continue;
    at::Tensor gradient = numbered(parameter.sizes(), step * 10 + static_cast<int64_t>(i));
    const ParameterShares& shares = trained.optimizer->shares();
    if (are_shared && shares.own(i).size() != parameter.numel())
      gradient = gradient.view({-1}).narrow(0, shares.own(i).begin, shares.own(i).size()).clone();
    parameter.mutable_grad() = gradient;
  }
}

void train(const Trained& trained, int from, int to, ShareExchange* shares = nullptr,
           bool has_shared_gradients = false) {
  for (int step = from; step < to; ++step) {
    set_gradients(trained, step, has_shared_gradients);
    trained.optimizer->step({step, 0, {10, 10, 1}}, 0.5, {{}, nullptr, shares});
    trained.optimizer->drop_gradients();
  }
}

void expect_same(const std::vector<NamedTensor>& left, const std::vector<NamedTensor>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].first, right[i].first);
    EXPECT_TRUE(left[i].second.equal(right[i].second)) << left[i].first;
  }
}

State whole_state(Group& group, const Trained& trained) {
  RankExchange ranks(group, group.size());
  const std::vector<State> all = ranks.gather_to_first("test", trained.optimizer->state());
  return group.is_first() ? trained.optimizer->whole_state(all) : State();
}

void expect_same_as_alone(const TestedShares& tested) {
  SCOPED_TRACE(tested.optimizer);
  const Trained alone = made(tested);
  train(alone, 0, kSteps);
  const State expected = alone.optimizer->state();
  std::mutex mutex;
  for (const int count : {2, 3})
    with_ranks(count, [&](Group& group) {
      RankShares shares(group);
      const Trained own = shared(tested, group);
      train(own, 0, kSteps, &shares, tested.has_shared_gradients);
      const State whole = whole_state(group, own);
      const std::scoped_lock lock(mutex);
      expect_same(alone.parameters, own.parameters);
      if (!group.is_first()) return;
      expect_same(expected.tensors, whole.tensors);
      EXPECT_EQ(expected.values, whole.values);
    });
}

// Every one that can be shared out: some look at whole parameters, which are not cut for them.
TEST(RankShares, EveryOptimizerMovesToTheSameBitsAsAlone) {
  for (const std::string& name : registry<Optimizer>().names()) {
    const Trained one = made({name});
    if (one.optimizer->searches() || one.optimizer->has_own_average()) continue;
    for (const bool has_shared_gradients : {false, true})
      expect_same_as_alone({.optimizer = name, .has_shared_gradients = has_shared_gradients});
  }
}

TEST(RankShares, AveragesAndPlainKernelsMoveToTheSameBitsAsAlone) {
  for (const Kernels kernels : {Kernels(Kernels::kFast), Kernels(Kernels::kPlain)})
    for (const bool has_shared_gradients : {false, true})
      expect_same_as_alone({"adam", kernels, 0.9, has_shared_gradients});
}

TEST(RankShares, ARankRemembersItsShareAlone) {
  const Trained alone = made({"adam"});
  train(alone, 0, 1);
  const int64_t all = alone.optimizer->shared_bytes();
  with_ranks(4, [&](Group& group) {
    RankShares shares(group);
    const Trained own = shared({"adam"}, group);
    train(own, 0, 1, &shares, true);
    EXPECT_GT(own.optimizer->shared_bytes(), 0);
    // A quarter, and what the cuts leave uneven: parts of 2048 values.
    EXPECT_LE(own.optimizer->shared_bytes(), all / 4 + kUpdateChunk * 8);
  });
}

TEST(RankShares, OptimizersOfWholeParametersAreNotCut) {
  for (const char* name : {"lamb", "lars", "adafactor", "muon"})
    for (const SharedParameter& parameter : made({name}).optimizer->shared_parameters())
      EXPECT_FALSE(parameter.can_be_cut) << name << " " << parameter.name;
  const std::vector<SharedParameter> adam = made({"adam"}).optimizer->shared_parameters();
  EXPECT_TRUE(adam[0].can_be_cut);
  EXPECT_FALSE(adam[2].can_be_cut);  // of a convolution, which is packed
  EXPECT_EQ(adam[0].bytes_of_value, 8);
}

TEST(RankShares, AWholeStateIsTakenUpByAnyNumberOfRanks) {
  const Trained alone = made({"nadam"});
  train(alone, 0, 2);
  const State saved = copy(alone.optimizer->state());
  std::vector<at::Tensor> values;
  for (const auto& [name, parameter] : alone.parameters) values.push_back(parameter.clone());
  train(alone, 2, kSteps);
  std::mutex mutex;
  for (const int count : {2, 4})
    with_ranks(count, [&](Group& group) {
      RankShares shares(group);
      const Trained own = shared({"nadam"}, group);
      {
        const c10::AutoGradMode no_grad(false);
        for (size_t i = 0; i < values.size(); ++i) own.parameters[i].second.copy_(values[i]);
      }
      own.optimizer->restore(saved);
      train(own, 2, 3, &shares);
      own.optimizer->restore(copy(own.optimizer->state()));  // of its own share
      train(own, 3, kSteps, &shares);
      const std::scoped_lock lock(mutex);
      expect_same(alone.parameters, own.parameters);
    });
}

TEST(RankShares, WholeGradientsComeTogetherForWhoLooksAtThem) {
  const Trained alone = made({});
  set_gradients(alone, 0, false);
  with_ranks(3, [&](Group& group) {
    RankShares shares(group);
    const Trained own = shared({}, group);
    set_gradients(own, 0, true);
    const std::vector<NamedTensor> found = own.optimizer->whole_gradients(shares);
    ASSERT_EQ(found.size(), alone.parameters.size());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_TRUE(found[i].second.equal(alone.parameters[i].second.grad())) << i;
  });
}

// Of two shards a rank, with gradients that one of them lacks.
TEST(RankShares, EveryRankIsSentTheSumsOfItsShare) {
  constexpr int64_t kShards = 4;
  const auto sums = [&](Group& group, const ParameterShares* of) {
    RankExchange ranks(group, kShards, nullptr, 2);
    std::vector<Handles> shards;
    for (int64_t shard = ranks.own_shards().begin; shard < ranks.own_shards().end; ++shard) {
      shards.push_back(parameters_of_test());
      for (size_t i = 0; i < shards.back().size(); ++i) {
        const at::Tensor& parameter = shards.back()[i].second;
        if (i == 4 || (i == 1 && shard != 3)) continue;
        parameter.mutable_grad() = numbered(parameter.sizes(), shard * 7).mul_(1e6);
      }
    }
    const Handles first = shards[0];
    ranks.begin_sum(shards, 0, "", of);
    ranks.finish_sum();
    std::vector<at::Tensor> found;
    for (const auto& [name, parameter] : first) found.push_back(parameter.grad());
    return found;
  };
  Group alone;
  const std::vector<at::Tensor> expected = sums(alone, nullptr);
  with_ranks(2, [&](Group& group) {
    const Trained own = shared({}, group);
    const ParameterShares& shares = own.optimizer->shares();
    const std::vector<at::Tensor> found = sums(group, &shares);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(found[i].defined(), expected[i].defined()) << i;
      if (!found[i].defined()) continue;
      const ValueRange& range = shares.own(i);
      EXPECT_TRUE(found[i].reshape({-1}).equal(
          expected[i].reshape({-1}).narrow(0, range.begin, range.size())))
          << i;
    }
  });
}

// Sends what it sends as it likes; its ranks may make steps by themselves.
class OtherWay : public Exchange {
 public:
  explicit OtherWay(int64_t steps_apart) : steps_apart_(steps_apart) {}
  [[nodiscard]] Pending send(Parcel&, Post&) override { return {}; }
  [[nodiscard]] Pending go_on(Parcel&, at::Tensor, Post&) override { return {}; }
  void arrive(Parcel&, const at::Tensor&, const Post&) override {}
  [[nodiscard]] int64_t steps_apart() const override { return steps_apart_; }

 private:
  int64_t steps_apart_;
};

TEST(RankShares, ExchangesThatNeedEverythingEverywhereAreRefused) {
  EXPECT_NO_THROW(check_zero(0, OtherWay(8), "other"));
  EXPECT_NO_THROW(check_zero(1, OtherWay(0), "other"));
  EXPECT_NO_THROW(check_zero(2, *registry<Exchange>().make(exchanges::exact()), "exact"));
  EXPECT_THAT(
      message_of<ConfigError>([] { check_zero(2, OtherWay(0), "other"); }),
      testing::HasSubstr("with the exchange 'other' gradients do not travel as plain sums"));
  EXPECT_THAT(message_of<ConfigError>([] { check_zero(1, OtherWay(8), "other"); }),
              testing::HasSubstr("every process makes steps of its own"));
}

}  // namespace
}  // namespace hearth
