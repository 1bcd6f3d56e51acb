// Measures a model's statistics of batch norms anew before it is evaluated: weights that are means
// of others were never seen with the statistics that training left.
#include "hearth/train/traces/recalibrate.h"

#include <algorithm>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/nn/batch_norm_layer.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Recalibrate : public Trace {
 public:
  using Options = RecalibrateOptions;
  explicit Recalibrate(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> models() const override { return {options_.model}; }
  // The end of an epoch is for runs that evaluate nothing.
  [[nodiscard]] std::vector<Interest> interests() const override {
    return {
        {Occasion::kRunBegin}, {Occasion::kEvaluationBegin, Mode::kEval}, {Occasion::kEpochEnd}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kRunBegin) return look_for_norms(run);
    if (happening.step == done_at_) return;
    if (!run.renew_statistics(options_.model, options_.batches)) return;
    done_at_ = happening.step;
    run.record({"recalibrate", 0, 0, 0, {}, {{"model", options_.model}}});
  }

 private:
  void look_for_norms(RunControl& run) const {
    const std::vector<Layer*> layers = run.layers(options_.model + ".*");
    const auto is_norm = [](const Layer* layer) {
      return dynamic_cast<const BatchNormOfChannels*>(layer) != nullptr;
    };
    if (!layers.empty() && std::none_of(layers.begin(), layers.end(), is_norm))
      run.notice("the model " + quote(options_.model) +
                 " has no batch norms: recalibrate has nothing to do.");
  }

  Options options_;
  int64_t done_at_ = -1;  // the step; after a resume it is done again, to the same end
};

}  // namespace

const Schema<RecalibrateOptions>& RecalibrateOptions::schema() {
  using O = RecalibrateOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::model, "model",
                 "The model: one that is the mean of another, or one with an `average`.",
                 not_empty())
          .field(&O::batches, "batches",
                 "How many batches of the training data; 0 for those of a whole epoch.",
                 at_least(0));
  return schema;
}

Choice<Trace> recalibrate(RecalibrateOptions options) {
  return choose<Trace>("recalibrate", options);
}

void register_recalibrate(Registry<Trace>& traces) {
  traces.add<Recalibrate>(
      "recalibrate", "Measures a model's statistics of batch norms anew before it is evaluated.");
}

}  // namespace hearth::traces
