// A number made of other metrics' numbers, as a text says: it gathers nothing by itself.
#include "hearth/metric/metrics/expression.h"

#include <limits>

#include "hearth/config/registry.h"
#include "hearth/core/expression.h"
#include "hearth/metric/metric.h"

namespace hearth::metrics {
namespace {

class ExpressionMetric : public Metric {
 public:
  using Options = ExpressionOptions;
  explicit ExpressionMetric(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {}; }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return options_.better == "higher"; }
  [[nodiscard]] bool may_be_undefined() const override { return true; }
  void check(const std::vector<Spec>&) override {}
  void reset() override {}
  void update(std::span<const at::Tensor>, const Moment&) override {}
  void merge(const Metric&) override {}
  [[nodiscard]] Measured measured() const override {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // ConfigError when the text is no expression of names.
  [[nodiscard]] std::vector<std::string> needs() const override {
    std::vector<std::string> names = Expression::parse(options_.of).names();
    if (names.empty())
      throw ConfigError("the expression " + quote(options_.of) +
                        " names no metric. Name one, such as accuracy.");
    return names;
  }
  [[nodiscard]] Measured measured_from(
      const std::map<std::string, double>& measured) const override {
    const Expression expression = Expression::parse(options_.of);
    std::vector<double> numbers;
    for (const std::string& name : expression.names()) numbers.push_back(measured.at(name));
    return expression.value(numbers);
  }
  [[nodiscard]] State state() const override { return {}; }
  void restore(const State&) override {}

 private:
  Options options_;
};

}  // namespace

const Schema<ExpressionOptions>& ExpressionOptions::schema() {
  using O = ExpressionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::of, "of",
                 "The expression, over the names that other metrics are reported under: numbers, "
                 "+ - * / ^, brackets, abs, exp, log, max, min, sqrt. Names with other signs than "
                 "letters, digits and _ stand in quotes: 'f1/macro'.",
                 required(), not_empty())
          .field(&O::better, "better", "Which values are better.", one_of({"higher", "lower"}))
          .field(&O::out, "out", "Name the value is reported under.", not_empty());
  return fields;
}

Choice<Metric> expression(ExpressionOptions options) {
  return choose<Metric>("expression", options);
}

void register_expression(Registry<Metric>& metrics) {
  metrics.add<ExpressionMetric>("expression", "A number made of other metrics' numbers.");
}

}  // namespace hearth::metrics
