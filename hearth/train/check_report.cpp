// What `hearth check` finds: every plan compiled, nothing trained.
#include "hearth/train/check_report.h"

#include <algorithm>
#include <set>

#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/optim/parameter_shares.h"
#include "hearth/train/load_weights.h"
#include "hearth/train/plan_check.h"
#include "hearth/train/precision.h"

namespace hearth {
namespace {

// What the data side makes says what it is; of class numbers, their classes say it.
std::string spec_and_role(const PlanValue& value) {
  const Spec& spec = value.spec;
  const bool says_more = value.place < Place::kNetwork && spec.role != Role::kPlain &&
                         (spec.role != Role::kClass || spec.classes == 0);
  return spec.text() + (says_more ? ", " + std::string(name(spec.role)) : "");
}

std::string written(const CompiledPlan& compiled, const PlanStep& step) {
  std::vector<std::string> texts;
  const GraphNode& node = compiled.nodes[step.node];
  for (size_t k = 0; k < node.writes.size(); ++k) {
    const int index = step.outputs[k];
    texts.push_back(node.writes[k] + " " +
                    (index < 0 ? "(nobody needs it)"
                               : spec_and_role(compiled.plan.values[static_cast<size_t>(index)])));
  }
  return join(texts, "; ");
}

CheckedMode checked_mode(ExperimentGraph& experiment, const DataSet& set, const Moment& moment,
                         const CompiledPlan& compiled) {
  CheckedMode checked;
  checked.mode = set.text();
  checked.epoch = moment.epoch;
  checked.step = moment.step;
  checked.is_epoch_start =
      set.mode != Mode::kTrain || moment.step == moment.length.first_step(moment.epoch);
  checked.nodes.resize(compiled.nodes.size());
  for (size_t i = 0; i < compiled.nodes.size(); ++i)
    checked.nodes[i] = {compiled.nodes[i].name, join(compiled.nodes[i].reads, ", "), "", ""};
  for (const PlanStep& step : compiled.plan.steps)
    checked.nodes[step.node].writes = written(compiled, step);
  for (const PrunedNode& pruned : compiled.plan.pruned)
    checked.nodes[pruned.node].pruned = pruned.reason;
  if (experiment.has_source(set.mode)) {
    checked.samples = experiment.source(set)->size();
    checked.batches = experiment.batches(set, moment.epoch);
  }
  return checked;
}

void add_layer_lines(const std::string& label, Layer& layer, int depth,
                     std::vector<std::string>& lines) {
  const std::string indent(static_cast<size_t>(depth) * 2, ' ');
  lines.push_back(indent + label + ": " + layer.output_spec().text() + ", " +
                  human_count(static_cast<uint64_t>(layer.parameter_count())) + " parameters");
  for (const auto& [name, child] : layer.children())
    add_layer_lines(name, *child, depth + 1, lines);
}

// What data.cache and data.memory come to.
std::vector<std::string> data_lines(const ExperimentGraph& experiment) {
  std::vector<std::string> lines;
  const DataOptions& options = experiment.options().data;
  for (const Mode mode : {Mode::kTrain, Mode::kEval, Mode::kTest})
    for (const DataSet& set : experiment.sets(mode)) {
      const std::string& cache = experiment.cache_choice(set).text;
      if (!cache.empty()) lines.push_back("cache of " + set.text() + ": " + cache);
      if (!options.memory) continue;
      if (const uint64_t kept = experiment.source(set)->resident_bytes(); kept > 0)
        lines.push_back("source of " + set.text() + ": keeps " + human_bytes(kept) + " in memory");
      const LoaderOptions fitted = experiment.loader_options(set, 1);
      lines.push_back("batches of " + set.text() + ": " + std::to_string(fitted.depth) +
                      " ahead, with " + std::to_string(fitted.workers) + " to " +
                      std::to_string(std::max(fitted.workers, fitted.most_workers)) +
                      " workers, within data.memory: " + options.memory->text());
    }
  return lines;
}

CheckReport::Shared shared_among(ExperimentGraph& experiment, int ranks) {
  CheckReport::Shared shared{ranks};
  int64_t all = 0;
  for (const auto& model : experiment.network().models().all()) {
    const std::vector<SharedParameter> parameters = model->optimizers().shared_parameters();
    shared.optimizer_bytes += static_cast<uint64_t>(largest_share(parameters, ranks));
    all += largest_share(parameters, 1);
  }
  if (all > 0)
    shared.share = static_cast<double>(shared.optimizer_bytes) / static_cast<double>(all);
  return shared;
}

// For 1, 2, 4 processes and so on, up to as many as there are shards.
std::vector<CheckReport::Shared> shared_of(ExperimentGraph& experiment) {
  constexpr int64_t kShownRanks = 8;
  const int64_t most = experiment.options().shards.value_or(kShownRanks);
  std::vector<CheckReport::Shared> all;
  for (int ranks = 1; experiment.options().zero > 0 && ranks <= most; ranks *= 2)
    all.push_back(shared_among(experiment, ranks));
  return all;
}

}  // namespace

CheckReport check_experiment(const ExperimentOptions& options, const Node& config) {
  ExperimentGraph experiment(options, config);
  experiment.open_sources();
  CheckReport report;
  std::set<std::string> seen;
  RunCheck found = check_run(
      experiment, [&](const DataSet& set, const Moment& moment, const CompiledPlan& compiled) {
        if (seen.insert(compiled.plan.signature).second)
          report.modes.push_back(checked_mode(experiment, set, moment, compiled));
        if (set.mode == Mode::kTrain && report.notes.empty())
          report.notes = experiment.network().packing_obstacles(compiled.ops);
      });
  report.warnings = std::move(found.warnings);
  if (const std::string note = precision_note(options); !note.empty()) report.notes.push_back(note);
  report.data = data_lines(experiment);
  for (const std::string& op : experiment.ops_to_fit())
    report.notes.push_back(
        op + " learns what its options leave open from the " +
        human_count(static_cast<uint64_t>(experiment.source(Mode::kTrain)->size())) +
        " samples of data.train, once, before the training.");
  for (const auto& [name, model] : options.models)
    if (Model& built = experiment.network().models().find(name);
        model.weights && built.is_built()) {
      const WeightsOptions& weights = *model.weights;
      const WeightReport fitting = at_place(mark_at(config, "models." + name + ".weights"),
                                            [&] { return check_weights(built.layer(), weights); });
      report.data.push_back("weights of " + quote(built.name()) + ": " + fitting.text());
    }
  report.zero = options.zero;
  report.shared = shared_of(experiment);
  report.batch_bytes = found.batch_bytes;
  report.model_bytes = found.model_bytes;
  report.activation_bytes = found.activation_bytes;
  report.ragged_values = found.ragged_values;
  report.most_ragged_bytes = found.most_ragged_bytes;
  for (const auto& model : experiment.network().models().all()) {
    CheckedModel checked{model->name(), model->parameter_count(), {}};
    add_layer_lines(model->name(), model->layer(), 0, checked.lines);
    report.models.push_back(std::move(checked));
  }
  report.steps_per_epoch = experiment.length().steps_per_epoch;
  report.total_steps = experiment.length().total_steps;
  return report;
}

}  // namespace hearth
