// Writes the norms of gradients into the run log, and says when they vanish or explode. Norms do
// not depend on the order in memory, so weights stay packed; the device is waited for in the steps
// that are looked at, and in no others.
#include "hearth/train/traces/gradient_watch.h"

#include <ATen/ops/norm.h>
#include <ATen/ops/stack.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

// Of each gradient, in their order: one wait for all of them.
std::vector<double> gradient_norms(std::span<const NamedTensor> gradients) {
  std::vector<at::Tensor> norms;
  for (const auto& [name, gradient] : gradients) norms.push_back(at::norm(gradient, 2));
  const at::Tensor all = at::stack(norms).to(at::kCPU, at::kDouble);
  const auto* numbers = all.data_ptr<double>();
  return {numbers, numbers + all.numel()};
}

class GradientWatch : public Trace {
 public:
  using Options = GradientWatchOptions;
  explicit GradientWatch(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{.on = Occasion::kBackward, .every = options_.interval}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    const std::vector<double> norms = gradient_norms(happening.gradients);
    std::vector<std::pair<std::string, double>> squares;  // by what is watched, in their order
    double all = 0;
    for (size_t i = 0; i < norms.size(); ++i) {
      const std::string watched = happening.model + "/" + group_of(happening.gradients[i].first);
      if (squares.empty() || squares.back().first != watched) squares.emplace_back(watched, 0);
      squares.back().second += norms[i] * norms[i];
      all += norms[i] * norms[i];
    }
    Event event;
    event.kind = "gradients";
    event.values.emplace_back(happening.model, std::sqrt(all));
    for (const auto& [watched, square] : squares)
      event.values.emplace_back(watched, std::sqrt(square));
    for (const auto& [watched, norm] : event.values) judge(watched, norm, happening.step, run);
    run.record(std::move(event));
  }

  [[nodiscard]] Json state() const override { return {{"told", told_}}; }
  void restore(const Json& state) override {
    told_ = state.at("told").get<std::map<std::string, std::string>>();
  }

 private:
  // "0.weight" of the layer "0".
  [[nodiscard]] std::string group_of(const std::string& parameter) const {
    return options_.by == "layer" ? parameter.substr(0, parameter.find('.')) : parameter;
  }

  // Said once, and again only after it was as it should be.
  void judge(const std::string& watched, double norm, int64_t step, const RunControl& run) {
    const bool explodes = !(norm <= options_.exploding);
    const std::string what = explodes ? "explode" : norm < options_.vanishing ? "vanish" : "";
    if (what.empty()) {
      told_.erase(watched);
      return;
    }
    std::string& told = told_[watched];
    if (std::exchange(told, what) == what) return;
    run.notice("step " + std::to_string(step) + ": the gradients of " + watched + " " + what +
               ", their norm is " + shortest_number(norm) + ".");
  }

  Options options_;
  std::map<std::string, std::string> told_;  // what was last said of whom
};

}  // namespace

const Schema<GradientWatchOptions>& GradientWatchOptions::schema() {
  using O = GradientWatchOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::interval, "interval",
                 "How often to look, in steps: 100st, 1ep. Each look waits for the device.",
                 above(0))
          .field(&O::by, "by", "Whose norms: one for each top `layer`, or for each `parameter`.",
                 one_of({"layer", "parameter"}))
          .field(&O::vanishing, "vanishing", "A norm below it is told; 0 for never.", at_least(0))
          .field(&O::exploding, "exploding", "A norm above it is told, and one that is no number.",
                 above(0));
  return schema;
}

Choice<Trace> gradient_watch(GradientWatchOptions options) {
  return choose<Trace>("gradient_watch", options);
}

void register_gradient_watch(Registry<Trace>& registry) {
  registry.add<GradientWatch>("gradient_watch",
                              "Logs norms of gradients, and says when they vanish or explode.");
}

}  // namespace hearth::traces
