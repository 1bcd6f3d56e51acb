// Looks at chosen keys, layers and gradients for values that are no finite numbers. What becomes of
// the training is for `train.on_nan` to say.
#include "hearth/train/traces/nan_guard.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>

#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/train/layer_outputs.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

constexpr size_t kMostNamed = 5;

class NanGuard : public Trace {
 public:
  using Options = NanGuardOptions;
  explicit NanGuard(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.keys; }
  [[nodiscard]] std::vector<std::string> layers() const override { return options_.layers; }
  [[nodiscard]] std::vector<Interest> interests() const override {
    std::vector<Interest> all = {{.on = Occasion::kLoss, .every = options_.interval}};
    if (!options_.layers.empty())
      all.push_back({.on = Occasion::kBatchBegin, .every = options_.interval});
    if (options_.gradients) all.push_back({.on = Occasion::kBackward, .every = options_.interval});
    return all;
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kBatchBegin) return outputs_.listen(options_.layers, run);
    std::vector<NamedTensor> seen;
    if (happening.occasion == Occasion::kBackward) {
      for (const auto& [name, gradient] : happening.gradients)
        seen.emplace_back("the gradient of " + happening.model + "." + name, gradient);
      return judge(seen, happening, run);
    }
    // Layers before keys: what comes first in the network is what is to blame.
    for (auto& [path, value] : outputs_.take())
      seen.emplace_back("the output of the layer " + path, value);
    for (size_t i = 0; i < options_.keys.size(); ++i)
      seen.emplace_back("the key '" + options_.keys[i] + "'", happening.values[i]);
    judge(seen, happening, run);
  }

 private:
  // One wait for all of them.
  static void judge(const std::vector<NamedTensor>& seen, const Happening& happening,
                    RunControl& run) {
    std::vector<at::Tensor> sums;
    std::vector<size_t> places;
    for (size_t i = 0; i < seen.size(); ++i) {
      const at::Tensor& value = seen[i].second;
      if (!value.defined() || !value.is_floating_point() || value.numel() == 0) continue;
      sums.push_back(at::isfinite(value).all());
      places.push_back(i);
    }
    if (sums.empty()) return;
    const at::Tensor all = at::stack(sums).to(at::kCPU);
    const bool* is_fine = all.data_ptr<bool>();
    for (size_t i = 0; i < places.size(); ++i)
      if (!is_fine[i]) return tell(seen[places[i]], happening, run);
  }

  static void tell(const NamedTensor& found, const Happening& happening, RunControl& run) {
    const at::Tensor values = found.second.to(at::kCPU, at::kDouble).flatten();
    const at::Tensor wrong = at::isfinite(values).logical_not();
    const double first = values.masked_select(wrong)[0].item<double>();
    const auto samples = samples_of(found.second, happening);
    Event event{"nan_guard", 0, 0, 0, {{"values", wrong.sum().item<double>()}}, {}};
    event.details = {{"what", found.first}, {"set", happening.set}, {"samples", samples}};
    run.record(std::move(event));
    std::string text = found.first;
    for (size_t i = 0; i < samples.size() && i < kMostNamed; ++i)
      text += (i == 0 ? " (of " : ", ") + happening.source->describe(samples[i]);
    if (!samples.empty()) text += samples.size() > kMostNamed ? ", ...)" : ")";
    run.report_not_finite(text, first);
  }

  // Of a value with a row for each sample: those whose rows have such values.
  static std::vector<int64_t> samples_of(const at::Tensor& value, const Happening& happening) {
    std::vector<int64_t> found;
    if (value.dim() == 0 || value.size(0) != static_cast<int64_t>(happening.samples.size()))
      return found;
    if (happening.occasion == Occasion::kBackward) return found;
    const at::Tensor rows = at::isfinite(value).reshape({value.size(0), -1}).all(1).to(at::kCPU);
    for (size_t i = 0; i < happening.samples.size(); ++i)
      if (!rows.data_ptr<bool>()[i]) found.push_back(happening.samples[i]);
    return found;
  }

  Options options_;
  LayerOutputs outputs_;
};

}  // namespace

const Schema<NanGuardOptions>& NanGuardOptions::schema() {
  using O = NanGuardOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::keys, "keys", "Keys to look at, before anything moves.")
          .field(
              &O::layers, "layers",
              "Layers by path or pattern, such as features.*, whose outputs are looked at; weights "
              "are not packed then.")
          .field(&O::gradients, "gradients", "Whether to look at gradients too.")
          .field(
              &O::interval, "interval",
              "How often, in steps. Each look waits for the device, which costs nothing on a CPU.",
              above(0))
          .check("name keys, layers or gradients to look at.", [](const O& options) {
            return !options.keys.empty() || !options.layers.empty() || options.gradients;
          });
  return schema;
}

Choice<Trace> nan_guard(NanGuardOptions options) { return choose<Trace>("nan_guard", options); }

void register_nan_guard(Registry<Trace>& registry) {
  registry.add<NanGuard>("nan_guard",
                         "Looks at keys, layers and gradients for values that are no finite "
                         "numbers, and names samples.");
}

}  // namespace hearth::traces
