// The expected calibration error: answers in bins by their probability, and in each the difference
// of the mean probability from the share that is right; the mean of these by samples.
#include "hearth/metric/metrics/classification/calibration_error.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones_like.h>

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/class_metric.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

struct CalibrationError {
  using Options = CalibrationErrorOptions;
  static constexpr const char* kName = "calibration_error";
  static constexpr bool kIsBetterWhenHigher = false;
  static std::vector<std::string> numbers(const Options&) { return {"largest"}; }
  static size_t terms_of(const Options& options) { return static_cast<size_t>(3 * options.bins); }
  static Known check(const Options&, std::span<const KeySpec> keys) {
    return check_class_answers(keys);
  }
  // For each bin whether an answer is in it, its probability and whether it is right.
  static Terms terms(const Options& options, const Known& known, const MetricBatch& batch) {
    const ClassShares given = class_shares(known, options.scores, batch);
    at::Tensor sure = given.shares;
    at::Tensor is_right;
    if (known.is_yes_or_no) {
      const at::Tensor yes = sure.gt(0.5);
      is_right = yes.eq(given.labels.eq(1));
      sure = sure * yes + (1 - sure) * yes.logical_not();
    } else {
      is_right = sure.argmax(1).eq(given.labels);
      sure = std::get<0>(sure.max(1));
    }
    // A bin has its upper bound, not its lower one.
    const at::Tensor bin = (sure * options.bins).ceil().sub(1).clamp(0, options.bins - 1);
    Terms found{{}, given.counted};
    for (int64_t i = 0; i < options.bins; ++i) {
      // What is not a number is in every bin, so that whoever reads it learns of it.
      const at::Tensor is_in = bin.eq(i).logical_or(sure.ne(sure)).to(at::kDouble);
      found.values.insert(found.values.end(), {is_in, is_in * sure, is_in * is_right});
    }
    return found;
  }
  static Measured value(const Options& options, const Sums& sums) {
    double sum = 0;
    double largest = 0;
    Table table{.corner = "up to", .columns = {"samples", "probability", "right"}};
    for (size_t i = 0; i < static_cast<size_t>(options.bins); ++i) {
      const auto samples = static_cast<double>(sums.of(3 * i));
      const auto sure = static_cast<double>(sums.of(3 * i + 1));
      const auto right = static_cast<double>(sums.of(3 * i + 2));
      const double apart = samples == 0 ? 0 : std::abs(sure - right) / samples;
      sum += apart * samples;
      largest = std::isnan(apart) ? apart : std::max(largest, apart);
      const double bound = static_cast<double>(i + 1) / static_cast<double>(options.bins);
      table.rows.push_back(std::to_string(std::round(bound * 1000) / 1000).substr(0, 5));
      table.cells.insert(table.cells.end(),
                         {samples, share_of(sure, samples), share_of(right, samples)});
    }
    const auto weight = static_cast<double>(sums.weight());
    Measured measured(share_of(sum, weight));
    measured.numbers = {{"largest", weight == 0 ? share_of(0, 0) : largest}};
    measured.table = std::move(table);
    return measured;
  }
};

}  // namespace

const Schema<CalibrationErrorOptions>& CalibrationErrorOptions::schema() {
  using O = CalibrationErrorOptions;
  static const auto fields = measured_by_weight(class_shares_schema<O>().field(
      &O::bins, "bins", "How many bins of equal width probabilities are put into.", at_least(1),
      at_most(100)));
  return fields;
}

Choice<Metric> calibration_error(const CalibrationErrorOptions& options) {
  return choose<Metric>("calibration_error", options);
}

void register_calibration_error(Registry<Metric>& metrics) {
  metrics.add<SumMetric<CalibrationError>>(
      "calibration_error",
      "Expected calibration error: how far the probabilities of answers are from how often they "
      "are right, with the largest difference and a table of the bins.");
}

}  // namespace hearth::metrics
