// How many samples each cluster has of each label.
#include "hearth/metric/contingency.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {

Contingency contingency(const Samples& samples) {
  Contingency table;
  const auto* cluster = samples[0].data_ptr<int64_t>();
  const auto* label = samples[1].data_ptr<int64_t>();
  const auto* weight = samples.weights.data_ptr<double>();
  for (int64_t i = 0; i < samples.weights.size(0); ++i) {
    if (label[i] == kIgnoredLabel || weight[i] == 0) continue;
    table.both[{cluster[i], label[i]}] += weight[i];
    table.clusters[cluster[i]] += weight[i];
    table.labels[label[i]] += weight[i];
    table.all += weight[i];
  }
  return table;
}

Known check_clusters(std::span<const KeySpec> keys) {
  const Spec& clusters = keys[0].spec;
  const Spec& labels = keys[1].spec;
  const bool is_scores =
      is_floating(clusters.dtype) && !clusters.shape.empty() &&
      std::vector<int64_t>(clusters.shape.begin() + 1, clusters.shape.end()) == labels.shape;
  const bool is_numbers = clusters.dtype == DType::kInt64 && clusters.shape == labels.shape;
  if (labels.dtype != DType::kInt64 || labels.is_per_batch || clusters.is_per_batch ||
      (!is_scores && !is_numbers))
    throw GraphError(
        "needs a cluster for each label, int64 [B], or scores of clusters, float [B, "
        "clusters], but " +
        quote(keys[0].key) + " is " + clusters.text() + " and " + quote(keys[1].key) + " is " +
        labels.text() + ". Name such keys.");
  return {.weighed = labels.shape};
}

Rows cluster_rows(const MetricBatch& batch) {
  const at::Tensor clusters = batch[0].is_floating_point() ? batch[0].argmax(1) : batch[0];
  return {{clusters.flatten(), batch[1].flatten()}, batch[1]};
}

}  // namespace hearth

namespace hearth::metrics {

const Schema<ClusterMetricOptions>& ClusterMetricOptions::schema() {
  using O = ClusterMetricOptions;
  static const auto fields = measured_by_weight(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the clusters, as numbers or as scores of each, and of the labels. Labels "
                 "of -100 do not count.")
          .check("in must name two keys: the clusters and the labels.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

}  // namespace hearth::metrics
