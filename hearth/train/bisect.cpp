// Where two runs part.
#include "hearth/train/bisect.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/fast_digest.h"
#include "hearth/core/checkpoint_facts.h"
#include "hearth/tensor/tensor_digest.h"
#include "hearth/train/divergence.h"
#include "hearth/train/layer_hooks.h"
#include "hearth/train/rank_settings.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

// What a step came to, in the order in which it was made: a name and the digest of its bits.
using Trail = std::vector<std::pair<std::string, std::string>>;

std::string samples_digest(const HostBatch& batch) {
  FastDigest digest;
  digest.add(std::as_bytes(batch.samples()));
  return digest.hex();
}

// The first entry of each, then the second of each: shards run side by side.
Trail in_turn(const std::vector<Trail>& shards) {
  Trail all;
  size_t longest = 0;
  for (const Trail& shard : shards) longest = std::max(longest, shard.size());
  for (size_t i = 0; i < longest; ++i)
    for (const Trail& shard : shards)
      if (i < shard.size()) all.push_back(shard[i]);
  return all;
}

class TrailObserver : public StepObserver {
 public:
  explicit TrailObserver(Network& network) : network_(network) {}

  void see(const CompiledPlan& compiled, const HostBatch& batch, const BatchRunner& runner,
           const Scene&) override {
    trail_.emplace_back("the order gives other samples", samples_digest(batch));
    const std::vector<PlanValue>& values = compiled.plan.values;
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i].crosses_to_network && runner.value(static_cast<int>(i)).defined())
        trail_.emplace_back("the data give another '" + values[i].key + "'",
                            fast_digest_of(runner.value(static_cast<int>(i))));
    for (const BoundOp& bound : compiled.ops) add_op(bound, compiled, runner);
  }
  [[nodiscard]] Trail take() { return std::exchange(trail_, {}); }

 private:
  void add_op(const BoundOp& bound, const CompiledPlan& compiled, const BatchRunner& runner) {
    for (const int index : bound.outputs)
      if (index >= 0 && runner.value(index).defined())
        trail_.emplace_back(bound.label + " writes another '" +
                                compiled.plan.values[static_cast<size_t>(index)].key + "'",
                            fast_digest_of(runner.value(index)));
    if (!bound.is_update()) return;
    for (const std::string& name : bound.op->model_names())
      for (const auto& [tensor, value] : network_.models().find(name).state().tensors)
        trail_.emplace_back(bound.label + " leaves another " + name + "/" + tensor,
                            fast_digest_of(value));
  }

  Network& network_;
  Trail trail_;
};

// One of the two runs, played step by step.
class PlayedRun {
 public:
  PlayedRun(fs::path run, int64_t step, const EstimatorSettings& settings)
      : run_(std::move(run)),
        settings_(settings),
        estimator_(Estimator::rerun(run_, step, settings)),
        observer_(estimator_.network()) {
    trainer().set_observer(&observer_);
  }

  [[nodiscard]] Trainer& trainer() { return estimator_.trainer(); }
  [[nodiscard]] int64_t step() { return trainer().position().step; }
  [[nodiscard]] std::string state_digest() { return fast_digest_of(trainer().state()); }

  // What the steps up to this one came to. A value that is no finite number ends it; what was made
  // by then is compared all the same.
  Trail play_to(int64_t step) {
    use_threads_of(trainer().experiment().options());
    try {
      trainer().play_to(step);
    } catch (const Diverged&) {
      has_ended_ = true;
    }
    return observer_.take();
  }
  [[nodiscard]] bool has_ended() const { return has_ended_; }

  // The layers' values of one step, in the order in which they are made.
  [[nodiscard]] Trail layers_of(int64_t step) const {
    Estimator again = Estimator::rerun(run_, step - 1, settings_);
    use_threads_of(again.trainer().experiment().options());
    again.trainer().play_to(step - 1);
    std::vector<Trail> shards(LayerHooks::shards(again.trainer()));
    const LayerHooks hooks(again.trainer(),
                           [&](size_t shard, const std::string& path, const at::Tensor& value) {
                             shards[shard].emplace_back(path, fast_digest_of(value));
                           });
    try {
      again.trainer().play_to(step);
    } catch (const Diverged&) {
      return in_turn(shards);
    }
    return in_turn(shards);
  }

