// Writes what layers give into the run log, in the batches that are looked at; see LayerOutputs.
#include "hearth/train/traces/capture.h"

#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/layer_outputs.h"
#include "hearth/train/tensor_statistics.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Capture : public Trace {
 public:
  using Options = CaptureOptions;
  explicit Capture(Options options) : options_(std::move(options)), numbers_(options_.what) {
    wants_histogram_ = std::erase(numbers_, "histogram") > 0;
  }

  [[nodiscard]] std::vector<std::string> layers() const override { return options_.layers; }
  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{.on = Occasion::kBatchBegin}, {.on = Occasion::kLoss}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kBatchBegin) return outputs_.listen(options_.layers, run);
    std::vector<NamedTensor> values;
    for (NamedTensor& heard : outputs_.take())
      if (heard.second.is_floating_point() && heard.second.dim() > 0 && heard.second.numel() > 0)
        values.push_back(std::move(heard));
    if (values.empty()) return;
    Event event;
    event.kind = "capture";
    event.values = statistics_of(values, numbers_, channels_first_paths(run.layers("*")));
    if (wants_histogram_) event.details = histograms_of(values, options_.bins);
    if (!event.values.empty() || !event.details.empty()) run.record(std::move(event));
  }

 private:
  Options options_;
  std::vector<std::string> numbers_;
  bool wants_histogram_ = false;
  LayerOutputs outputs_;
};

}  // namespace

const Schema<CaptureOptions>& CaptureOptions::schema() {
  using O = CaptureOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::layers, "layers",
                 "Layers by path or pattern, such as features.*; with several models, the model's "
                 "name may stand first.",
                 required(), not_empty())
          .field(&O::what, "what",
                 "Of what they give: `mean`, `std`, `norm`, a `histogram`, `zeros`, the share of "
                 "values that are zero, and `dead`, that of units which are zero for the whole "
                 "batch.",
                 one_of({"mean", "std", "norm", "histogram", "zeros", "dead"}), not_empty())
          .field(&O::bins, "bins", "Bars of a histogram.", at_least(1), at_most(1000));
  return schema;
}

Choice<Trace> capture(CaptureOptions options) { return choose<Trace>("capture", options); }

void register_capture(Registry<Trace>& registry) {
  registry.add<Capture>("capture",
                        "Logs what layers give: means, deviations, histograms, dead units; say how "
                        "often with `every`.");
}

}  // namespace hearth::traces
