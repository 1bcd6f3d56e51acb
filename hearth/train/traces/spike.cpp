// Lets batches whose loss leaps up change nothing.
#include "hearth/train/traces/spike.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/tensor/batch_loss.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Spike : public Trace {
 public:
  using Options = SpikeOptions;
  explicit Spike(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  void check(const std::vector<Spec>& inputs) const override {
    check_batch_loss({options_.in, inputs[0]});
  }
  [[nodiscard]] std::vector<Interest> interests() const override { return {{Occasion::kLoss}}; }
  [[nodiscard]] std::optional<Undo> undoes() const override {
    if (options_.action == "skip") return Undo::kSkip;
    if (options_.action == "roll_back") return Undo::kRollBack;
    return std::nullopt;
  }

  // A value that is no finite number is train.on_nan's affair.
  void hear(const Happening& happening, RunControl& run) override {
    if (!happening.values[0].defined()) return;
    const auto loss = happening.values[0].item<double>();
    if (!std::isfinite(loss)) return;
    if (!is_spike(loss)) return remember(loss);
    const double usual = mean();
    // As much of it as is usual: a level that stays is usual soon.
    remember(usual + most_rise());
    const std::string text = "the loss " + quote(options_.in) + " leaps to " +
                             shortest_number(loss) + " from " + shortest_number(usual) +
                             " in the steps before";
    if (const auto undo = undoes()) return run.refuse_batch(*undo, text);
    run.notice("step " + std::to_string(happening.step) + ": " + text + ".");
    run.record({"spike", 0, 0, 0, {{"loss", loss}, {"mean", usual}}, {}});
  }

  [[nodiscard]] Json state() const override { return {{"losses", losses_}}; }
  void restore(const Json& state) override {
    losses_ = state.at("losses").get<std::deque<double>>();
  }

 private:
  void remember(double loss) {
    losses_.push_back(loss);
    if (static_cast<int64_t>(losses_.size()) > options_.window) losses_.pop_front();
  }
  // Nothing is known before the window is full.
  [[nodiscard]] bool is_spike(double loss) const {
    if (static_cast<int64_t>(losses_.size()) < options_.window) return false;
    return loss - mean() > most_rise();
  }
  [[nodiscard]] double most_rise() const {
    return std::max(options_.least, options_.deviations * deviation());
  }
  [[nodiscard]] double mean() const {
    return std::accumulate(losses_.begin(), losses_.end(), 0.0) /
           static_cast<double>(losses_.size());
  }
  [[nodiscard]] double deviation() const {
    const double middle = mean();
    double sum = 0;
    for (const double loss : losses_) sum += (loss - middle) * (loss - middle);
    return std::sqrt(sum / static_cast<double>(losses_.size()));
  }

  Options options_;
  std::deque<double> losses_;  // of the last batches, without what leapt
};

}  // namespace

const Schema<SpikeOptions>& SpikeOptions::schema() {
  using O = SpikeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "Key of the loss to watch.", not_empty())
          .field(&O::action, "action",
                 "What becomes of such a batch: `skip` lets it change nothing, `roll_back` also "
                 "puts the network back to the last checkpoint before it, `warn` only says so.",
                 one_of({"skip", "roll_back", "warn"}))
          .field(&O::window, "window", "Batches before it whose losses are what is usual.",
                 at_least(2), at_most(100000))
          .field(&O::deviations, "deviations",
                 "How many standard deviations of these losses above their mean is a leap.",
                 above(0))
          .field(&O::least, "least", "How far above their mean it is at the least.", at_least(0));
  return schema;
}

Choice<Trace> spike(SpikeOptions options) { return choose<Trace>("spike", options); }

void register_spike(Registry<Trace>& traces) {
  traces.add<Spike>("spike", "Lets batches whose loss leaps up change nothing.");
}

}  // namespace hearth::traces
