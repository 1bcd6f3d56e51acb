#include "hearth/data/ops/filter.h"

#include <gtest/gtest.h>

#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::Ops;

std::vector<int64_t> kept_of(const sample_ops::FilterOptions& options, int workers = 0) {
  const Chain chain(std::make_shared<CountingSource>(12),
                    Ops{registry<SampleOp>().make(sample_ops::filter(options))}, {"id", "x"});
  Loader loader(12, {.name = "train", .batch_size = 6, .workers = workers}, chain.every_epoch());
  std::vector<int64_t> kept;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next()) {
    EXPECT_EQ(batch.rows(), 6);
    kept.insert(kept.end(), batch.samples().begin(), batch.samples().end());
  }
  return kept;
}

TEST(Filter, KeepsWhatIsWithinBounds) {
  for (const int workers : {0, 2}) {
    EXPECT_EQ(kept_of({.key = "id", .least = 3, .most = 8}, workers),
              (std::vector<int64_t>{3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(kept_of({.key = "id", .only = {0, 7, 11}}, workers),
              (std::vector<int64_t>{0, 7, 11}));
    EXPECT_EQ(kept_of({.key = "id", .most = 7, .without = {1, 2}}, workers),
              (std::vector<int64_t>{0, 3, 4, 5, 6, 7}));
  }
}

TEST(Filter, SaysWhenABatchIsEmpty) {
  EXPECT_EQ(message_of<DataError>([] { (void)kept_of({.key = "id", .least = 6}); }),
            "not one sample of batch 0 of epoch 0 is left to learn from: all were filtered out. "
            "Widen the filter, or shuffle.");
}

TEST(Filter, RefusesOptionsThatKeepEverythingAndPictures) {
  const auto all = registry<SampleOp>().make(sample_ops::filter({.key = "id"}));
  EXPECT_THROW((void)all->infer({{.dtype = DType::kInt64}}), GraphError);
  const auto op = registry<SampleOp>().make(sample_ops::filter({.key = "image", .least = 1}));
  EXPECT_THROW((void)op->infer({{.dtype = DType::kUint8, .shape = {4, 4, 1}}}), GraphError);
}

}  // namespace
}  // namespace hearth
