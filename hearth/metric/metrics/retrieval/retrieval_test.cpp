// Retrieval beside what one counts by hand.
#include "hearth/metric/metrics/retrieval/retrieval.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/metric.h"

namespace hearth {
namespace {

Measured found(const at::Tensor& points, const at::Tensor& labels,
               metrics::RetrievalOptions options = {}) {
  const auto metric = registry<Metric>().make(metrics::retrieval(std::move(options)));
  const std::vector<at::Tensor> batch = {points.reshape({labels.size(0), -1}), labels};
  metric->update(batch, {});
  return metric->measured();
}

TEST(Retrieval, CountsTheNearestOtherSample) {
  // On a line: 0 and 1 are of one thing, 3 and 9 of another, 4 stands alone.
  const Measured measured = found(at::tensor({0.F, 1.F, 3.F, 4.F, 9.F}),
                                  at::tensor({0, 0, 1, 2, 1}, at::kLong), {.k = 2});
  EXPECT_DOUBLE_EQ(*measured.headline, 2.0 / 4);
  // 3 sees 4, 1, 0, 9: its other one is the fourth. 9 sees 4, 3: the second.
  EXPECT_DOUBLE_EQ(measured.numbers[0].second, (1 + 1 + 1.0 / 4 + 1.0 / 2) / 4);
  EXPECT_DOUBLE_EQ(measured.numbers[1].second, 3.0 / 4);
}

TEST(Retrieval, LeavesOutWhatDoesNotCount) {
  const Measured measured = found(at::tensor({0.F, 1.F, 2.F}), at::tensor({0, -100, 0}, at::kLong));
  EXPECT_EQ(*measured.headline, 1);
}

TEST(Retrieval, ComparesDirections) {
  const at::Tensor points = at::tensor({1.F, 0.F, 0.F, 1.F, 9.F, 1.F}).reshape({3, 2});
  const at::Tensor labels = at::tensor({0, 1, 0}, at::kLong);
  EXPECT_EQ(*found(points, labels, {.distance = "cosine"}).headline, 1);
  EXPECT_EQ(*found(points, labels).headline, 0.5);
}

TEST(Retrieval, IsNoNumberOfOneSample) {
  EXPECT_TRUE(std::isnan(*found(at::tensor({1.F}), at::tensor({0}, at::kLong)).headline));
  EXPECT_TRUE(std::isnan(*found(at::tensor({1.F, 2.F}), at::tensor({0, 1}, at::kLong)).headline));
}

}  // namespace
}  // namespace hearth
