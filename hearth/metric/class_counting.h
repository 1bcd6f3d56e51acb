// Counts of a classifier's answers by class: what metrics made of such counts share.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hearth/metric/class_answers.h"
#include "hearth/metric/gathered_rows.h"
#include "hearth/metric/keyed_metric.h"

namespace hearth {

// A metric whose state is a row of counts; how many there are hangs on the number of classes.
class ClassCounting : public KeyedMetric {
 public:
  void reset() override;
  void merge(const Metric& other) override;
  [[nodiscard]] Measured measured() const override;
  [[nodiscard]] State state() const override;
  void restore(const State& state) override;

 protected:
  explicit ClassCounting(MetricKeys keys) : KeyedMetric(std::move(keys)) {}
  // How many counts there are.
  [[nodiscard]] virtual int64_t places(int64_t classes) const = 0;
  // The places that each answer counts at: int64 [answers, ...]. Never both for what does not
  // count.
  [[nodiscard]] virtual at::Tensor places_of(const ClassAnswers& answers) const = 0;
  // The same for one answer, added up on the host.
  virtual void count_at(int64_t label, int64_t predicted, int64_t* counts) const = 0;
  // What the counts come to.
  [[nodiscard]] virtual Measured value(const std::vector<double>& counts) const = 0;
  // Above which a single score says yes.
  [[nodiscard]] virtual double threshold() const = 0;
  void gather(const MetricBatch& batch) override;

  [[nodiscard]] int64_t classes() const { return static_cast<int64_t>(known().names.size()); }
  [[nodiscard]] const std::vector<std::string>& class_names() const { return known().names; }

 private:
  void count_on_host(const at::Tensor& scores, const at::Tensor& labels);
  void count(const ClassAnswers& answers, const at::Tensor& weights, BatchCounts& counts) const;
  BatchCounts counts_;
  GatheredRows rows_;  // of samples, for those that draw them anew: labels, answers, weights
};

}  // namespace hearth
