// Names the samples with the highest losses: of each evaluation, or with `when: train` of each
// epoch's training.
#include "hearth/train/traces/worst_samples.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/train/sample_losses.h"
#include "hearth/train/sample_ranking.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

constexpr int kLossDigits = 6;

class WorstSamples : public Trace {
 public:
  using Options = WorstSamplesOptions;
  explicit WorstSamples(Options options)
      : options_(std::move(options)), training_(options_.count), evaluation_(options_.count) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  void check(const std::vector<Spec>& inputs) const override {
    check_sample_losses(options_.in, inputs);
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
    const SampleLosses found = sample_losses(happening.values);
    ranking.add(happening.samples, found.losses, found.labels, found.predicted);
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
      sample_losses_schema<O>()
          .field(&O::count, "count", "Samples to name.", at_least(1), at_most(100000))
          .field(&O::out, "out", "Name of its tables in the run folder, before the set's.",
                 not_empty(), file_name());
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
