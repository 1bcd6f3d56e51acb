// Measures the checkpoints of a run beside the process that trains it.
#include "hearth/train/checkpoint_evaluator.h"

#include <nlohmann/json.hpp>
#include <thread>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tracking/checkpoint_watch.h"
#include "hearth/tracking/evaluations.h"
#include "hearth/train/best_evaluated.h"
#include "hearth/train/estimator.h"
#include "hearth/train/run_config.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(200);

class CheckpointEvaluator {
 public:
  CheckpointEvaluator(RunFolder folder, const CheckpointEvaluation& wanted)
      : folder_(std::move(folder)),
        wanted_(wanted),
        watch_(folder_.path()),
        checkpoints_(folder_.checkpoints()),
        evaluations_(folder_.path()) {}

  CheckpointsEvaluated run() {
    // Faults of the overrides are told at once, not when the first checkpoint comes.
    (void)config_of(folder_, wanted_.overrides);
    for (bool is_last = false; !is_last && !is_interrupted();) {
      // Before the checkpoints: those that are there then are all.
      done_.state = watch_.look();
      is_last = wanted_.is_once || done_.state != RunPhase::kTraining;
      take(checkpoints_.take_new(), is_last);
      if (!is_last && !is_interrupted()) std::this_thread::sleep_for(kLookEvery);
    }
    done_.was_interrupted = is_interrupted();
    return done_;
  }

 private:
  [[nodiscard]] bool is_interrupted() const {
    return wanted_.interrupt != nullptr && wanted_.interrupt->load();
  }

  void take(const std::vector<NewCheckpoint>& fresh, bool is_last) {
    for (const NewCheckpoint& checkpoint : fresh) {
      if (is_interrupted()) return;
      const bool is_newest = &checkpoint == &fresh.back();
      if (is_due(checkpoint.step) || (is_last && is_newest)) measure(checkpoint);
    }
  }

  // A run that was resumed from an earlier checkpoint comes to the same steps again.
  [[nodiscard]] bool is_due(int64_t step) const {
    return !last_step_ || step < *last_step_ || step - *last_step_ >= wanted_.every;
  }

  void measure(const NewCheckpoint& checkpoint) {
    std::optional<HeldCheckpoint> held;
    if (!wanted_.best.empty()) held.emplace(folder_.checkpoints(), checkpoint.name);
    if (!load(checkpoint)) return;
    last_step_ = checkpoint.step;
    const EvaluationKey key{checkpoint.step, std::string(name(wanted_.mode)),
                            estimator_->weights_digest(), wanted_.overrides};
    if (evaluations_.has(key)) {
      ++done_.known;
    } else {
      const Report report = estimator_->evaluate(wanted_.mode);
      if (report.was_interrupted) return;
      require_best_in(report);
      evaluations_.add(event_of(checkpoint, report), key);
      ++done_.measured;
      if (evaluations_.has(key) && wanted_.on_result) wanted_.on_result(evaluations_.read().back());
    }
    if (held) keep_if_best(*held, key);
  }

  void require_best_in(const Report& report) const {
    if (wanted_.best.empty() || report.metrics.contains(wanted_.best)) return;
    std::vector<std::string> names;
    for (const auto& [metric, value] : report.metrics) names.push_back(metric);
    throw ConfigError("the run has no metric " + quote(wanted_.best) + " to choose the best by." +
                      did_you_mean(wanted_.best, names));
  }

  // Also among those of earlier followers, whose checkpoints may be gone.
  void keep_if_best(HeldCheckpoint& held, const EvaluationKey& key) {
    std::vector<const Event*> alike;
    for (const Event& event : evaluations_.read()) {
      const EvaluationKey other = Evaluations::key_of(event);
      if (other.mode == key.mode && other.changes == key.changes) alike.push_back(&event);
    }
    const Event* best =
        best_by(alike, wanted_.best, estimator_->trainer().is_better_when_higher(wanted_.best));
    if (best == nullptr) return;
    done_.best = *best;
    if (Evaluations::key_of(*best) == key) held.keep();
  }

  // Whether the weights are those of the checkpoint now. One that cannot be read is told.
  [[nodiscard]] bool load(const NewCheckpoint& checkpoint) {
    try {
      if (!estimator_ || config_stamp() != config_)
        open(checkpoint.name);
      else
        estimator_->use_checkpoint(checkpoint.name);
      return true;
    } catch (const DataError& error) {
      ++done_.missed;
      note(checkpoints_.has(checkpoint)
               ? checkpoint.name + " is passed over: " + error.what()
               : checkpoint.name +
                     " was removed by the training before it could be read; "
                     "train.checkpoint.keep says how many stay.");
      return false;
    }
  }

  void open(const std::string& checkpoint) {
    config_ = config_stamp();
    estimator_.emplace(Estimator::open(
        folder_.path(), checkpoint, wanted_.overrides,
        {.interrupt = wanted_.interrupt, .accepts_changes = wanted_.accepts_changes}));
  }

  // A run that is resumed with other options gets another config.
  [[nodiscard]] FileStamp config_stamp() const {
    const fs::path path = folder_.path() / "config.yaml";
    return stamp_of(open_to_read(path), path);
  }

  [[nodiscard]] Event event_of(const NewCheckpoint& checkpoint, const Report& report) {
    const Position& position = estimator_->trainer().position();
    const bool is_epoch_done = position.batch == 0 && position.epoch > 0;
    Event event{"evaluation",
                position.step,
                position.epoch - (is_epoch_done ? 1 : 0),
                unix_seconds(),
                {},
                Json{{"checkpoint", checkpoint.name}}};
    for (const auto& [metric, value] : report.metrics) event.values.emplace_back(metric, value);
    return event;
  }

  void note(const std::string& text) const {
    if (wanted_.on_note) wanted_.on_note(text);
  }

  RunFolder folder_;
  const CheckpointEvaluation& wanted_;
  RunWatch watch_;
  CheckpointWatch checkpoints_;
  Evaluations evaluations_;
  std::optional<Estimator> estimator_;
  FileStamp config_;  // of the config that the estimator has
  std::optional<int64_t> last_step_;
  CheckpointsEvaluated done_;
};

}  // namespace

CheckpointsEvaluated evaluate_checkpoints(const std::filesystem::path& run,
                                          const CheckpointEvaluation& wanted) {
  RunFolder folder = RunFolder::open(run);
  if (folder.is_model())
    throw DataError(run.string() +
                    " is an exported model, which has no checkpoints to follow. Leave out --follow "
                    "to measure it.");
  return CheckpointEvaluator(std::move(folder), wanted).run();
}

}  // namespace hearth
