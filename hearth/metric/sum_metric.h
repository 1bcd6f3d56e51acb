// Metrics that are functions of sums over samples: means, shares, moments. The sums are exact, and
// the same however the samples come. For people who write a metric.
#pragma once

#include <optional>

#include "hearth/metric/exact_sums.h"
#include "hearth/metric/gathered_rows.h"
#include "hearth/metric/keyed_metric.h"

namespace hearth {

// What a batch adds: numbers of one shape, [B, ...], and which of them count; undefined: all.
struct Terms {
  std::vector<at::Tensor> values;
  at::Tensor counted = {};
};

// Weighted sums, of all or of each number of a sample by itself: of the weights, then of the terms.
struct Sums {
  std::vector<long double> values;
  std::span<const std::string> names;  // of the numbers of a sample
  size_t columns = 1;
  [[nodiscard]] long double weight(size_t column = 0) const { return values[column]; }
  [[nodiscard]] long double of(size_t term, size_t column = 0) const {
    return values[(term + 1) * columns + column];
  }
  // Not a number when nothing counts.
  [[nodiscard]] double mean(size_t term, size_t column = 0) const {
    return static_cast<double>(of(term, column) / weight(column));
  }
};

class SumMetricBase : public KeyedMetric {
 public:
  using KeyedMetric::KeyedMetric;
  void reset() override;
  void merge(const Metric& other) override;
  [[nodiscard]] Measured measured() const override;
  [[nodiscard]] State state() const override;
  void restore(const State& state) override;

 protected:
  [[nodiscard]] virtual size_t term_count() const = 0;
  // Whether each number of a sample has sums of its own.
  [[nodiscard]] virtual bool has_columns() const = 0;
  [[nodiscard]] virtual Terms terms(const MetricBatch& batch) const = 0;
  // Rows of weight and terms of a batch, or of parts of it, by a pass over memory: a small step's
  // time would else go into LibTorch's calls. Nothing when there is none for such tensors.
  [[nodiscard]] virtual std::optional<std::vector<double>> quick(
      const MetricBatch& batch) const = 0;
  [[nodiscard]] virtual Measured value(const Sums& sums) const = 0;
  void gather(const MetricBatch& batch) override;

 private:
  [[nodiscard]] at::Tensor rows_of(const MetricBatch& batch) const;
  [[nodiscard]] Sums sums_of(std::vector<long double> totals) const;
  ExactSums sums_;
  GatheredRows rows_;  // of samples, for those that draw them anew
};

// `Measure` also has `static size_t terms_of(const Options&)`, how many there are, or `kTerms`;
// `static Terms terms(const Options&, const Known&, const MetricBatch&)` and `static Measured
// value(const Options&, const Sums&)`; perhaps `kHasColumns` and `static
// std::optional<std::vector<double>> quick(const Options&, const Known&, const MetricBatch&)`.
template <class Measure>
class SumMetric : public MeasureOf<Measure, SumMetricBase> {
 public:
  using MeasureOf<Measure, SumMetricBase>::MeasureOf;

 protected:
  [[nodiscard]] size_t term_count() const override {
    if constexpr (requires { Measure::kTerms; })
      return Measure::kTerms;
    else
      return Measure::terms_of(this->options());
  }
  [[nodiscard]] bool has_columns() const override {
    return requires { Measure::kHasColumns; };
  }
  [[nodiscard]] Terms terms(const MetricBatch& batch) const override {
    return Measure::terms(this->options(), this->known(), batch);
  }
  [[nodiscard]] std::optional<std::vector<double>> quick(const MetricBatch& batch) const override {
    if constexpr (requires { &Measure::quick; })
      return Measure::quick(this->options(), this->known(), batch);
    else
      return std::nullopt;
  }
  [[nodiscard]] Measured value(const Sums& sums) const override {
    return Measure::value(this->options(), sums);
  }
};

}  // namespace hearth
