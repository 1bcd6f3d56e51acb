// Gradients on their way between ranks while a backward pass runs.
#include "hearth/network/gradient_sum.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>
#include <chrono>
#include <mutex>
#include <thread>

#include "hearth/cluster/join.h"
#include "hearth/network/gradient_hooks.h"
#include "hearth/network/rank_exchange.h"

namespace hearth {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A bucket for each parameter, sent as it is; remembers what it sent.
class OneByOne : public Exchange {
 public:
  explicit OneByOne(std::vector<std::string>& sent) : sent_(sent) {}
  [[nodiscard]] Buckets buckets() const override { return {1, 1, true}; }
  [[nodiscard]] Pending send(Parcel& parcel, Post& post) override {
    sent_.push_back(parcel.parts.at(0).name);
    return post.to_each(parcel.row);
  }
  [[nodiscard]] Pending go_on(Parcel& parcel, at::Tensor received, Post& post) override {
    post.own_piece(parcel.row).copy_(post.sum(received));
    return post.complete(parcel.row);
  }
  void arrive(Parcel&, const at::Tensor&, const Post&) override {}

 private:
  std::vector<std::string>& sent_;
};

// Three parameters with gradients of the rank's number.
Handles handles_of_rank(int rank) {
  Handles all;
  for (const char* name : {"net/a", "net/b", "net/c"}) {
    all.emplace_back(name, at::zeros({5}).set_requires_grad(true));
    all.back().second.mutable_grad() = at::full({5}, rank + 1.0);
  }
  return all;
}

TEST(GradientSum, SendsWhatIsFoundWhileOthersAreStillMissing) {
  with_ranks(2, [](Group& group) {
    std::vector<std::string> sent;
    RankExchange ranks(group, 2, std::make_unique<OneByOne>(sent));
    const Handles parameters = handles_of_rank(group.rank());
    const auto sum = ranks.begin_sum({parameters}, 1);
    sum->found(1);
    EXPECT_THAT(sent, ElementsAre());  // the last parameter is expected first, on all ranks
    sum->found(2);
    EXPECT_THAT(sent, ElementsAre("net/c", "net/b"));
    ranks.finish_sum();
    EXPECT_THAT(sent, ElementsAre("net/c", "net/b", "net/a"));
    for (const auto& [name, parameter] : parameters)
      EXPECT_TRUE(parameter.grad().eq(3).all().item<bool>()) << name;
  });
}

TEST(GradientSum, GoesInTheOrderThatTheFirstRankFoundOnAllRanks) {
  with_ranks(2, [](Group& group) {
    std::vector<std::string> sent;
    RankExchange ranks(group, 2, std::make_unique<OneByOne>(sent));
    for (int step = 0; step < 2; ++step) {
      sent.clear();
      const auto sum = ranks.begin_sum({handles_of_rank(group.rank())}, 1);
      if (group.is_first())
        for (const size_t parameter : {1, 0, 2}) sum->found(parameter);
      else
        for (const size_t parameter : {0, 2, 1}) sum->found(parameter);
      ranks.finish_sum();
    }
    EXPECT_THAT(sent, ElementsAre("net/b", "net/a", "net/c"));
  });
}

TEST(GradientSum, NamesTheBucketThatALateRankDoesNotSend) {
  JoinOptions options;
  options.slow = std::chrono::milliseconds(700);
  std::mutex mutex;
  std::string said;
  options.say = [&](const std::string& text) {
    const std::scoped_lock lock(mutex);
    said += text;
  };
  with_ranks(
      2,
      [](Group& group) {
        std::vector<std::string> sent;
        RankExchange ranks(group, 2, std::make_unique<OneByOne>(sent));
        group.doing("step 7");
        const auto sum = ranks.begin_sum({handles_of_rank(group.rank())}, 1, "update of net: ");
        sum->found(2);
        if (group.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(2));
        ranks.finish_sum();
      },
      options);
  EXPECT_THAT(said, AllOf(HasSubstr("rank 0 has waited"),
                          HasSubstr("'update of net: gradients, bucket 2 of 3'"),
                          HasSubstr("for rank 1"), HasSubstr("doing: step 7")));
}

TEST(GradientHooks, TellsOfEachParameterOnceAllOfItsGradientIsThere) {
  const std::vector<at::Tensor> parameters = {at::ones({2}).set_requires_grad(true),
                                              at::ones({2}).set_requires_grad(true),
                                              at::ones({2}).set_requires_grad(true)};
  const at::Tensor hidden = parameters[0].mul(2);
  const at::Tensor loss = hidden.mul(parameters[1]).add(parameters[0]).sum();
  std::vector<size_t> found;
  {
    const GradientHooks hooks(parameters, [&](size_t index) {
      EXPECT_TRUE(parameters[index].grad().defined());
      found.push_back(index);
    });
    torch::autograd::backward({loss}, {}, true);
  }
  torch::autograd::backward({loss}, {});  // nobody is told any more
  EXPECT_THAT(found, testing::UnorderedElementsAre(0, 1));
  EXPECT_TRUE(parameters[0].grad().eq(6).all().item<bool>());
}

}  // namespace
}  // namespace hearth
