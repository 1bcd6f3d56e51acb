// Writes the norms of gradients into the run log, and says when they vanish or explode. Norms do
// not depend on the order in memory, so weights stay packed; the device is waited for in the steps
// that are looked at, and in no others.
#include "hearth/train/traces/gradient_watch.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"
#include "hearth/train/watching.h"

namespace hearth::traces {
namespace {

class GradientWatch : public Trace {
 public:
  using Options = GradientWatchOptions;
  explicit GradientWatch(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{.on = Occasion::kBackward, .every = options_.interval}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    std::vector<NamedTensor> gradients(happening.gradients.begin(), happening.gradients.end());
    for (auto& [name, gradient] : gradients) name = happening.model + "/" + name;
    Event event = watched(options_, "gradients", gradients);
    for (const auto& [group, norm] : event.values) judge(group, norm, happening.step, run);
    run.record(std::move(event));
  }

  [[nodiscard]] Json state() const override { return {{"told", told_}}; }
  void restore(const Json& state) override {
    told_ = state.at("told").get<std::map<std::string, std::string>>();
  }

 private:
  // Said once, and again only after it was as it should be.
  void judge(const std::string& group, double norm, int64_t step, const RunControl& run) {
    const bool explodes = !(norm <= options_.exploding);
    const std::string what = explodes ? "explode" : norm < options_.vanishing ? "vanish" : "";
    if (what.empty()) {
      told_.erase(group);
      return;
    }
    std::string& told = told_[group];
    if (std::exchange(told, what) == what) return;
    run.notice("step " + std::to_string(step) + ": the gradients of " + group + " " + what +
               ", their norm is " + shortest_number(norm) + ".");
  }

  Options options_;
  std::map<std::string, std::string> told_;  // what was last said of whom
};

}  // namespace

const Schema<GradientWatchOptions>& GradientWatchOptions::schema() {
  using O = GradientWatchOptions;
  static const auto schema =
      watching_schema<O>()
          .field(&O::vanishing, "vanishing", "A norm below it is told; 0 for never.", at_least(0))
          .field(&O::exploding, "exploding", "A norm above it is told, and one that is no number.",
                 above(0))
          .field(&O::bins, "bins",
                 "Bars of a histogram of each parameter's gradient; 0 for no histograms.",
                 at_least(0), at_most(1000));
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
