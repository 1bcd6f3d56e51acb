// How often the nearest of all other samples is of the same identity.
#include "hearth/metric/metrics/retrieval/retrieval.h"

#include "hearth/config/registry.h"
#include "hearth/metric/gallery.h"

namespace hearth::metrics {
namespace {

struct Retrieval {
  using Options = RetrievalOptions;
  static constexpr const char* kName = "retrieval";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static std::vector<std::string> numbers(const Options& options) {
    return {"mean_average_precision", "rank_" + std::to_string(options.k), "mean_reciprocal_rank"};
  }
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_gallery(keys); }
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    return gallery_rows(batch);
  }
  static std::vector<at::Tensor> prepared(const Options& options, const Samples& samples) {
    return {gallery_finds(samples, options.distance, {1, options.k})};
  }
  static Measured value(const Options& options, const Samples& finds) {
    const std::vector<double> means = gallery_means(finds);
    Measured measured(means[2]);
    const std::vector<std::string> names = numbers(options);
    measured.numbers = {{names[0], means[0]}, {names[1], means[3]}, {names[2], means[1]}};
    return measured;
  }
};

}  // namespace

const Schema<RetrievalOptions>& RetrievalOptions::schema() {
  using O = RetrievalOptions;
  static const auto fields = measured_by_weight(gallery_schema<O>().field(
      &O::k, "k", "How many of the nearest the further number rank_k looks at.", at_least(1),
      at_most(1000)));
  return fields;
}

Choice<Metric> retrieval(RetrievalOptions options) { return choose<Metric>("retrieval", options); }

void register_retrieval(Registry<Metric>& metrics) {
  metrics.add<GatherMetric<Retrieval>>(
      "retrieval",
      "Share of samples whose nearest other sample is of the same identity, of those that have "
      "another; with the mean average precision, the mean of one by the place of the first, and "
      "the share with one among the k nearest.");
}

}  // namespace hearth::metrics
