// Metrics that need all samples at once, such as those of ranks. What they read is kept until it is
// measured. For people who write a metric.
#pragma once

#include <optional>

#include "hearth/metric/gathered_rows.h"
#include "hearth/metric/keyed_metric.h"

namespace hearth {

// What a batch adds: columns [N, ...], and something of shape [B, ...] with N elements, which the
// weights are for.
struct Rows {
  std::vector<at::Tensor> columns;
  at::Tensor like;
};

// On the host, in an order that hangs on the values alone.
struct Samples {
  std::vector<at::Tensor> columns;
  at::Tensor weights;                  // double [N]; none is 0 but in draws
  std::span<const std::string> names;  // of the classes
  bool is_yes_or_no = false;
  [[nodiscard]] const at::Tensor& operator[](size_t index) const { return columns[index]; }
};

class GatherMetricBase : public KeyedMetric {
 public:
  using KeyedMetric::KeyedMetric;
  void reset() override { rows_ = {}; }
  void merge(const Metric& other) override;
  [[nodiscard]] Measured measured() const override;
  [[nodiscard]] State state() const override;
  void restore(const State& state) override { rows_.restore(state, "rows"); }

 protected:
  [[nodiscard]] virtual Rows rows(const MetricBatch& batch) const = 0;
  [[nodiscard]] virtual Measured value(const Samples& samples) const = 0;
  // What need not be done again for every draw: other columns with as many rows.
  [[nodiscard]] virtual Samples prepared(Samples samples) const = 0;
  // What it comes to without any sample.
  [[nodiscard]] virtual Measured nothing() const;
  void gather(const MetricBatch& batch) override;

 private:
  [[nodiscard]] std::optional<Samples> samples() const;
  GatheredRows rows_;  // the weights are the last column, if there are any
};

// `Measure` also has `static Rows rows(const Options&, const Known&, const MetricBatch&)` and
// `static Measured value(const Options&, const Samples&)`, of at least one sample; perhaps `static
// std::vector<at::Tensor> prepared(const Options&, const Samples&)`, the columns that `value` is
// given in the place of those that were gathered.
template <class Measure>
class GatherMetric : public MeasureOf<Measure, GatherMetricBase> {
 public:
  using MeasureOf<Measure, GatherMetricBase>::MeasureOf;

 protected:
  [[nodiscard]] Rows rows(const MetricBatch& batch) const override {
    return Measure::rows(this->options(), this->known(), batch);
  }
  [[nodiscard]] Measured value(const Samples& samples) const override {
    return Measure::value(this->options(), samples);
  }
  [[nodiscard]] Samples prepared(Samples samples) const override {
    if constexpr (requires { &Measure::prepared; })
      samples.columns = Measure::prepared(this->options(), samples);
    return samples;
  }
};

// The weighted mean of column `index` of numbers [N, ...].
[[nodiscard]] double weighed_mean(const Samples& samples, int64_t index);
// The weighted sum of each of them.
[[nodiscard]] std::vector<double> weighed_sums(const Samples& samples);

}  // namespace hearth
