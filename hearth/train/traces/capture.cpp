// Writes what layers give into the run log. Hooks are on the layers only in the batches that are
// looked at, so that all others run as if there were none.
#include "hearth/train/traces/capture.h"

#include <ATen/ops/histc.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

// Share of the units, channels of a picture or features, that are zero in the whole batch.
at::Tensor dead_share(const at::Tensor& value) {
  const at::Tensor units = value.reshape({value.size(0), value.dim() < 2 ? 1 : value.size(1), -1});
  return units.abs().amax({0, 2}).eq(0).to(at::kFloat).mean();
}

class Capture : public Trace {
 public:
  using Options = CaptureOptions;
  explicit Capture(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{.on = Occasion::kBatchBegin}, {.on = Occasion::kLoss}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kBatchBegin)
      listen(run);
    else
      tell(run);
  }

  [[nodiscard]] Json state() const override { return {{"told", is_told_}}; }
  void restore(const Json& state) override { is_told_ = state.at("told").get<bool>(); }

 private:
  [[nodiscard]] bool wants(const char* what) const {
    return std::ranges::find(options_.what, what) != options_.what.end();
  }

  void listen(RunControl& run) {
    values_.clear();
    for (const std::string& pattern : options_.layers) {
      const std::vector<Layer*> found = run.layers(pattern);
      if (found.empty() && !is_told_) {
        is_told_ = true;
        run.notice("capture: no layer fits " + quote(pattern) + ". `hearth summary` lists them.");
      }
      for (Layer* layer : found) {
        if (std::ranges::find(layers_, layer) != layers_.end()) continue;
        layer->add_hook_after([this](const Layer& heard, at::Tensor& value) {
          values_.emplace_back(heard.path(), value.detach());
        });
        layers_.push_back(layer);
      }
    }
  }

  void tell(RunControl& run) {
    for (Layer* layer : layers_) layer->remove_hook_after();
    layers_.clear();
    Event event;
    event.kind = "capture";
    for (const auto& [path, value] : values_)
      if (value.is_floating_point() && value.dim() > 0 && value.numel() > 0)
        measure(path, value, event);
    values_.clear();
    if (!event.values.empty() || !event.details.is_null()) run.record(std::move(event));
  }

  void measure(const std::string& path, const at::Tensor& value, Event& event) const {
    if (wants("mean")) event.values.emplace_back(path + "/mean", value.mean().item<double>());
    if (wants("std")) event.values.emplace_back(path + "/std", value.std(false).item<double>());
    if (wants("dead")) event.values.emplace_back(path + "/dead", dead_share(value).item<double>());
    if (!wants("histogram")) return;
    const at::Tensor plain = value.to(at::kFloat).to(at::kCPU);
    const double least = plain.min().item<double>();
    const double most = plain.max().item<double>();
    if (!std::isfinite(least) || !std::isfinite(most)) return;
    const at::Tensor counts = at::histc(plain, options_.bins, least, most).to(at::kLong);
    const auto* numbers = counts.data_ptr<int64_t>();
    event.details[path] = {{"from", least},
                           {"to", most},
                           {"counts", std::vector<int64_t>(numbers, numbers + counts.numel())}};
  }

  Options options_;
  std::vector<Layer*> layers_;  // that have a hook of this trace now
  std::vector<NamedTensor> values_;
  bool is_told_ = false;
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
                 "Of what they give: `mean`, `std`, a `histogram`, and `dead`, the share of units "
                 "that are zero for the whole batch.",
                 one_of({"mean", "std", "histogram", "dead"}), not_empty())
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
