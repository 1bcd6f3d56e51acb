// The base of metrics of samples: their keys, with a weight and a mask for whatever they measure,
// and confidence intervals. For people who write a metric; sum_metric.h, class_metric.h and
// gather_metric.h are made of it.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/metric/bootstrap.h"
#include "hearth/metric/metric.h"

namespace hearth {

// Options of all such metrics, by the names they have in every options struct.
struct MetricKeys {
  std::vector<std::string> in;
  std::string weight;
  std::string mask;
  BootstrapOptions bootstrap;
  std::string out;
};

// What is known of the keys before any data is read.
struct Known {
  std::vector<int64_t> weighed = {};    // the shape of what weights are for, in one sample
  std::vector<std::string> names = {};  // of the classes, or of the numbers of a sample
  bool is_yes_or_no = false;            // one score for an answer of yes or no
};

// What `update` is given.
struct MetricBatch {
  std::span<const at::Tensor> values;  // of the keys, in order
  at::Tensor weight = {};
  at::Tensor mask = {};
  [[nodiscard]] const at::Tensor& operator[](size_t index) const { return values[index]; }
  // How much each element of `like`, [B, ...], counts: doubles of its shape, 0 for what is hidden.
  // Undefined where all count one.
  [[nodiscard]] at::Tensor weights(const at::Tensor& like) const;
};

class KeyedMetric : public Metric {
 public:
  explicit KeyedMetric(MetricKeys keys) : keys_(std::move(keys)) {}

  [[nodiscard]] std::vector<std::string> reads() const override;
  [[nodiscard]] std::string name() const override { return keys_.out; }
  [[nodiscard]] std::vector<std::string> numbers() const final;
  void check(const std::vector<Spec>& inputs) override;
  void update(std::span<const at::Tensor> inputs, const Moment& moment) final;

 protected:
  [[nodiscard]] virtual std::vector<std::string> own_numbers() const { return {}; }
  // GraphError when the keys do not fit.
  [[nodiscard]] virtual Known check_keys(std::span<const KeySpec> keys) const = 0;
  virtual void gather(const MetricBatch& batch) = 0;

  [[nodiscard]] const Known& known() const { return known_; }
  [[nodiscard]] bool is_weighed() const { return !keys_.weight.empty() || !keys_.mask.empty(); }
  [[nodiscard]] const BootstrapOptions& bootstrap() const { return keys_.bootstrap; }
  [[nodiscard]] bool is_drawn_anew() const { return keys_.bootstrap.resamples > 0; }

 private:
  MetricKeys keys_;
  Known known_;
};

// A metric is a struct without members, `Measure`. All of these say `Options`, `kName`,
// `kIsBetterWhenHigher`, and `static Known check(const Options&, std::span<const KeySpec>)`; where
// they need them `static std::vector<std::string> numbers(const Options&)`, `static
// std::vector<std::string> keys(const Options&)` when it reads more than `in` (with
// `kReadsMaskItself` the mask is among them, and not of samples), and `kMayBeUndefined`: see
// Metric::may_be_undefined.
template <class Measure, class Base>
class MeasureOf : public Base {
 public:
  using Options = typename Measure::Options;
  explicit MeasureOf(Options options) : Base(keys_of(options)), options_(std::move(options)) {}
  [[nodiscard]] bool is_better_when_higher() const override { return Measure::kIsBetterWhenHigher; }
  [[nodiscard]] bool may_be_undefined() const override {
    return requires { Measure::kMayBeUndefined; };
  }

 protected:
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] std::vector<std::string> own_numbers() const override {
    if constexpr (requires { &Measure::numbers; })
      return Measure::numbers(options_);
    else
      return {};
  }
  [[nodiscard]] Known check_keys(std::span<const KeySpec> keys) const override {
    return Measure::check(options_, keys);
  }

 private:
  static MetricKeys keys_of(const Options& options) {
    std::vector<std::string> in = options.in;
    if constexpr (requires { &Measure::keys; }) in = Measure::keys(options);
    BootstrapOptions bootstrap;
    if constexpr (requires { options.bootstrap; }) bootstrap = options.bootstrap;
    std::string mask = options.mask;
    if constexpr (requires { Measure::kReadsMaskItself; }) mask.clear();
    return {std::move(in), options.weight, std::move(mask), bootstrap,
            options.out.empty() ? Measure::kName : options.out};
  }
  Options options_;
};

// Adds the options that every such metric has at its end.
template <class Options>
[[nodiscard]] Schema<Options> with_weight(Schema<Options> schema) {
  schema
      .field(&Options::weight, "weight",
             "Key of numbers that say how much each sample counts, or each place. Left out: all "
             "count the same.")
      .field(&Options::mask, "mask",
             "Key that says what counts: one value for each sample, or for each place, such as the "
             "`mask` of pad_longest. Left out: all.");
  return schema;
}
template <class Options>
[[nodiscard]] Schema<Options> measured_by_weight(Schema<Options> schema) {
  return with_weight(std::move(schema))
      .field(&Options::bootstrap, "bootstrap",
             "A confidence interval of the headline, as the numbers `low` and `high`.")
      .field(&Options::out, "out", "Name that all is reported under. Left out: the metric's own.");
}

}  // namespace hearth
