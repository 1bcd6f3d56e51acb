// The loss of a batch is that of its parts, each by what it says that it is the mean of: so steps
// of several batches, replicas and shards count as one batch would.
#include <ATen/ops/scalar_tensor.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/conformance/op_cases.h"

namespace hearth {
namespace {

// What these find between the samples of a batch stays within it.
const std::set<std::string> kCompareSamples = {"contrastive_loss", "info_nce", "sup_con",
                                               "triplet_loss"};

// The loss of some rows as a sum, and how much it counts; nothing for one that is a sum itself.
struct PartOfLoss {
  double sum = 0;
  double count = 0;
};

class EveryLoss : public OpCaseTest {
 protected:
  [[nodiscard]] std::vector<PartOfLoss> part(const TriedOp& op, const std::vector<at::Tensor>& all,
                                             int64_t first, int64_t rows) const {
    std::vector<at::Tensor> inputs;
    for (size_t i = 0; i < all.size(); ++i)
      inputs.push_back(specs_[i].is_per_batch ? all[i] : all[i].narrow(0, first, rows));
    const auto [losses, count] = op.losses(inputs);
    const at::Tensor total = count.total.defined()
                                 ? count.total
                                 : at::scalar_tensor(static_cast<double>(rows), at::kDouble);
    const double factor = count.is_sum ? 1 : loss_divisor(total).item<double>();
    std::vector<PartOfLoss> parts;
    for (const at::Tensor& loss : losses)
      parts.push_back({loss.item<double>() * factor, count.is_sum ? 0 : total.item<double>()});
    return parts;
  }
};

TEST_P(EveryLoss, IsThatOfItsPartsByWhatTheyCount) {
  const auto op = tried_op(Kernels::kFast);
  if (kCompareSamples.contains(GetParam().component)) GTEST_SKIP() << "compares samples";
  for (const Spec& output : op->outputs())
    if (!output.is_per_batch) GTEST_SKIP() << "no loss";
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<at::Tensor> all = inputs(seed);
    const auto whole = part(*op, all, 0, kCaseBatch);
    const auto first = part(*op, all, 0, 1);
    const auto rest = part(*op, all, 1, kCaseBatch - 1);
    for (size_t i = 0; i < whole.size(); ++i) {
      EXPECT_NEAR(first[i].sum + rest[i].sum, whole[i].sum, 1e-4 * (1 + std::abs(whole[i].sum)))
          << "output " << i;
      EXPECT_NEAR(first[i].count + rest[i].count, whole[i].count, 1e-4) << "output " << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryLoss, testing::ValuesIn(value_op_cases()), kCaseName);

}  // namespace
}  // namespace hearth
