// Writes the norms of weights into the run log, and the ratio of what a step adds to them: about a
// thousandth is common, far more or less says that the learning rate does not fit. Parameters are
// copied in the steps that are looked at, and in no others.
#include "hearth/train/traces/weight_watch.h"

#include <map>

#include "hearth/config/registry.h"
#include "hearth/train/trace.h"
#include "hearth/train/watching.h"

namespace hearth::traces {
namespace {

class WeightWatch : public Trace {
 public:
  using Options = WeightWatchOptions;
  explicit WeightWatch(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    std::vector<Interest> all = {{.on = Occasion::kStep, .every = options_.interval}};
    if (options_.updates) all.push_back({.on = Occasion::kBackward, .every = options_.interval});
    return all;
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kBackward) return remember(happening.model, run);
    std::vector<NamedTensor> weights;
    for (NamedTensor& parameter : run.parameters())
      if (parameter.second.is_floating_point() && parameter.second.numel() > 0)
        weights.push_back(std::move(parameter));
    if (weights.empty()) return;
    Event event = watched(options_, "weights_watched", weights);
    add_ratios(weights, event);
    run.record(std::move(event));
  }

 private:
  void remember(const std::string& model, RunControl& run) {
    for (const auto& [name, parameter] : run.parameters())
      if (name.starts_with(model + "/")) before_[name] = parameter.clone();
  }

  // Of models that the step moved.
  void add_ratios(const std::vector<NamedTensor>& weights, Event& event) {
    std::vector<NamedTensor> old, moved;
    for (const auto& [name, weight] : weights) {
      const auto found = before_.find(name);
      if (found == before_.end()) continue;
      // Somebody may have asked for weights in their ordinary form meanwhile.
      const at::Tensor before = found->second.reshape(weight.sizes());
      moved.emplace_back(name, weight.sub(before));
      old.emplace_back(name, before);
    }
    before_.clear();
    if (old.empty()) return;
    const std::vector<NamedNumber> sizes = watched_norms(options_, old);
    const std::vector<NamedNumber> changes = watched_norms(options_, moved);
    for (size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i].second > 0)
        event.values.emplace_back(sizes[i].first + "/update_ratio",
                                  changes[i].second / sizes[i].second);
  }

  Options options_;
  std::map<std::string, at::Tensor> before_;  // within a step
};

}  // namespace

const Schema<WeightWatchOptions>& WeightWatchOptions::schema() {
  using O = WeightWatchOptions;
  static const auto schema =
      watching_schema<O>()
          .field(&O::updates, "updates",
                 "Whether to tell how far the step moves the weights: the norm of the change over "
                 "that of the weights. It takes a copy of them in those steps.")
          .field(&O::bins, "bins", "Bars of a histogram of each parameter; 0 for no histograms.",
                 at_least(0), at_most(1000));
  return schema;
}

Choice<Trace> weight_watch(WeightWatchOptions options) {
  return choose<Trace>("weight_watch", options);
}

void register_weight_watch(Registry<Trace>& registry) {
  registry.add<WeightWatch>("weight_watch",
                            "Logs norms and histograms of weights, and how far a step moves them.");
}

}  // namespace hearth::traces
