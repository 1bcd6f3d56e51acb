// Draws which classes are taken for which: of each evaluation, or with `when: train` of each epoch.
#include "hearth/train/traces/confusion_matrix.h"

#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/metric/class_answers.h"
#include "hearth/tensor/class_scores.h"
#include "hearth/train/confusion_picture.h"
#include "hearth/train/picture_tensor.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

constexpr int64_t kMostDrawnClasses = 1024;  // a million counts

class ConfusionMatrix : public Trace {
 public:
  using Options = ConfusionMatrixOptions;
  explicit ConfusionMatrix(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  void check(const std::vector<Spec>& inputs) const override {
    check_class_scores({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
    if (inputs[0].shape.front() > kMostDrawnClasses)
      throw GraphError("counts every class against every other, at most " +
                       std::to_string(kMostDrawnClasses) + ", but '" + options_.in[0] + "' is " +
                       inputs[0].text() + ".");
  }
  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kEvaluationBegin},
            {Occasion::kBatchEnd, Mode::kEval},
            {Occasion::kEvaluationEnd},
            {Occasion::kEpochEnd}};
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string& set) const override {
    std::vector<std::string> files = {"tables/" + options_.out + "." + set + "/step-<N>.csv"};
    if (options_.picture) files.push_back("images/" + options_.out + "." + set + "/step-<N>.png");
    return files;
  }

  void hear(const Happening& happening, RunControl& run) override {
    at::Tensor& counts = happening.mode == Mode::kTrain ? training_ : evaluation_;
    if (happening.occasion == Occasion::kBatchEnd) return gather(happening, counts);
    if (happening.occasion != Occasion::kEvaluationBegin && counts.defined())
      report(happening, counts, run);
    counts = at::Tensor();
  }

  // An evaluation begins anew after a resume, so that nothing of one is kept.
  [[nodiscard]] Json state() const override { return {{"classes", classes_}}; }
  void restore(const Json& state) override {
    classes_ = state.at("classes").get<std::vector<std::string>>();
  }
  [[nodiscard]] std::vector<NamedTensor> tensors() const override {
    if (!training_.defined()) return {};
    return {{"counts", training_}};
  }
  void restore_tensors(const State& state) override {
    training_ = state.tensors.empty() ? at::Tensor() : state.tensors[0].second;
  }

 private:
  // On the batch's device, without a wait.
  void gather(const Happening& happening, at::Tensor& counts) {
    const at::Tensor& scores = happening.values[0];
    const int64_t classes = scores.size(1);
    if (static_cast<int64_t>(classes_.size()) != classes)
      classes_ = names_of_classes(*happening.specs[0], *happening.specs[1]);
    const ClassAnswers answers = class_answers(scores, happening.values[1]);
    const int64_t places = classes * classes + 1;  // the last for what does not count
    const at::Tensor hit = answers.label.mul(classes).add(answers.predicted).clamp_max(places - 1);
    if (!counts.defined()) counts = at::zeros({places}, hit.options());
    counts = counts.to(hit.device());
    counts.scatter_add_(0, hit, at::ones_like(hit));
  }

  void report(const Happening& happening, const at::Tensor& counts, RunControl& run) const {
    const auto classes = static_cast<int64_t>(classes_.size());
    const at::Tensor host = counts.to(at::kCPU);
    const int64_t* first = host.data_ptr<int64_t>();
    const ConfusionCounts found{classes_, {first, first + classes * classes}};
    const std::string name = options_.out + "." + happening.set;
    Event event;
    event.kind = "confusion_matrix";
    event.values.emplace_back("right", found.right_share());
    for (int64_t i = 0; i < classes; ++i)
      if (found.total(i) > 0)
        event.values.emplace_back("recall/" + classes_[static_cast<size_t>(i)], found.recall(i));
    event.details = {{"set", happening.set}};
    if (const std::string file = run.save_table(name, table_of(found)); !file.empty())
      event.details["table"] = file;
    if (options_.picture) {
      const std::string title = happening.set + ", step " + std::to_string(happening.step);
      const std::string file = run.save_image(name, tensor_of(drawn_confusion(found, title)));
      if (!file.empty()) event.details["picture"] = file;
    }
    run.record(std::move(event));
  }

  [[nodiscard]] static RunTable table_of(const ConfusionCounts& found) {
    RunTable table{{"true class"}, {}};
    table.columns.insert(table.columns.end(), found.classes.begin(), found.classes.end());
    for (int64_t i = 0; i < found.size(); ++i) {
      std::vector<std::string> row = {found.classes[static_cast<size_t>(i)]};
      for (int64_t j = 0; j < found.size(); ++j) row.push_back(std::to_string(found.at(i, j)));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Options options_;
  std::vector<std::string> classes_;
  at::Tensor training_;
  at::Tensor evaluation_;
};

}  // namespace

const Schema<ConfusionMatrixOptions>& ConfusionMatrixOptions::schema() {
  using O = ConfusionMatrixOptions;
  static const auto schema =
      class_answers_schema<O>()
          .field(&O::picture, "picture", "Whether to draw it, beside the table.")
          .field(&O::out, "out",
                 "Name of its tables and pictures in the run folder, before the set's.",
                 not_empty(), file_name());
  return schema;
}

Choice<Trace> confusion_matrix(ConfusionMatrixOptions options) {
  return choose<Trace>("confusion_matrix", options);
}

void register_confusion_matrix(Registry<Trace>& registry) {
  registry.add<ConfusionMatrix>(
      "confusion_matrix",
      "Draws which classes are taken for which, and writes it as a table, after each evaluation.");
}

}  // namespace hearth::traces
