// How often each class was taken for which: a table with a row for each true class and a column for
// each predicted one.
#include "hearth/metric/metrics/classification/confusion.h"

#include <ATen/TensorOperators.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/class_counting.h"

namespace hearth::metrics {
namespace {

constexpr int64_t kMostConfusedClasses = 1024;  // a million cells, at every epoch

class Confusion : public ClassCounting {
 public:
  using Options = ConfusionOptions;
  explicit Confusion(const Options& options)
      : ClassCounting(options.in, options.out), scores_(options.in.front()) {}

  [[nodiscard]] bool has_headline() const override { return false; }
  [[nodiscard]] Measured measured() const override {
    const at::Tensor all = counts();
    const int64_t* count = all.data_ptr<int64_t>();
    Measured measured;
    measured.table = {.corner = "true \\ predicted",
                      .columns = class_names(),
                      .rows = class_names(),
                      .cells = {count, count + classes() * classes()}};
    return measured;
  }

 private:
  // What does not count has the last place.
  [[nodiscard]] int64_t places(int64_t classes) const override {
    if (classes > kMostConfusedClasses)
      throw GraphError("counts every class against every other, at most " +
                       std::to_string(kMostConfusedClasses) + ", but " + quote(scores_) +
                       " scores " + human_count(static_cast<uint64_t>(classes)) +
                       ". Use f1, which counts each class by itself.");
    return classes * classes + 1;
  }
  [[nodiscard]] at::Tensor places_of(const ClassAnswers& answers) const override {
    return (answers.label * classes() + answers.predicted).clamp_max(classes() * classes());
  }

  std::string scores_;  // the key of them
};

}  // namespace

const Schema<ConfusionOptions>& ConfusionOptions::schema() {
  using O = ConfusionOptions;
  static const auto fields = class_answers_schema<O>().field(
      &O::out, "out", "Name the table is reported under.", not_empty());
  return fields;
}

Choice<Metric> confusion(ConfusionOptions options) { return choose<Metric>("confusion", options); }

void register_confusion(Registry<Metric>& metrics) {
  metrics.add<Confusion>("confusion", "A table of how often each class was taken for which.");
}

}  // namespace hearth::metrics
