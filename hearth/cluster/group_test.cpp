// Operations of ranks that are threads of this process, through memory and over real sockets.
#include "hearth/cluster/group.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "hearth/base/error.h"
#include "hearth/cluster/join.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string error_of(int ranks, const std::function<void(Group&)>& body,
                     const JoinOptions& options = {}) {
  try {
    with_ranks(ranks, body, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<float> values_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

TEST(Group, GathersAndBroadcastsBytes) {
  for (const int ranks : {1, 2, 3}) {
    std::atomic<int> seen = 0;
    with_ranks(ranks, [&](Group& group) {
      const std::string own(static_cast<size_t>(group.rank()) * 1000, 'x');
      const std::vector<std::string> all = group.gather("words", own);
      ASSERT_EQ(static_cast<size_t>(ranks), all.size());
      for (size_t rank = 0; rank < all.size(); ++rank) EXPECT_EQ(rank * 1000, all[rank].size());
      EXPECT_EQ("of rank 0", group.broadcast("a word", "of rank " + std::to_string(group.rank())));
      group.barrier("nothing");
      ++seen;
    });
    EXPECT_EQ(ranks, seen);
  }
}

// More than is on its way at once in memory; two waited for in the other order than begun.
TEST(Group, SendsMuchThroughMemoryAndOverLoopbackAlike) {
  for (const bool shares_memory : {true, false}) {
    JoinOptions options;
    options.shares_memory = shares_memory;
    with_ranks(
        2,
        [](Group& group) {
          const int64_t half = 1'500'000;
          const auto row = [&](int rank) {
            return at::arange(rank, rank + 2 * half, at::kFloat).contiguous();
          };
          Pending first = group.all_to_all("much", row(group.rank()), {half, half});
          Pending second =
              group.all_to_all("little", at::full({2}, group.rank(), at::kLong), {1, 1});
          const at::Tensor little = second.wait();
          const at::Tensor much = first.wait();
          for (int rank = 0; rank < 2; ++rank) {
            EXPECT_EQ(little.select(0, rank).item<int64_t>(), rank);
            EXPECT_TRUE(much.select(0, rank).equal(row(rank).narrow(0, half * group.rank(), half)));
          }
        },
        options);
  }
}

TEST(Group, CountsTheBytesItSends) {
  with_ranks(3, [](Group& group) {
    const uint64_t before = group.sent_bytes();
    const at::Tensor row = at::full({30}, 1.0);
    (void)group.all_to_all("pieces", row, {10, 10, 10}).wait();
    EXPECT_EQ(group.sent_bytes() - before, 2U * 10 * 4);
    (void)group.all_gather_into("all", row, {30, 30, 30}).wait();
    EXPECT_EQ(group.sent_bytes() - before, 2U * 10 * 4 + 2U * 30 * 4);
  });
  EXPECT_EQ(Group().sent_bytes(), 0U);
}

TEST(Group, GathersTensorsOfDifferentSizes) {
  with_ranks(3, [](Group& group) {
    const std::vector<at::Tensor> all =
        group.all_gather("tensors", at::full({group.rank(), 2}, group.rank(), at::kDouble));
    for (int rank = 0; rank < 3; ++rank) {
      const at::Tensor& one = all[static_cast<size_t>(rank)];
      EXPECT_EQ(at::kDouble, one.scalar_type());
      EXPECT_TRUE(one.equal(at::full({rank, 2}, rank, at::kDouble)));
    }
  });
}

// Values that say whose they are and where they stood.
at::Tensor values_of_rank(int rank, int64_t count) {
  return at::arange(1000 * rank, 1000 * rank + count, at::kFloat);
}

TEST(Group, GathersBytesToTheFirstAlone) {
  for (const int ranks : {1, 3})
    with_ranks(ranks, [&](Group& group) {
      const int64_t size = 10 + group.rank() * 1000;
      const std::vector<at::Tensor> all =
          group.gather_to_first("bytes", at::full({size}, group.rank(), at::kByte));
      ASSERT_EQ(all.size(), group.is_first() ? static_cast<size_t>(ranks) : 0U);
      for (size_t rank = 0; rank < all.size(); ++rank)
        EXPECT_TRUE(all[rank].equal(at::full({10 + static_cast<int64_t>(rank) * 1000},
                                             static_cast<int64_t>(rank), at::kByte)));
    });
}

TEST(Group, SendsPiecesToEachWhileOthersAreOnTheirWay) {
  for (const int ranks : {1, 2, 4})
    with_ranks(ranks, [&](Group& group) {
      std::vector<int64_t> sizes;
      for (int rank = 0; rank < ranks; ++rank) sizes.push_back(rank == 1 ? 0 : rank + 3);
      int64_t start = 0;
      for (int rank = 0; rank < group.rank(); ++rank) start += sizes[static_cast<size_t>(rank)];
      const int64_t mine = sizes[static_cast<size_t>(group.rank())];
      int64_t count = 0;
      for (const int64_t size : sizes) count += size;
      std::vector<Pending> pending;
      for (int bucket = 0; bucket < 5; ++bucket)
        pending.push_back(
            group.all_to_all("bucket", values_of_rank(group.rank() + 10 * bucket, count), sizes));
      for (int bucket = 0; bucket < 5; ++bucket) {
        const at::Tensor rows = pending[static_cast<size_t>(bucket)].wait();
        ASSERT_EQ((std::vector<int64_t>{ranks, mine}), rows.sizes().vec());
        for (int rank = 0; rank < ranks; ++rank)
          EXPECT_TRUE(rows.select(0, rank).equal(
              values_of_rank(rank + 10 * bucket, count).narrow(0, start, mine)));
      }
    });
}

TEST(Group, GathersPiecesInPlace) {
  for (const int ranks : {1, 2, 3})
    with_ranks(ranks, [&](Group& group) {
      std::vector<int64_t> sizes;
      for (int rank = 0; rank < ranks; ++rank) sizes.push_back(2 + rank);
      const at::Tensor own = values_of_rank(group.rank(), sizes[static_cast<size_t>(group.rank())]);
      const at::Tensor all = group.all_gather_into("pieces", own, sizes).wait();
      std::vector<float> expected;
      for (int rank = 0; rank < ranks; ++rank)
        for (const float value : values_of(values_of_rank(rank, 2 + rank)))
          expected.push_back(value);
      EXPECT_EQ(expected, values_of(all));
    });
}

TEST(Group, WritesRankZerosValuesOverTheOthers) {
  with_ranks(2, [](Group& group) {
    const std::vector<at::Tensor> tensors = {at::full({3}, group.rank(), at::kFloat),
                                             at::full({2, 2}, 5 + group.rank(), at::kLong).t()};
    group.broadcast_into("parameters", tensors);
    EXPECT_TRUE(tensors[0].equal(at::full({3}, 0, at::kFloat)));
    EXPECT_TRUE(tensors[1].equal(at::full({2, 2}, 5, at::kLong)));
  });
}

TEST(Group, NamesBothSidesOfADisagreement) {
  EXPECT_EQ("", error_of(2, [](Group& group) { group.agree("config", "same"); }));
  EXPECT_THAT(
      error_of(3, [](Group& group) { group.agree("config", group.rank() == 2 ? "other" : "one"); }),
      AllOf(HasSubstr("rank 0 and rank 2"), HasSubstr("config"), HasSubstr("'one' and 'other'")));
}

TEST(Group, TellsTheOthersOfAnError) {
  std::atomic<int> told = 0;
  const auto body = [&](Group& group) {
    if (group.rank() == 1) throw DataError("The disk is full.");
    try {
      group.barrier("step 3");
    } catch (const ClusterError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("rank 1"), HasSubstr("The disk is full.")));
      ++told;
      throw;
    }
  };
  EXPECT_NE("", error_of(3, body));
  EXPECT_EQ(2, told);
}

TEST(Group, NamesWhoKeepsTheOthersWaiting) {
  JoinOptions options;
  options.slow = std::chrono::milliseconds(700);
  std::mutex mutex;
  std::vector<std::string> said;
  options.say = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    said.push_back(text);
  };
  with_ranks(
      2,
      [](Group& group) {
        group.doing("step 7, forward");
        if (group.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(2));
        group.barrier("gradients");
      },
      options);
  ASSERT_FALSE(said.empty());
  EXPECT_THAT(said.front(), AllOf(HasSubstr("rank 0 has waited"), HasSubstr("'gradients'"),
                                  HasSubstr("for rank 1"), HasSubstr("step 7, forward")));
}

TEST(Group, EndsWhenPatienceDoes) {
  JoinOptions options;
  options.slow = std::chrono::milliseconds(300);
  options.patience = std::chrono::milliseconds(1000);
  options.say = [](const std::string&) {};
  const auto body = [](Group& group) {
    if (group.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(4));
    group.barrier("gradients");
  };
  EXPECT_THAT(error_of(2, body, options), AllOf(HasSubstr("too long"), HasSubstr("rank 1")));
}

}  // namespace
}  // namespace hearth
