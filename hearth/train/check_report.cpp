// What `hearth check` finds: every plan compiled, nothing trained.
#include "hearth/train/check_report.h"

#include <map>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/train/experiment.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

// Parameters, their gradients and two numbers of optimizer state each.
constexpr uint64_t kCopiesOfParameters = 4;

std::string written(const CompiledPlan& compiled, const PlanStep& step) {
  std::vector<std::string> texts;
  const GraphNode& node = compiled.nodes[step.node];
  for (size_t k = 0; k < node.writes.size(); ++k) {
    const int slot = step.outputs[k];
    texts.push_back(node.writes[k] + " " +
                    (slot < 0 ? "(nobody needs it)"
                              : compiled.plan.values[static_cast<size_t>(slot)].spec.text()));
  }
  return join(texts, "; ");
}

CheckedMode checked_mode(Experiment& experiment, Mode mode, const CompiledPlan& compiled) {
  CheckedMode checked;
  checked.mode = name(mode);
  checked.nodes.resize(compiled.nodes.size());
  for (size_t i = 0; i < compiled.nodes.size(); ++i)
    checked.nodes[i] = {compiled.nodes[i].name, join(compiled.nodes[i].reads, ", "), "", ""};
  for (const PlanStep& step : compiled.plan.steps)
    checked.nodes[step.node].writes = written(compiled, step);
  for (const PrunedNode& pruned : compiled.plan.pruned)
    checked.nodes[pruned.node].pruned = pruned.reason;
  if (experiment.has_source(mode)) {
    checked.samples = experiment.source(mode)->size();
    checked.batches = experiment.batches_per_epoch(mode);
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

uint64_t batch_bytes(const Experiment& experiment, const Plan& plan) {
  uint64_t row = 0;
  for (const PlanValue& value : plan.values)
    if (value.crosses_to_network) row += static_cast<uint64_t>(value.spec.bytes());
  const DataOptions& data = experiment.options().data;
  return row * static_cast<uint64_t>(data.batch_size) * static_cast<uint64_t>(data.depth + 1);
}

// A node that lives in some mode, yet runs in none, is likely a slip.
std::vector<std::string> never_run(const std::vector<CheckedMode>& modes) {
  std::map<std::string, bool> runs;
  for (const CheckedMode& mode : modes)
    for (const CheckedNode& node : mode.nodes)
      runs[node.name] = runs[node.name] || node.pruned.empty();
  std::vector<std::string> warnings;
  for (const auto& [name, does_run] : runs)
    if (!does_run) warnings.push_back(name + " runs in no mode.");
  return warnings;
}

// All modes' faults at once, each said once.
class FaultCollector {
 public:
  void add(const std::string& text) {
    for (const std::string& line : split(text, '\n'))
      if (seen_.insert(line).second) lines_.push_back(line);
  }
  void throw_if_any() const {
    if (!lines_.empty()) throw GraphError(join(lines_, "\n"));
  }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> lines_;
};

void add_plans(Experiment& experiment, CheckReport& report, FaultCollector& faults) {
  for (Mode mode : kAllModes) {
    if (mode != Mode::kInfer && !experiment.has_source(mode)) continue;
    for (int64_t epoch : experiment.change_epochs()) {
      try {
        const bool is_infer = mode == Mode::kInfer;
        const auto compiled = experiment.compiled(
            mode, epoch,
            is_infer ? std::vector{experiment.options().predict.out} : std::vector<std::string>{});
        if (epoch == 0) report.modes.push_back(checked_mode(experiment, mode, compiled));
        if (epoch == 0 && mode == Mode::kTrain)
          report.batch_bytes = batch_bytes(experiment, compiled.plan);
      } catch (const GraphError& error) {
        faults.add(error.what());
      }
    }
  }
}

}  // namespace

CheckReport check_experiment(const ExperimentOptions& options) {
  Experiment experiment(options);
  experiment.open_sources();
  CheckReport report;
  FaultCollector faults;
  add_plans(experiment, report, faults);
  try {
    (void)experiment.make_traces();
  } catch (const GraphError& error) {
    faults.add(error.what());
  }
  faults.throw_if_any();
  for (const auto& model : experiment.network().models().all()) {
    CheckedModel checked{model->name(), model->parameter_count(), {}};
    add_layer_lines(model->name(), model->layer(), 0, checked.lines);
    report.models.push_back(std::move(checked));
    const uint64_t copies = kCopiesOfParameters + (model->is_averaged() ? 1 : 0);
    report.model_bytes += static_cast<uint64_t>(model->parameter_count()) * sizeof(float) * copies;
  }
  report.warnings = never_run(report.modes);
  report.steps_per_epoch = experiment.length().steps_per_epoch;
  report.total_steps = experiment.length().total_steps;
  return report;
}

}  // namespace hearth
