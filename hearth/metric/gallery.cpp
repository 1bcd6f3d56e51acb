// Samples as points, each of which looks for others of its identity.
#include "hearth/metric/gallery.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cdist.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

// What some of the samples find among all others.
at::Tensor finds_of(const at::Tensor& points, const at::Tensor& labels, int64_t from, int64_t to,
                    const std::vector<int64_t>& ks) {
  const int64_t others = labels.size(0) - 1;
  const at::Tensor rows = at::arange(from, to);
  at::Tensor distances = at::cdist(points.slice(0, from, to), points);
  distances.scatter_(1, rows.unsqueeze(1), std::numeric_limits<double>::infinity());
  const at::Tensor order = std::get<1>(distances.sort(/*stable=*/true, 1, /*descending=*/false));
  const at::Tensor found = labels.index_select(0, order.slice(1, 0, others).flatten());
  const at::Tensor is_same =
      found.view({to - from, others}).eq(labels.slice(0, from, to).unsqueeze(1)).to(at::kDouble);
  const at::Tensor count = is_same.sum(1);
  const at::Tensor places = at::arange(1, others + 1, at::kDouble);
  const at::Tensor precision = is_same.cumsum(1).div(places).mul(is_same).sum(1);
  std::vector<at::Tensor> columns = {count.gt(0).to(at::kDouble), precision / count.clamp_min(1),
                                     std::get<0>(is_same.div(places).max(1))};
  for (const int64_t k : ks) columns.push_back(std::get<0>(is_same.slice(1, 0, k).max(1)));
  return at::stack(columns, 1);
}

}  // namespace

Known check_gallery(std::span<const KeySpec> keys) {
  const Spec& points = keys[0].spec;
  const Spec& labels = keys[1].spec;
  if (points.dtype != DType::kFloat32 || points.shape.size() != 1)
    throw GraphError("compares points, float32 [B, F], but " + quote(keys[0].key) + " is " +
                     points.text() + ". Name the key of what the network makes of a sample.");
  if (labels.dtype != DType::kInt64 || !labels.shape.empty())
    throw GraphError("needs one identity per sample, int64 [B], but " + quote(keys[1].key) +
                     " is " + labels.text() + ". Name the key that holds the data's labels.");
  return {};
}

Rows gallery_rows(const MetricBatch& batch) { return {{batch[0], batch[1]}, batch[1]}; }

at::Tensor gallery_finds(const Samples& samples, const std::string& distance,
                         const std::vector<int64_t>& ks) {
  constexpr int64_t kRows = 256;  // bounds the table of distances
  const int64_t columns = 3 + static_cast<int64_t>(ks.size());
  at::Tensor finds = at::zeros({samples[1].size(0), columns}, at::kDouble);
  const at::Tensor counted = samples[1].ne(kIgnoredLabel).nonzero().flatten();
  const int64_t count = counted.size(0);
  if (count < 2) return finds;
  at::Tensor points = samples[0].to(at::kDouble).index_select(0, counted);
  if (distance == "cosine") points = points / points.norm(2, 1, true).clamp_min(1e-12);
  const at::Tensor labels = samples[1].index_select(0, counted);
  std::vector<at::Tensor> found;
  for (int64_t from = 0; from < count; from += kRows)
    found.push_back(finds_of(points, labels, from, std::min(from + kRows, count), ks));
  return finds.index_copy_(0, counted, at::cat(found));
}

std::vector<double> gallery_means(const Samples& finds) {
  std::vector<double> sums = weighed_sums(finds);
  const double samples = sums.front();
  sums.erase(sums.begin());
  for (double& sum : sums) sum = sum / samples;  // not a number where there are none
  return sums;
}

}  // namespace hearth
