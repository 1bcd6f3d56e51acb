// Names the samples with the highest losses, and draws them: of each evaluation, or with `when:
// train` of each epoch's training.
#include "hearth/train/traces/worst_samples.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/train/class_text.h"
#include "hearth/train/picture_tensor.h"
#include "hearth/train/ranked_pictures.h"
#include "hearth/train/sample_losses.h"
#include "hearth/train/sample_ranking.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

constexpr int kLossDigits = 6;
constexpr size_t kMostDrawn = 100;

class WorstSamples : public Trace {
 public:
  using Options = WorstSamplesOptions;
  explicit WorstSamples(Options options)
      : options_(std::move(options)),
        training_{SampleRanking(options_.count)},
        evaluation_{SampleRanking(options_.count)} {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    std::vector<std::string> keys = options_.in;
    if (draws()) keys.push_back(options_.image);
    return keys;
  }
  void check(const std::vector<Spec>& inputs) const override {
    const auto last = inputs.begin() + static_cast<int64_t>(options_.in.size());
    check_sample_losses(options_.in, {inputs.begin(), last});
    if (draws()) check_pictures({options_.image, inputs.back()});
  }
  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kEvaluationBegin},
            {Occasion::kBatchEnd, Mode::kEval},
            {Occasion::kEvaluationEnd},
            {Occasion::kEpochEnd}};
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string& set) const override {
    std::vector<std::string> files = {"tables/" + options_.out + "." + set + "/step-<N>.csv"};
    if (draws()) files.push_back("images/" + options_.out + "." + set + "/step-<N>.png");
    return files;
  }

  void hear(const Happening& happening, RunControl& run) override {
    Gathered& gathered = happening.mode == Mode::kTrain ? training_ : evaluation_;
    if (happening.occasion == Occasion::kBatchEnd) return gather(happening, gathered);
    if (happening.occasion != Occasion::kEvaluationBegin) report(happening, gathered, run);
    gathered.ranking.clear();
    gathered.pictures.clear();
  }

  // An evaluation begins anew after a resume, so that nothing of one is kept.
  [[nodiscard]] Json state() const override {
    return {{"training", training_.ranking.state()}, {"pictures", training_.pictures.state()}};
  }
  void restore(const Json& state) override {
    training_.ranking.restore(state.at("training"));
    training_.pictures.restore(state.at("pictures"));
  }
  [[nodiscard]] std::vector<NamedTensor> tensors() const override {
    return training_.pictures.tensors();
  }
  void restore_tensors(const State& state) override { training_.pictures.restore_tensors(state); }

 private:
  struct Gathered {
    SampleRanking ranking;
    RankedPictures pictures = {};
  };

  [[nodiscard]] bool draws() const { return !options_.image.empty(); }

  void gather(const Happening& happening, Gathered& into) const {
    const SampleLosses found = sample_losses(happening.values.first(options_.in.size()));
    into.ranking.add(happening.samples, found.losses, found.labels, found.predicted);
    if (!draws()) return;
    into.ranking.settle();
    into.pictures.keep(drawn_of(into.ranking.ranked()),
                       {happening.samples, found.losses, happening.values.back()},
                       *happening.specs.back());
  }

  void report(const Happening& happening, const Gathered& gathered, RunControl& run) const {
    const std::vector<RankedSample> worst = gathered.ranking.ranked();
    if (worst.empty()) return;
    const Spec label = label_spec(*happening.source);
    const std::string name = options_.out + "." + happening.set;
    Event event;
    event.kind = "worst_samples";
    event.values = {{"highest", loss_of(worst.front())}, {"lowest", loss_of(worst.back())}};
    event.details = {{"set", happening.set}, {"samples", Json::array()}};
    for (const RankedSample& ranked : worst) event.details["samples"].push_back(ranked.sample);
    const std::string file = run.save_table(name, table_of(worst, label, *happening.source));
    if (!file.empty()) event.details["file"] = file;
    if (draws()) {
      const std::string title = happening.set + ", step " + std::to_string(happening.step);
      const Image picture = drawn(drawn_of(worst), gathered.pictures, label, title);
      const std::string drawing = run.save_image(name, tensor_of(picture));
      if (!drawing.empty()) event.details["picture"] = drawing;
    }
    run.record(std::move(event));
  }

  [[nodiscard]] static RunTable table_of(const std::vector<RankedSample>& worst, const Spec& label,
                                         const Source& source) {
    const auto class_or_none = [&](int64_t number) {
      return number < 0 ? "" : class_text(label, number);
    };
    RunTable table{{"loss", "sample", "name", "label", "predicted"}, {}};
    for (const RankedSample& ranked : worst)
      table.rows.push_back({rounded_number(loss_of(ranked), kLossDigits),
                            std::to_string(ranked.sample), source.describe(ranked.sample),
                            class_or_none(ranked.label), class_or_none(ranked.predicted)});
    return table;
  }

  // The worst first, each with its class and what it was taken for.
  [[nodiscard]] static Image drawn(std::span<const RankedSample> worst,
                                   const RankedPictures& pictures, const Spec& label,
                                   const std::string& title) {
    ShownValue target, prediction;
    if (worst.front().predicted >= 0) {
      std::vector<int64_t> classes, answers;
      for (const RankedSample& ranked : worst) {
        classes.push_back(ranked.label);
        answers.push_back(ranked.predicted);
      }
      target = {at::tensor(classes), label};
      prediction = {at::tensor(answers), label};
    }
    return drawn_samples(pictures.shown(worst), target, prediction, title);
  }

  [[nodiscard]] static std::span<const RankedSample> drawn_of(
      const std::vector<RankedSample>& worst) {
    return std::span(worst).first(std::min(worst.size(), kMostDrawn));
  }

  [[nodiscard]] static double loss_of(const RankedSample& ranked) {
    return ranked.number == kNotFinite ? std::numeric_limits<double>::infinity() : ranked.number;
  }

  // With the names of classes where the source has some.
  [[nodiscard]] Spec label_spec(const Source& source) const {
    for (const KeySpec& key : source.keys())
      if (key.key == options_.in.back()) return key.spec;
    return {};
  }

  Options options_;
  Gathered training_;
  Gathered evaluation_;
};

}  // namespace

const Schema<WorstSamplesOptions>& WorstSamplesOptions::schema() {
  using O = WorstSamplesOptions;
  static const auto schema =
      sample_losses_schema<O>()
          .field(&O::image, "image",
                 "Key of pictures, to draw the samples too, at most 100; left out: none are drawn.")
          .field(&O::count, "count", "Samples to name.", at_least(1), at_most(100000))
          .field(&O::out, "out",
                 "Name of its tables and pictures in the run folder, before the set's.",
                 not_empty(), file_name());
  return schema;
}

Choice<Trace> worst_samples(WorstSamplesOptions options) {
  return choose<Trace>("worst_samples", options);
}

void register_worst_samples(Registry<Trace>& registry) {
  registry.add<WorstSamples>(
      "worst_samples",
      "Names the samples with the highest losses of each evaluation, and draws them.");
}

}  // namespace hearth::traces
