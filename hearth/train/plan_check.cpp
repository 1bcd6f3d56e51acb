// Every plan of a run, its times and its sizes, before anything runs.
#include "hearth/train/plan_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/time_fit.h"
#include "hearth/network/exchange.h"
#include "hearth/train/divergence.h"
#include "hearth/train/model_summary.h"
#include "hearth/train/precision.h"
#include "hearth/train/trace.h"
#include "hearth/train/trace_board.h"
#include "hearth/train/update_check.h"

namespace hearth {
namespace {

// Parameters, their gradients and two numbers of optimizer state each.
constexpr uint64_t kCopiesOfParameters = 4;

// All modes' faults at once, each said once.
class FaultCollector {
 public:
  template <class Work>
  void run(Mode mode, const Work& work) {
    compiled_.add(mode);
    try {
      work();
    } catch (const PlanError& error) {
      faults_.insert(faults_.end(), error.faults().begin(), error.faults().end());
    }
  }
  // What belongs to no mode is said as if it were in all.
  template <class Work>
  void run(const Work& work) {
    try {
      work();
    } catch (const GraphError& error) {
      faults_.push_back({error.place().value_or(""), error.message(), compiled_});
    }
  }
  void throw_if_any() const {
    if (!faults_.empty()) throw PlanError(faults_, compiled_);
  }

 private:
  Modes compiled_;
  std::vector<PlanFault> faults_;
};

// A network may be trained without ever predicting; who names a key to predict wants it.
std::vector<std::string> fetches_of(ExperimentGraph& experiment, Mode mode) {
  const std::vector<std::string>& out = experiment.options().predict.out;
  const bool is_wanted = out != PredictOptions{}.out || experiment.makes(out.front(), Mode::kInfer);
  return mode == Mode::kInfer && is_wanted ? out : std::vector<std::string>{};
}

class RunChecker {
 public:
  RunChecker(ExperimentGraph& experiment, const LookAtPlan& look)
      : experiment_(experiment), look_(look) {}

  RunCheck run() {
    check_times();
    experiment_.check_training_sets();
    FaultCollector faults;
    for (Mode mode : kAllModes)
      for (const DataSet& set : experiment_.sets(mode)) check_set(set, faults);
    check_set(Mode::kInfer, faults);
    faults.run([&] { (void)experiment_.make_traces(); });
    faults.throw_if_any();
    check_exchange();
    check_models();
    check_never_run();
    check_prediction();
    check_memory();
    check_precision();
    return std::move(found_);
  }

 private:
  void warn(const Mark& mark, const std::string& message) {
    found_.warnings.push_back(mark.prefix() + message);
  }

  void check_precision() {
    const ExperimentOptions& options = experiment_.options();
    const std::string why = slow_precision(options, device_from(options.device.of(0)));
    if (!why.empty()) warn(mark_at(experiment_.config(), "precision"), why);
  }

  [[nodiscard]] bool may_undo() const {
    const OnNan on_nan = on_nan_from(experiment_.options().train.on_nan);
    const std::vector<NamedTrace> traces = experiment_.make_traces();
    return on_nan == OnNan::kSkip || on_nan == OnNan::kRollBack ||
           std::any_of(traces.begin(), traces.end(),
                       [](const NamedTrace& named) { return named.trace->undoes().has_value(); });
  }

  void check_exchange() {
    const ExperimentOptions& options = experiment_.options();
    if (!options.exchange) return;
    const std::unique_ptr<Exchange> exchange = registry<Exchange>().make(*options.exchange);
    const auto place = mark_at(experiment_.config(), "exchange").place();
    if (exchange->steps_apart() > 0 && may_undo())
      throw ConfigError(
          "processes that make steps by themselves do not see each other's gradients, so that they "
          "cannot leave out the same batch. Use another exchange, or on_nan: stop and no trace "
          "that skips or rolls back.",
          place);
    if (exchange->has_state() && options.elastic && options.elastic->min < options.elastic->max)
      throw ConfigError("what " + quote(options.exchange->name()) +
                            " leaves of gradients belongs to the process that found them, so that "
                            "the run cannot go on with fewer. Use another exchange, such as exact, "
                            "or leave `elastic` out.",
                        place);
  }

  void check_times() {
    const TimeFit fit = time_fit(experiment_.options(), experiment_.length(), experiment_.config());
    throw_faults(fit.faults);
    // A mark that knows its option names it as the config does.
    for (const Fault& warning : fit.warnings)
      found_.warnings.push_back(warning.mark.path ? warning.mark.prefix() + warning.message
                                                  : warning.text());
    for (const Fault& warning : fit.warnings) told_.push_back(warning.path);
  }

  void check_set(const DataSet& set, FaultCollector& faults) {
    const Mode mode = set.mode;
    uint64_t loader_bytes = 0;
    for (const Moment& moment : experiment_.plan_moments(set))
      faults.run(mode, [&] {
        const CompiledPlan compiled =
            experiment_.compiled(set, moment, fetches_of(experiment_, mode));
        if (mode == Mode::kTrain) check_updates(compiled, experiment_.total_batches());
        note_nodes(compiled);
        loader_bytes = std::max(loader_bytes, check_batch(set, compiled));
        if (look_) look_(set, moment, compiled);
      });
    // Sets of a mode are loaded one after another.
    uint64_t& known = loader_bytes_[mode];
    known = std::max(known, loader_bytes);
  }

  void note_nodes(const CompiledPlan& compiled) {
    for (const GraphNode& node : compiled.nodes) idle_.try_emplace(node.name, node.mark);
    for (const PlanStep& step : compiled.plan.steps) busy_.insert(compiled.nodes[step.node].name);
    for (const BoundOp& bound : compiled.ops)
      for (const std::string& model : bound.op->model_names())
        (bound.is_update() ? updated_ : called_).insert(model);
  }

