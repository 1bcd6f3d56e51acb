// How often each class was taken for which: a table with a row for each true class and a column for
// each predicted one.
#include "hearth/metric/metrics/classification/confusion.h"

#include <ATen/TensorOperators.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/metric/metric.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::metrics {
namespace {

constexpr int64_t kMostConfusedClasses = 1024;  // a million cells, at every epoch

class Confusion : public Metric {
 public:
  using Options = ConfusionOptions;
  explicit Confusion(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::string name() const override { return options_.out; }
  [[nodiscard]] bool is_better_when_higher() const override { return true; }
  [[nodiscard]] bool has_headline() const override { return false; }
  void check(const std::vector<Spec>& inputs) override {
    check_class_scores({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
    const int64_t classes = inputs[0].shape.front();
    if (classes > kMostConfusedClasses)
      throw GraphError("counts every class against every other, at most " +
                       std::to_string(kMostConfusedClasses) + ", but " + quote(options_.in[0]) +
                       " scores " + human_count(static_cast<uint64_t>(classes)) +
                       ". Use f1, which counts each class by itself.");
    if (classes != classes_) counts_ = BatchCounts(classes * classes + 1);
    classes_ = classes;
    names_ = names_of_classes(inputs[0], inputs[1]);
  }

  void reset() override { counts_ = BatchCounts(classes_ * classes_ + 1); }
  // What does not count has the last place.
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    const ClassAnswers answers = class_answers(inputs[0], inputs[1]);
    counts_.count((answers.label * classes_ + answers.predicted).clamp_max(classes_ * classes_));
  }
  void merge(const Metric& other) override {
    counts_.add(dynamic_cast<const Confusion&>(other).counts_);
  }
  [[nodiscard]] Measured measured() const override {
    const at::Tensor counts = counts_.total();
    const int64_t* count = counts.data_ptr<int64_t>();
    Measured measured;
    measured.table = {.corner = "true \\ predicted",
                      .columns = names_,
                      .rows = names_,
                      .cells = {count, count + classes_ * classes_}};
    return measured;
  }

  [[nodiscard]] State state() const override {
    State state;
    counts_.save(state, "counts");
    return state;
  }
  void restore(const State& state) override { counts_.restore(state, "counts"); }

 private:
  Options options_;
  int64_t classes_ = 0;
  std::vector<std::string> names_;
  BatchCounts counts_;
};

}  // namespace

const Schema<ConfusionOptions>& ConfusionOptions::schema() {
  using O = ConfusionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", kClassAnswersHelp)
          .field(&O::out, "out", "Name the table is reported under.", not_empty())
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<Metric> confusion(ConfusionOptions options) { return choose<Metric>("confusion", options); }

void register_confusion(Registry<Metric>& metrics) {
  metrics.add<Confusion>("confusion", "A table of how often each class was taken for which.");
}

}  // namespace hearth::metrics
