// The cumulative match characteristic: shares of samples that find one of their identity among the
// k nearest, for several k.
#include "hearth/metric/metrics/retrieval/cmc.h"

#include <set>

#include "hearth/config/registry.h"
#include "hearth/metric/gallery.h"

namespace hearth::metrics {
namespace {

struct Cmc {
  using Options = CmcOptions;
  static constexpr const char* kName = "cmc";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static std::vector<std::string> numbers(const Options& options) {
    std::vector<std::string> names;
    for (const int64_t k : options.k) names.push_back("rank_" + std::to_string(k));
    return names;
  }
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_gallery(keys); }
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    return gallery_rows(batch);
  }
  static std::vector<at::Tensor> prepared(const Options& options, const Samples& samples) {
    return {gallery_finds(samples, options.distance, options.k)};
  }
  static Measured value(const Options& options, const Samples& finds) {
    const std::vector<double> means = gallery_means(finds);
    Measured measured(means[2]);
    const std::vector<std::string> names = numbers(options);
    for (size_t i = 0; i < names.size(); ++i) measured.numbers.emplace_back(names[i], means[i + 2]);
    return measured;
  }
};

}  // namespace

const Schema<CmcOptions>& CmcOptions::schema() {
  using O = CmcOptions;
  static const auto fields = measured_by_weight(
      gallery_schema<O>()
          .field(&O::k, "k",
                 "Among how many of the nearest; of the first of these numbers is the headline.")
          .check("k must name different numbers from 1 to 1000.", [](const O& options) {
            const std::set<int64_t> different(options.k.begin(), options.k.end());
            return !different.empty() && different.size() == options.k.size() &&
                   *different.begin() >= 1 && *different.rbegin() <= 1000;
          }));
  return fields;
}

Choice<Metric> cmc(const CmcOptions& options) { return choose<Metric>("cmc", options); }

void register_cmc(Registry<Metric>& metrics) {
  metrics.add<GatherMetric<Cmc>>(
      "cmc",
      "Cumulative match characteristic: share of samples that find one of their identity among the "
      "k nearest, of those that have another.");
}

}  // namespace hearth::metrics
