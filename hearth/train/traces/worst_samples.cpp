// Names the samples with the highest losses: of each evaluation, or with `when: train` of each
// epoch's training.
#include "hearth/train/traces/worst_samples.h"

#include <ATen/ops/cross_entropy_loss.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/tensor/class_scores.h"
#include "hearth/train/sample_ranking.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

constexpr int kLossDigits = 6;

// A number for each sample: the mean over all that it has more of.
at::Tensor mean_of_rows(const at::Tensor& values) {
  return values.dim() > 1 ? values.flatten(1).mean(1) : values;
}

class WorstSamples : public Trace {
 public:
  using Options = WorstSamplesOptions;
  explicit WorstSamples(Options options)
      : options_(std::move(options)), training_(options_.count), evaluation_(options_.count) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  void check(const std::vector<Spec>& inputs) const override {
    if (inputs.size() == 2)
      return check_class_scores({options_.in[0], inputs[0]}, {options_.in[1], inputs[1]});
    if (inputs[0].is_per_batch || !is_floating(inputs[0].dtype))
      throw GraphError("wants a loss for each sample in '" + options_.in[0] + "', but it is " +
                       inputs[0].text() + ". Name the scores and the labels instead.");
  }
  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kEvaluationBegin},
            {Occasion::kBatchEnd, Mode::kEval},
            {Occasion::kEvaluationEnd},
            {Occasion::kEpochEnd}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    const bool is_training = happening.mode == Mode::kTrain;
    SampleRanking& ranking = is_training ? training_ : evaluation_;
    if (happening.occasion == Occasion::kBatchEnd) return gather(happening, ranking);
    if (happening.occasion != Occasion::kEvaluationBegin) report(happening, ranking, run);
    ranking.clear();
  }

  // An evaluation begins anew after a resume, so that nothing of one is kept.
  [[nodiscard]] Json state() const override { return {{"training", training_.state()}}; }
  void restore(const Json& state) override { training_.restore(state.at("training")); }

 private:
  static void gather(const Happening& happening, SampleRanking& ranking) {
    const at::Tensor& first = happening.values[0];
    if (happening.values.size() == 1)
      return ranking.add(happening.samples, mean_of_rows(first), {}, {});
    const at::Tensor& labels = happening.values[1];
    const at::Tensor losses = at::cross_entropy_loss(first, labels, {}, at::Reduction::None);
    const bool has_class = !labels.is_floating_point() && labels.dim() == 1;
    ranking.add(happening.samples, mean_of_rows(losses), has_class ? labels : at::Tensor(),
                has_class ? first.argmax(1) : at::Tensor());
  }

  void report(const Happening& happening, const SampleRanking& ranking, RunControl& run) const {
    const std::vector<RankedSample> worst = ranking.ranked();
    if (worst.empty()) return;
    RunTable table{{"loss", "sample", "name", "label", "predicted"}, {}};
    Json samples = Json::array();
    for (const RankedSample& ranked : worst) {
      table.rows.push_back(
          {rounded_number(loss_of(ranked), kLossDigits), std::to_string(ranked.sample),
           happening.source->describe(ranked.sample), class_text(*happening.source, ranked.label),
           class_text(*happening.source, ranked.predicted)});
      samples.push_back(ranked.sample);
    }
    Event event;
    event.kind = "worst_samples";
    event.values = {{"highest", loss_of(worst.front())}, {"lowest", loss_of(worst.back())}};
    event.details = {{"set", happening.set}, {"samples", samples}};
    const std::string file = run.save_table(options_.out + "." + happening.set, std::move(table));
    if (!file.empty()) event.details["file"] = file;
    run.record(std::move(event));
  }

  [[nodiscard]] static double loss_of(const RankedSample& ranked) {
    return ranked.number == kNotFinite ? std::numeric_limits<double>::infinity() : ranked.number;
  }

  // By its name where the source has names.
  [[nodiscard]] std::string class_text(const Source& source, int64_t number) const {
    if (number < 0) return "";
    for (const KeySpec& key : source.keys())
      if (key.key == options_.in.back() &&
          number < static_cast<int64_t>(key.spec.class_names.size()))
        return key.spec.class_names[static_cast<size_t>(number)];
    return std::to_string(number);
  }

  Options options_;
  SampleRanking training_;
  SampleRanking evaluation_;
};

}  // namespace

const Schema<WorstSamplesOptions>& WorstSamplesOptions::schema() {
  using O = WorstSamplesOptions;
  static const auto schema =
      Schema<O>()
          .field(
              &O::in, "in",
              "Keys of the scores and of the labels, whose cross entropy is the loss; or one key "
              "with a loss for each sample.")
          .field(&O::count, "count", "Samples to name.", at_least(1), at_most(100000))
          .field(&O::out, "out", "Name of its tables in the run folder, before the set's.",
                 not_empty(), file_name())
          .check("in must name one key, a loss for each sample, or two: scores and labels.",
                 [](const O& options) { return options.in.size() == 1 || options.in.size() == 2; });
  return schema;
}

Choice<Trace> worst_samples(WorstSamplesOptions options) {
  return choose<Trace>("worst_samples", options);
}

void register_worst_samples(Registry<Trace>& registry) {
  registry.add<WorstSamples>("worst_samples",
                             "Names the samples with the highest losses of each evaluation.");
}

}  // namespace hearth::traces
