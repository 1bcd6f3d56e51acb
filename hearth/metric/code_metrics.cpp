// Metrics that a program computes by a function of its own.
#include "hearth/metric/code_metrics.h"

#include <memory>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/sum_metric.h"

namespace hearth::metrics {
namespace {

class MeanOfCode : public SumMetricBase {
 public:
  MeanOfCode(const std::string& name, std::shared_ptr<const CodeMetric> code)
      : SumMetricBase({code->in, code->weight, code->mask, {}, name}), code_(std::move(code)) {}
  [[nodiscard]] bool is_better_when_higher() const override { return code_->is_better_when_higher; }

 protected:
  // Only the function knows what shape it gives: weights may have that of any key.
  [[nodiscard]] Known check_keys(std::span<const KeySpec> keys) const override {
    Known known;
    for (const KeySpec& key : keys)
      if (key.spec.shape.size() > known.weighed.size()) known.weighed = key.spec.shape;
    return known;
  }
  [[nodiscard]] size_t term_count() const override { return 1; }
  [[nodiscard]] bool has_columns() const override { return false; }
  [[nodiscard]] Terms terms(const MetricBatch& batch) const override {
    return {{code_->values(batch.values)}};
  }
  [[nodiscard]] std::optional<std::vector<double>> quick(const MetricBatch&) const override {
    return std::nullopt;
  }
  [[nodiscard]] Measured value(const Sums& sums) const override {
    return code_->finish ? code_->finish(sums.mean(0)) : sums.mean(0);
  }

 private:
  std::shared_ptr<const CodeMetric> code_;
};

}  // namespace

Choice<Metric> mean_of(const std::string& name, CodeMetric metric) {
  if (metric.in.empty() || !metric.values)
    throw ConfigError("metric " + quote(name) + " needs keys and a function of their values.");
  const auto shared = std::make_shared<const CodeMetric>(std::move(metric));
  registry<Metric>().add(name, "A metric that the program brings along.",
                         [name, shared] { return std::make_unique<MeanOfCode>(name, shared); });
  return {name, Node::map()};
}

}  // namespace hearth::metrics
