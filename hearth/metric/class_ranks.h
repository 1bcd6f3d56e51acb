// Metrics of how scores order samples, of each class against all others. For people who write one.
#pragma once

#include "hearth/metric/class_answers.h"
#include "hearth/metric/gather_metric.h"

namespace hearth {

// Samples of one score: how much those of the class weigh, and the others.
struct TiedScores {
  double of_class = 0;
  double others = 0;
};
// From the highest score to the lowest. Nothing when a score is not a number.
using RankedScores = std::vector<TiedScores>;
// What is right, double [N], beside scores [N] and weights [N].
[[nodiscard]] std::optional<RankedScores> ranked(const at::Tensor& scores, const at::Tensor& right,
                                                 const at::Tensor& weights);

[[nodiscard]] Rows class_rank_rows(const Known& known, const MetricBatch& batch);
// Averages, and a table of each class, of a number of ranked scores, which is not a number where
// there are no samples of the class or no others.
[[nodiscard]] Measured averaged_ranks(const Samples& samples, const std::string& scores,
                                      const std::string& average, const std::string& name,
                                      double (*number)(const RankedScores&));

// `Measure` has `static double number(const RankedScores&)`, of a sample at least and perhaps of a
// class without any.
template <class Measure>
struct ClassRankMeasure : Measure {
  using Options = typename Measure::Options;
  static constexpr bool kMayBeUndefined = true;
  static std::vector<std::string> numbers(const Options&) { return {"macro", "micro", "weighted"}; }
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
  static Rows rows(const Options&, const Known& known, const MetricBatch& batch) {
    return class_rank_rows(known, batch);
  }
  static Measured value(const Options& options, const Samples& samples) {
    return averaged_ranks(samples, options.scores, options.average, Measure::kName,
                          &Measure::number);
  }
};
template <class Measure>
using ClassRankMetric = GatherMetric<ClassRankMeasure<Measure>>;

}  // namespace hearth