  // What surely does not fit: the loader's batches, and what the network makes of one.
  uint64_t check_batch(const DataSet& set, const CompiledPlan& compiled) {
    if (!compiled.data) return 0;
    const auto loader = static_cast<uint64_t>(
        Loader::memory_bytes(experiment_.loader_options(set, 1), *compiled.data));
    const auto batch = static_cast<uint64_t>(experiment_.largest_batch());
    uint64_t all = loader;
    for (const PlanValue& value : compiled.plan.values) {
      if (value.spec.is_ragged()) continue;  // nobody knows yet
      uint64_t bytes = static_cast<uint64_t>(value.spec.bytes());
      const bool is_beyond =
          (!value.spec.is_per_batch && __builtin_mul_overflow(bytes, batch, &bytes)) ||
          __builtin_add_overflow(all, value.place == Place::kNetwork ? bytes : 0, &all);
      if (is_beyond) throw_too_large(set.mode, "more than 64 bits can count");
    }
    if (all > available_memory()) throw_too_large(set.mode, human_bytes(all));
    note_ragged(set, *compiled.data);
    return loader;
  }

  void note_ragged(const DataSet& set, const DataPlan& data) {
    found_.ragged_values = std::max<int64_t>(
        found_.ragged_values, data.ragged_values + data.ragged_columns + data.whole_values);
    found_.most_ragged_bytes = std::max(
        found_.most_ragged_bytes,
        static_cast<uint64_t>(Loader::most_ragged_bytes(experiment_.loader_options(set, 1), data)));
  }

  [[noreturn]] void throw_too_large(Mode mode, const std::string& size) const {
    const DataOptions& data = experiment_.options().data;
    throw GraphError("in mode " + std::string(name(mode)) + ": batches of " +
                         human_count(static_cast<uint64_t>(experiment_.largest_batch())) +
                         " samples, " + std::to_string(data.depth) +
                         " ahead, and what the network makes of one need " + size +
                         ", but this machine has " + human_bytes(available_memory()) +
                         ". Lower data.batch_size or data.depth.",
                     mark_at(experiment_.config(), "data.batch_size").place());
  }

  void check_models() {
    for (const auto& [name, options] : experiment_.options().models) {
      if (options.optimizer && !updated_.contains(name))
        warn(options.optimizer->options().mark(),
             "nothing updates the model " + quote(name) +
                 ", so its optimizer is never used. Add `update: {model: " + name +
                 ", loss: ...}` to the network, or leave the optimizer out.");
      else if (!called_.contains(name))
        warn(options.build.options().mark(), "the model " + quote(name) + " is never called.");
    }
    if (updated_.empty())
      warn(mark_at(experiment_.config(), "network"),
           "there is no update in mode train, so nothing is learned. Add `update: {model: "
           "..., loss: ...}`.");
  }

  // A node that lives in some mode, yet runs in none, is likely a slip. One that a window keeps
  // from running was told about already.
  void check_never_run() {
    for (const auto& [name, mark] : idle_)
      if (!busy_.contains(name) && !is_told(name)) warn(mark, name + " runs in no mode.");
  }

  void check_prediction() {
    for (const std::string& out : experiment_.options().predict.out)
      if (!experiment_.makes(out, Mode::kInfer))
        found_.warnings.push_back("nothing makes " + quote(out) +
                                  ", so this run cannot predict; name a key in predict.out.");
  }

  // "data.ops[1] random_shift" against "data.ops[1].random_shift.from".
  [[nodiscard]] bool is_told(std::string node) const {
    std::replace(node.begin(), node.end(), ' ', '.');
    return std::any_of(told_.begin(), told_.end(),
                       [&](const std::string& path) { return path.starts_with(node + "."); });
  }

  void check_memory() {
    for (const auto& model : experiment_.network().models().all()) {
      const uint64_t copies = kCopiesOfParameters + (model->is_averaged() ? 1 : 0);
      found_.model_bytes +=
          static_cast<uint64_t>(model->parameter_count()) * sizeof(float) * copies;
      if (model->is_built() && updated_.contains(model->name()))
        found_.activation_bytes =
            counted_sum(found_.activation_bytes,
                        activation_bytes_of(model->layer(), experiment_.largest_batch()));
    }
    found_.batch_bytes = counted_sum(loader_bytes_[Mode::kTrain], loader_bytes_[Mode::kEval]);
    const uint64_t all =
        counted_sum(counted_sum(found_.batch_bytes, found_.model_bytes), found_.activation_bytes);
    if (all > available_memory())
      found_.warnings.push_back("the run needs about " + human_bytes(all) +
                                " for batches, parameters, gradients, optimizer and what layers "
                                "give in a step, but this machine has " +
                                human_bytes(available_memory()) +
                                ". Lower data.batch_size, or use smaller layers.");
  }

  ExperimentGraph& experiment_;
  const LookAtPlan& look_;
  RunCheck found_;
  std::map<Mode, uint64_t> loader_bytes_;
  std::vector<std::string> told_;     // paths of options that keep a node from running
  std::map<std::string, Mark> idle_;  // all nodes, with their places
  std::set<std::string> busy_;        // those that some plan runs
  std::set<std::string> called_;
  std::set<std::string> updated_;
};

}  // namespace

RunCheck check_run(ExperimentGraph& experiment, const LookAtPlan& look) {
  return RunChecker(experiment, look).run();
}

}  // namespace hearth
