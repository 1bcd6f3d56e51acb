// Metrics that are functions of how often each class was taken for which. For people who write one.
#pragma once

#include <algorithm>

#include "hearth/metric/class_metric.h"

namespace hearth {

// How often, row after row: true classes by predicted ones.
struct ClassMatrix {
  std::vector<double> counts;
  int64_t classes = 0;
  [[nodiscard]] double at(int64_t label, int64_t predicted) const {
    return counts[static_cast<size_t>(label * classes + predicted)];
  }
};

// What does not count has the last place. GraphError for more classes than can be counted so.
[[nodiscard]] int64_t matrix_places(int64_t classes, const std::string& scores);
[[nodiscard]] at::Tensor matrix_places_of(const ClassAnswers& answers, int64_t classes);

// `Measure` has `static Measured value(const Options&, const ClassMatrix&, const
// std::vector<std::string>& names)`, beside what MeasureOf wants but `check`; perhaps
// `kHasHeadline`.
template <class Measure>
class ClassMatrixMetric : public MeasureOf<CheckedAnswers<Measure>, ClassCounting> {
 public:
  using MeasureOf<CheckedAnswers<Measure>, ClassCounting>::MeasureOf;
  [[nodiscard]] bool has_headline() const override { return Measure::kHasHeadline; }

 protected:
  [[nodiscard]] double threshold() const override { return this->options().threshold; }
  [[nodiscard]] int64_t places(int64_t classes) const override {
    return matrix_places(classes, this->options().in.front());
  }
  [[nodiscard]] at::Tensor places_of(const ClassAnswers& answers) const override {
    return matrix_places_of(answers, this->classes());
  }
  void count_at(int64_t label, int64_t predicted, int64_t* counts) const override {
    const int64_t all = this->classes() * this->classes();
    ++counts[std::min(label * this->classes() + predicted, all)];
  }
  [[nodiscard]] Measured value(const std::vector<double>& counts) const override {
    ClassMatrix matrix{counts, this->classes()};
    matrix.counts.pop_back();
    return Measure::value(this->options(), matrix, this->class_names());
  }
};

}  // namespace hearth
