// Samples as points, each of which looks for others of its identity among all the rest.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/metric/gather_metric.h"

namespace hearth {

// The options of metrics that read keys this way.
template <class O>
[[nodiscard]] Schema<O> gallery_schema() {
  return Schema<O>()
      .field(&O::in, "in",
             "Keys of the points and of the identities. Identities of -100 do not count.")
      .field(&O::distance, "distance",
             "What near means: of the points themselves, or of their directions.",
             one_of({"euclidean", "cosine"}))
      .check("in must name two keys: the points and the identities.",
             [](const O& options) { return options.in.size() == 2; });
}

// GraphError unless the keys are points and identities.
[[nodiscard]] Known check_gallery(std::span<const KeySpec> keys);
[[nodiscard]] Rows gallery_rows(const MetricBatch& batch);

// What each sample finds, double [N, 3 + ks]: whether it has another of its identity, the average
// precision, one by the place of the first, and for each of `ks` whether one is among as many
// nearest. Of equal distances, the one with the smaller values comes first.
[[nodiscard]] at::Tensor gallery_finds(const Samples& samples, const std::string& distance,
                                       const std::vector<int64_t>& ks);
// The means over the samples that have another, of all columns but the first.
[[nodiscard]] std::vector<double> gallery_means(const Samples& finds);

}  // namespace hearth