 private:
  fs::path run_;
  EstimatorSettings settings_;
  Estimator estimator_;
  TrailObserver observer_;
  bool has_ended_ = false;
};

// The name of the first entry that is not the same; nothing when all are.
std::optional<std::string> first_difference(const Trail& first, const Trail& second) {
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (first[i] == second[i]) continue;
    if (first[i].first == second[i].first) return first[i].first;
    return "their steps are made of other ops: '" + first[i].first + "' against '" +
           second[i].first + "'";
  }
  if (first.size() == second.size()) return std::nullopt;
  return "one of them has more values than the other";
}

int64_t last_step_of(const fs::path& run) {
  int64_t last = 0;
  if (!fs::is_directory(run / "checkpoints")) return 0;
  for (const CheckpointFacts& facts : checkpoints_of(run)) last = std::max(last, facts.step);
  return last;
}

class BisectRun {
 public:
  BisectRun(fs::path first, fs::path second, const EstimatorSettings& settings, Bisection& found)
      : first_path_(std::move(first)),
        second_path_(std::move(second)),
        settings_(settings),
        found_(found) {}

  // Up to `step`, before which the folders show nothing.
  void play(int64_t step) {
    if (!stand_together(step - 1)) (void)stand_together(0);
    found_.was_played = true;
    found_.from = found_.to = first_->step();
    while (found_.to < step && !found_.parting && !is_done_) compare_step(found_.to + 1);
  }

 private:
  // Both at the same step, with the same state unless that is the start.
  bool stand_together(int64_t most) {
    first_.emplace(first_path_, most, settings_);
    second_.emplace(second_path_, most, settings_);
    const int64_t step = std::max(first_->step(), second_->step());
    (void)first_->play_to(step);
    (void)second_->play_to(step);
    return step == 0 || first_->state_digest() == second_->state_digest();
  }

  void compare_step(int64_t step) {
    const Trail first = first_->play_to(step);
    const Trail second = second_->play_to(step);
    is_done_ = first_->has_ended() || second_->has_ended() || (first.empty() && second.empty());
    if (const auto what = first_difference(first, second))
      found_.parting = Parting{step, *what, layer_at(step)};
    found_.to = step;
  }

  [[nodiscard]] std::string layer_at(int64_t step) const {
    const Trail first = first_->layers_of(step);
    const Trail second = second_->layers_of(step);
    for (size_t i = 0; i < std::min(first.size(), second.size()); ++i)
      if (first[i] != second[i]) return first[i].first;
    return "";
  }

  fs::path first_path_;
  fs::path second_path_;
  const EstimatorSettings& settings_;
  Bisection& found_;
  bool is_done_ = false;  // one of them has no further step
  std::optional<PlayedRun> first_;
  std::optional<PlayedRun> second_;
};

}  // namespace

Bisection bisect_runs(const std::filesystem::path& first, const std::filesystem::path& second,
                      const EstimatorSettings& settings) {
  Bisection found;
  found.folders = compare_runs(first, second);
  if (found.folders.is_equal()) return found;
  const int64_t last = std::min(last_step_of(first), last_step_of(second));
  const int64_t step = found.folders.log ? std::max<int64_t>(found.folders.log->step, 1) : last;
  BisectRun(first, second, settings, found).play(step);
  return found;
}

Json Bisection::to_json() const {
  Json json = {{"folders", folders.to_json()}, {"was_played", was_played}};
  if (was_played) json.update({{"from", from}, {"to", to}});
  if (parting)
    json["parting"] = {{"step", parting->step}, {"what", parting->what}, {"layer", parting->layer}};
  return json;
}

std::string Bisection::text() const {
  std::string text = folders.text();
  if (!was_played) return text + "the two runs have the same bits as far as their folders tell.\n";
  text += "played from step " + std::to_string(from) + " to " + std::to_string(to) + ":\n";
  if (!parting)
    return text +
           "  both give the same bits here. What made them part is not in config or data: see the "
           "lines on the machine above, or the program that wrote them.\n";
  text += "  step " + std::to_string(parting->step) +
          " is the first that differs: " + parting->what + "\n";
  if (!parting->layer.empty())
    text += "  the first layer that gives something else is " + parting->layer + "\n";
  return text;
}

}  // namespace hearth
