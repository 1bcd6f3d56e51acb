// An evaluation that ranks share: every batch is computed once, and all see all of them in order.
#include "hearth/train/shared_evaluation.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <atomic>

#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {
namespace {

TEST(SharedEvaluation, ShowsEveryBatchToAllInOrder) {
  for (const int64_t batches : {1, 2, 3, 7}) {
    std::atomic<int64_t> computed = 0;
    with_ranks(3, [&](Group& group) {
      SharedEvaluation shared(group, batches);
      EXPECT_LE(shared.count(), shared.rounds());
      for (int64_t batch = shared.first(); batch < shared.first() + shared.count(); ++batch) {
        ++computed;
        shared.keep({at::full({2}, batch, at::kLong), at::Tensor()});
      }
      std::vector<int64_t> seen;
      shared.replay([&](const std::vector<at::Tensor>& values) {
        ASSERT_EQ(values.size(), 2U);
        EXPECT_FALSE(values[1].defined());
        seen.push_back(values[0][1].item<int64_t>());
      });
      ASSERT_EQ(static_cast<int64_t>(seen.size()), batches);
      for (int64_t batch = 0; batch < batches; ++batch)
        EXPECT_EQ(seen[static_cast<size_t>(batch)], batch);
    });
    EXPECT_EQ(computed, batches);
  }
}

TEST(SharedEvaluation, KeepsValuesWithTheirOrderInMemory) {
  with_ranks(2, [](Group& group) {
    at::Tensor image = at::arange(2 * 3 * 4 * 5, at::kFloat).view({2, 4, 5, 3});
    image = image.permute({0, 3, 1, 2});
    const at::Tensor part = at::arange(12, at::kFloat).view({3, 4}).slice(1, 2, 4);
    SharedEvaluation shared(group, 2);
    shared.keep({image, part});
    shared.replay([&](const std::vector<at::Tensor>& values) {
      EXPECT_TRUE(values[0].equal(image));
      EXPECT_EQ(values[0].strides(), image.strides());
      EXPECT_TRUE(values[1].equal(part));
      EXPECT_EQ(values[1].strides(), part.strides());
    });
  });
}

CompiledPlan plan_with(const Spec& spec) {
  CompiledPlan compiled;
  compiled.plan.values = {{"scores", spec}};
  compiled.metrics = {{nullptr, {0}}};
  return compiled;
}

TEST(SharedEvaluation, SendsNoMoreThanIsSmallBesideTheWork) {
  Spec scores;
  scores.shape = {1000};
  EXPECT_TRUE(SharedEvaluation::can_send(plan_with(scores), 100, 10'000));
  EXPECT_FALSE(SharedEvaluation::can_send(plan_with(scores), 100, 1'000'000));
  scores.shape = {kAnyLength};
  EXPECT_FALSE(SharedEvaluation::can_send(plan_with(scores), 1, 1));
  scores.shape = {};
  scores.is_per_batch = true;
  EXPECT_TRUE(SharedEvaluation::can_send(plan_with(scores), 100, int64_t{1} << 40));
}

}  // namespace
}  // namespace hearth
