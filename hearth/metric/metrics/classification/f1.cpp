// The F1 score: of each class, twice the right answers by those given and those due.
#include "hearth/metric/metrics/classification/f1.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>

#include <limits>

#include "hearth/config/registry.h"
#include "hearth/metric/class_counting.h"

namespace hearth::metrics {
namespace {

// Not a number where there is nothing to divide by.
double share_of(int64_t part, int64_t whole) {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Of one class, or of several together.
struct ClassCounts {
  int64_t due = 0;    // samples of the class
  int64_t given = 0;  // answers that name it
  int64_t right = 0;

  [[nodiscard]] double f1() const { return share_of(2 * right, due + given); }
};

class F1 : public ClassCounting {
 public:
  using Options = F1Options;
  explicit F1(const Options& options)
      : ClassCounting(options.in, options.out), average_(options.average) {}

  [[nodiscard]] std::vector<std::string> numbers() const override {
    return {"macro", "micro", "weighted"};
  }
  [[nodiscard]] Measured measured() const override {
    const std::vector<ClassCounts> counts = class_counts();
    Measured measured;
    measured.numbers = averages(counts);
    for (const auto& [name, value] : measured.numbers)
      if (name == average_) measured.headline = value;
    measured.table = {.corner = "class",
                      .columns = {"precision", "recall", "f1", "samples"},
                      .rows = class_names()};
    for (const ClassCounts& one : counts)
      for (const double cell : {share_of(one.right, one.given), share_of(one.right, one.due),
                                one.f1(), static_cast<double>(one.due)})
        measured.table->cells.push_back(cell);
    return measured;
  }

 private:
  // Due, given, right: each with a place for every class, and one for what does not count.
  [[nodiscard]] int64_t places(int64_t classes) const override { return 3 * (classes + 1); }
  [[nodiscard]] at::Tensor places_of(const ClassAnswers& answers) const override {
    const auto& [label, predicted] = answers;
    const int64_t row = classes() + 1;
    const at::Tensor is_right = label.eq(predicted);
    const at::Tensor right = label * is_right + is_right.eq(false) * classes();
    return at::cat({label, predicted + row, right + 2 * row});
  }

  [[nodiscard]] std::vector<ClassCounts> class_counts() const {
    const at::Tensor all = counts();
    const int64_t* due = all.data_ptr<int64_t>();
    const int64_t* given = due + classes() + 1;
    const int64_t* right = given + classes() + 1;
    std::vector<ClassCounts> found;
    for (int64_t i = 0; i < classes(); ++i) found.push_back({due[i], given[i], right[i]});
    return found;
  }

  // A class that was neither due nor given has no score, and no part in the mean.
  [[nodiscard]] static std::vector<std::pair<std::string, double>> averages(
      const std::vector<ClassCounts>& counts) {
    ClassCounts all;
    double sum = 0;
    double weighted_sum = 0;
    int64_t scored = 0;
    for (const ClassCounts& one : counts) {
      if (one.due + one.given == 0) continue;
      ++scored;
      sum += one.f1();
      weighted_sum += one.f1() * static_cast<double>(one.due);
      all.due += one.due;
      all.given += one.given;
      all.right += one.right;
    }
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    return {{"macro", scored == 0 ? nothing : sum / static_cast<double>(scored)},
            {"micro", all.f1()},
            {"weighted", scored == 0 ? nothing : weighted_sum / static_cast<double>(all.due)}};
  }

  std::string average_;
};

}  // namespace

const Schema<F1Options>& F1Options::schema() {
  using O = F1Options;
  static const auto fields =
      class_answers_schema<O>()
          .field(&O::average, "average",
                 "What is reported under its own name: `macro`, the mean over the classes that "
                 "came up; `micro`, over all samples; `weighted`, the mean by samples of a class.",
                 one_of({"macro", "micro", "weighted"}))
          .field(&O::out, "out", "Name the values are reported under.", not_empty());
  return fields;
}

Choice<Metric> f1(F1Options options) { return choose<Metric>("f1", options); }

void register_f1(Registry<Metric>& metrics) {
  metrics.add<F1>("f1", "F1 score over all classes, with a table of each one's.");
}

}  // namespace hearth::metrics
