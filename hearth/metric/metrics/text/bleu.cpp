// BLEU of Papineni et al., over all texts: the geometric mean of the shares of runs of 1 to n
// tokens that are in the true text too, less for texts that are too short.
#include "hearth/metric/metrics/text/bleu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "hearth/config/registry.h"
#include "hearth/metric/token_texts.h"

namespace hearth::metrics {
namespace {

using Runs = std::map<std::vector<int64_t>, int64_t>;

Runs runs_of(const std::vector<int64_t>& text, size_t length) {
  Runs runs;
  for (size_t i = 0; i + length <= text.size(); ++i)
    ++runs[{text.begin() + static_cast<std::ptrdiff_t>(i),
            text.begin() + static_cast<std::ptrdiff_t>(i + length)}];
  return runs;
}

struct Bleu {
  using Options = BleuOptions;
  static constexpr const char* kName = "bleu";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static std::vector<std::string> numbers(const Options& options) {
    std::vector<std::string> names = {"brevity_penalty"};
    for (int64_t i = 1; i <= options.n; ++i) names.push_back("precision_" + std::to_string(i));
    return names;
  }
  static Known check(const Options&, std::span<const KeySpec> keys) { return check_texts(keys); }
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    return text_rows(batch);
  }
  // Both lengths; of runs of every length how many there are, and how many are right.
  static std::vector<at::Tensor> prepared(const Options& options, const Samples& samples) {
    const auto longest = static_cast<size_t>(options.n);
    return {text_numbers(samples, {options.ignored, options.end}, 2 + 2 * options.n,
                         [longest](const TextPair& pair, double* numbers) {
                           numbers[0] = static_cast<double>(pair.guess.size());
                           numbers[1] = static_cast<double>(pair.truth.size());
                           for (size_t n = 1; n <= longest; ++n) {
                             const Runs truth = runs_of(pair.truth, n);
                             for (const auto& [run, times] : runs_of(pair.guess, n)) {
                               const auto found = truth.find(run);
                               const int64_t most = found == truth.end() ? 0 : found->second;
                               numbers[2 * n] += static_cast<double>(times);
                               numbers[2 * n + 1] += static_cast<double>(std::min(times, most));
                             }
                           }
                         })};
  }
  static Measured value(const Options& options, const Samples& samples) {
    const std::vector<double> sums = weighed_sums(samples);
    const double penalty = sums[0] == 0         ? 0
                           : sums[0] >= sums[1] ? 1
                                                : std::exp(1 - sums[1] / sums[0]);
    Measured measured;
    measured.numbers.emplace_back("brevity_penalty", penalty);
    double logarithms = 0;
    double smaller = 1;  // halves with every run length that has nothing right
    for (size_t n = 1; n <= static_cast<size_t>(options.n); ++n) {
      double right = sums[2 * n + 1];
      if (right == 0 && options.smoothing == "exp") right = smaller /= 2;
      const double precision = sums[2 * n] == 0 ? 0 : right / sums[2 * n];
      measured.numbers.emplace_back("precision_" + std::to_string(n), precision);
      logarithms += precision > 0 ? std::log(precision) : -std::numeric_limits<double>::infinity();
    }
    measured.headline = penalty * std::exp(logarithms / static_cast<double>(options.n));
    return measured;
  }
};

}  // namespace

const Schema<BleuOptions>& BleuOptions::schema() {
  using O = BleuOptions;
  static const auto fields = measured_by_weight(
      texts_schema<O>()
          .field(&O::n, "n", "How long the longest runs are.", at_least(1), at_most(16))
          .field(
              &O::smoothing, "smoothing",
              "What a length has of whose runs none is right: `none`, nothing, which makes all 0; "
              "`exp`, half a right one, a quarter for the next such length, and so on.",
              one_of({"none", "exp"})));
  return fields;
}

Choice<Metric> bleu(const BleuOptions& options) { return choose<Metric>("bleu", options); }

void register_bleu(Registry<Metric>& metrics) {
  metrics.add<GatherMetric<Bleu>>("bleu",
                                  "BLEU over all texts: the geometric mean of the shares of runs "
                                  "of 1 to n tokens that are right.");
}

}  // namespace hearth::metrics
