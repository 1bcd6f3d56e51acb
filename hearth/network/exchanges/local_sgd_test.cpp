// Steps that ranks make by themselves.
#include "hearth/network/exchanges/local_sgd.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include "hearth/network/exchange_fixture.h"

namespace hearth::exchanges {
namespace {

TEST(LocalSgdExchange, LetsARanksGradientsStandForThoseOfAll) {
  with_two_ranks(local_sgd(), [](RankExchange& ranks, Group& group) {
    const at::Tensor sum = exchanged(ranks, {at::full({3}, group.rank() + 1.0)})[0];
    EXPECT_TRUE(sum.eq(2 * (group.rank() + 1)).all().item<bool>());
  });
}

TEST(LocalSgdExchange, AsksForTheMeanAfterItsStepsButNotAfterExactOnes) {
  with_two_ranks(local_sgd({.steps = 2, .exact_steps = 3}), [](RankExchange& ranks, Group&) {
    std::vector<bool> asked;
    for (int step = 0; step < 7; ++step) {
      asked.push_back(ranks.count_step());
      if (asked.back()) ranks.end_apart();
    }
    EXPECT_EQ(asked, std::vector<bool>({false, false, false, false, true, false, true}));
  });
}

TEST(LocalSgdExchange, TakesTheMeanOfAllThatIsNoWholeNumber) {
  with_two_ranks(local_sgd(), [](RankExchange& ranks, Group& group) {
    State own;
    own.tensors = {{"a", at::full({2, 3}, group.rank() + 0.5)},
                   {"b", at::full({1}, group.rank(), at::kDouble)},
                   {"steps", at::full({1}, 7, at::kLong)}};
    const State mean = ranks.mean("averaging", own);
    EXPECT_TRUE(mean.tensor("a").equal(at::full({2, 3}, 1.0)));
    EXPECT_TRUE(mean.tensor("b").equal(at::full({1}, 0.5, at::kDouble)));
    EXPECT_TRUE(mean.tensor("steps").equal(own.tensor("steps")));
  });
}

TEST(LocalSgdExchange, KnowsHowFarRanksAreApartAfterAResumeWithAsMany) {
  const auto state_of_rank = [](int rank) {
    State own;
    own.values = {{"ranks", 2}, {"has_left", false}, {"steps", 1}, {"steps_apart", 3}};
    State state;
    state.add("exchange/rank_" + std::to_string(rank), own);
    return state;
  };
  for (const int count : {2, 3})
    with_ranks(count, [&](Group& group) {
      RankExchange ranks(group, 3, registry<Exchange>().make(local_sgd({.exact_steps = 2})));
      State all = state_of_rank(0);
      all.values.merge_patch(state_of_rank(1).values);
      ranks.restore(all);
      EXPECT_EQ(ranks.are_apart(), count == 2);
      (void)ranks.count_step();  // the last exact one
      EXPECT_EQ(ranks.are_apart(), count == 2);
      (void)ranks.count_step();
      EXPECT_TRUE(ranks.are_apart());
    });
}

}  // namespace
}  // namespace hearth::exchanges
