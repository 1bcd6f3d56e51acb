// An experiment taken apart into graph nodes, and compiled into plans.
#include "hearth/train/experiment_graph.h"

#include <ATen/Context.h>

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/network/exchange.h"
#include "hearth/pipeline/data_nodes.h"
#include "hearth/train/model_layers.h"
#include "hearth/train/precision.h"
#include "hearth/train/trace_nodes.h"

namespace hearth {
namespace {

constexpr Modes kMeasuredModes = {Mode::kTrain, Mode::kEval, Mode::kTest};

void check_monitors(const std::string& name, const Trace& trace,
                    const std::vector<std::string>& known) {
  for (const std::string& metric : trace.monitors())
    if (std::find(known.begin(), known.end(), metric) == known.end())
      throw GraphError(name + " watches " + quote(metric) + ", which nothing measures." +
                       did_you_mean(metric, known));
}

void check_models(const std::string& name, const Trace& trace, const ExperimentOptions& options) {
  std::vector<std::string> known;
  for (const auto& [model, unused] : options.models) known.push_back(model);
  for (const std::string& model : trace.models())
    if (!options.models.contains(model))
      throw GraphError(name + " speaks of the model " + quote(model) +
                       ", but there is no such model." + did_you_mean(model, known));
}

void check_undo(const std::string& name, const Trace& trace, const CheckpointOptions& checkpoint) {
  if (trace.undoes() == Undo::kRollBack && checkpoint.every.unit == TimeUnit::kMinute)
    throw GraphError(name +
                     " rolls back, which needs checkpoints at fixed steps. Set "
                     "train.checkpoint.every to steps or epochs, such as 500st.");
}

// Evaluations are not cut into parts.
void check_shards(const std::string& name, const Trace& trace, const NodeWindow& window,
                  const Network& network) {
  const bool trains = !window.modes || window.modes->has(Mode::kTrain);
  if (trace.layers().empty() || !trains || !network.is_sharded()) return;
  throw GraphError(name + " listens to " + quote(trace.layers().front()) +
                   ", but replicas and shards cut every batch into parts, and it would hear of one "
                   "of them only. Use replicas: 1 and no shards, or `when: eval`.");
}

// Two traces that write under one name would overwrite each other's checkpoint or file.
using NameUsers = std::map<std::string, std::set<size_t>>;

// A fault at each of several users of a name.
template <class Describe>
void refuse_shared_names(const NameUsers& users, const std::vector<Choice<Trace>>& choices,
                         const Describe& describe) {
  std::vector<std::string> lines;
  for (const auto& [name, indices] : users) {
    if (indices.size() < 2) continue;
    for (const size_t i : indices) {
      const auto [message, mark] = describe(name, choices[i].options());
      lines.push_back(mark.prefix() + message);
    }
  }
  if (!lines.empty()) throw ConfigError(join(lines, "\n"), "");
}

void check_saved_names(const std::vector<Choice<Trace>>& choices,
                       const std::vector<NamedTrace>& traces) {
  NameUsers savers;
  for (size_t i = 0; i < traces.size(); ++i)
    for (const std::string& name : traces[i].trace->saves()) savers[name].insert(i);
  refuse_shared_names(savers, choices, [](const std::string& name, const Node& options) {
    const std::string message = "saves the checkpoint " + quote(name) +
                                ", and so does another trace. Give each a name of its own.";
    return std::pair(message, mark_named_in(options, message));
  });
}

void check_written_files(const std::vector<Choice<Trace>>& choices, const NameUsers& writers) {
  NameUsers first;  // those that share one file often share all
  std::set<std::set<size_t>> told;
  for (const auto& [file, indices] : writers)
    if (told.insert(indices).second) first.emplace(file, indices);
  refuse_shared_names(first, choices, [](const std::string& name, const Node& options) {
    const Node* out = options.find("out");
    return std::pair(
        "writes " + name + ", and so does another trace. Give each an 'out' of its own.",
        out == nullptr ? options.mark() : out->mark());
  });
}

std::string said_moment(const Moment& moment) {
  if (moment.step == moment.length.first_step(moment.epoch))
    return "in epoch " + std::to_string(moment.epoch);
  return "at step " + std::to_string(moment.step);
}

// A name that both metrics report something under, a number or a table.
std::optional<std::string> common_name(const Metric& one, const Metric& other) {
  std::vector<std::string> names = reported_names(one);
  std::vector<std::string> others = reported_names(other);
  names.push_back(one.name());
  others.push_back(other.name());
  for (const std::string& name : names)
    if (std::find(others.begin(), others.end(), name) != others.end()) return name;
  return std::nullopt;
}

// The processes of a run take turns. Every name must be good, also where others compute.
at::Device device_of_rank(const ExperimentOptions& options, const Group* group) {
  for (const std::string& name : options.device.all()) (void)device_from(name);
  return device_from(options.device.of(group == nullptr ? 0 : static_cast<size_t>(group->rank())));
}

// Also where there is one process: the same config is for any number.
void check_exchange(const ExperimentOptions& options) {
  if (options.zero > 0 && options.exchange)
    check_zero(static_cast<int>(options.zero), *registry<Exchange>().make(*options.exchange),
               options.exchange->name());
}

}  // namespace

ExperimentGraph::ExperimentGraph(ExperimentOptions options, Node config,
                                 std::shared_ptr<Group> group)
    : options_(std::move(options)),
      config_(std::move(config)),
      sample_ops_(graph_components("data.ops", options_.data.ops)),
      batch_ops_(graph_components("data.batch_ops", options_.data.batch_ops)),
      group_(std::move(group)),
      network_(at_place(mark_at(config_, options_.shards ? "shards" : "replicas"),
                        [&] { return make_network(); })),
      metric_components_(graph_components("metrics", options_.metrics)),
      trace_components_(graph_components("train.traces", options_.train.traces)),
      training_(options_.data, config_) {
  for (const auto& [set, choice] : source_choices(options_.data))
    sources_[set] = registry<Source>().make(choice);
  for (Mode mode : kAllModes) {
    for (const Choice<Metric>& choice : options_.metrics)
      metrics_[mode].push_back(
          registry<Metric>().make({choice.name(), without_window(choice.options())}));
  }
}

Network ExperimentGraph::make_network() const {
  at_place(mark_at(config_, "sync_replicas"), [&] { check_sync_replicas(options_); });
  at_place(mark_at(config_, "zero"), [&] { check_exchange(options_); });
  const at::Device device =
      at_place(mark_at(config_, "device"), [&] { return device_of_rank(options_, group_.get()); });
  return {options_.models,
          options_.network,
          static_cast<uint64_t>(options_.seed),
          device,
          at_place(mark_at(config_, "precision"), [&] { return kernels_of(options_, device); }),
          Sharding{options_.shards.value_or(options_.sync_replicas ? options_.sync_replicas->slots()
                                                                   : options_.replicas),
                   options_.replicas, group_, options_.exchange, options_.sync_replicas,
                   static_cast<int>(options_.zero)}};
}

bool ExperimentGraph::measures(size_t metric, Mode mode) const {
  return metric_components_[metric].window().modes.value_or(kMeasuredModes).has(mode);
}

// Two of one name would be one line in the log, and nobody could tell which.
void ExperimentGraph::check_metric_names() const {
  for (size_t i = 0; i < metric_components_.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      for (Mode mode : kAllModes) {
        if (!measures(i, mode) || !measures(k, mode)) continue;
        const auto name = common_name(*metrics_.at(mode)[i], *metrics_.at(mode)[k]);
        if (!name) continue;
        throw GraphError(metric_components_[i].label() + " reports as " + quote(*name) +
                             ", and so does " + metric_components_[k].label() +
                             ". Give one of them another `out`.",
                         metric_components_[i].mark().place());
      }
}

// An expression may use all that is made of batches, and expressions before it.
void ExperimentGraph::check_metric_needs() const {
  std::vector<std::vector<std::string>> needs;
  for (size_t i = 0; i < metric_components_.size(); ++i)
    needs.push_back(at_option_of(options_.metrics[i].options(),
                                 [&] { return metrics_.at(Mode::kTrain)[i]->needs(); }));
  for (size_t i = 0; i < needs.size(); ++i)
    for (Mode mode : kAllModes) {
      if (!measures(i, mode)) continue;
      std::vector<std::string> known;
      for (size_t k = 0; k < needs.size(); ++k)
        if (measures(k, mode) && (k < i || needs[k].empty()))
          for (const std::string& name : reported_names(*metrics_.at(mode)[k]))
            known.push_back(name);
      for (const std::string& name : needs[i])
        if (std::find(known.begin(), known.end(), name) == known.end())
          throw GraphError(metric_components_[i].label() + " uses " + quote(name) +
                               ", which nothing measures." + did_you_mean(name, known),
                           metric_components_[i].mark().place());
    }
}

std::vector<KeySpec> ExperimentGraph::input_keys() const {
  std::vector<KeySpec> keys;
  std::copy_if(specs_.begin(), specs_.end(), std::back_inserter(keys),
               [](const KeySpec& key) { return key.spec.role != Role::kClass; });
  // Files from before keys had a role do not tell tokens from classes: any may be what goes in.
  return keys.empty() ? specs_ : keys;
}

std::vector<GraphNode> ExperimentGraph::data_nodes(const Moment& moment, Mode mode) {
  std::vector<GraphNode> nodes;
  for (GraphComponent<SampleOp>& component : sample_ops_)
    nodes.push_back(data_node(component, moment, mode));
  for (GraphComponent<BatchOp>& component : batch_ops_)
    nodes.push_back(data_node(component, moment, mode));
  return nodes;
}

std::vector<GraphNode> ExperimentGraph::metric_nodes(Mode mode, const Moment& moment) const {
  std::vector<GraphNode> nodes;
  for (size_t i = 0; i < metric_components_.size(); ++i) {
    const std::shared_ptr<Metric> metric = metrics_.at(mode)[i];
    const auto infer = [metric](const std::vector<Spec>& inputs) {
      metric->check(inputs);
      return std::vector<Spec>();
    };
    nodes.push_back(metric_components_[i].node(moment, mode,
                                               {.place = Place::kRecord,
                                                .reads = metric->reads(),
                                                .modes = kMeasuredModes,
                                                .has_effect = true,
                                                .infer = infer,
                                                .component = metric}));
  }
  return nodes;
}

std::vector<GraphNode> ExperimentGraph::nodes(const DataSet& set, const Moment& moment) {
  std::vector<GraphNode> all = source_nodes(set);
  for (std::vector<GraphNode> part :
       {data_nodes(moment, set.mode), network_.nodes(moment, set.mode),
        metric_nodes(set.mode, moment), trace_nodes(trace_components_, set.mode, moment)})
    std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

CompiledPlan ExperimentGraph::compiled(const DataSet& asked, const Moment& moment,
                                       const std::vector<std::string>& fetches) {
  const Moment now = asked.mode == Mode::kInfer ? end() : moment;
  const DataSet set = set_at(asked, now);
  CompiledPlan result;
  result.nodes = nodes(set, now);
  result.plan = compile(result.nodes, {.mode = set.mode,
                                       .when = said_moment(now),
                                       .fetches = fetches,
                                       .fetches_mark = mark_at(config_, "predict.out")});
  if (const auto source = source_for(set)) result.data = data_plan(set, result, source);
  result.ops = network_.bind(result.plan, result.nodes);
  for (const PlanStep& step : result.plan.steps) {
    const GraphNode& node = result.nodes[step.node];
    if (node.place != Place::kRecord) continue;
    if (const auto* metric = std::any_cast<std::shared_ptr<Metric>>(&node.component))
      result.metrics.push_back({*metric, step.inputs});
    else
      add_listeners(node, step, result.listeners);
  }
  return result;
}

CompiledPlan ExperimentGraph::compiled_for(std::shared_ptr<const Source> source,
                                           const std::vector<std::string>& fetches) {
  struct StandIn {
    std::shared_ptr<const Source>& place;
    ~StandIn() { place.reset(); }
  };
  const StandIn stand_in{infer_source_ = std::move(source)};
  return compiled(Mode::kInfer, end(), fetches);
}

bool ExperimentGraph::makes(const std::string& key, Mode mode) {
  const Moment moment = mode == Mode::kInfer ? end() : epoch_start(0);
  const std::vector<GraphNode> all = nodes(set_at(mode, moment), moment);
  return std::any_of(all.begin(), all.end(), [&](const GraphNode& node) {
    return node.modes.has(mode) &&
           std::find(node.writes.begin(), node.writes.end(), key) != node.writes.end();
  });
}

std::vector<NamedTrace> ExperimentGraph::make_traces() const {
  std::vector<NamedTrace> traces;
  NameUsers writers;
  const std::vector<std::string> known = metric_names();
  for (const Choice<Trace>& choice : options_.train.traces) {
    const GraphComponent<Trace>& component = trace_components_[traces.size()];
    traces.push_back({component.label(), component.mark(),
                      registry<Trace>().make({choice.name(), without_window(choice.options())})});
    at_option_of(choice.options(), [&] {
      check_monitors(choice.name(), *traces.back().trace, known);
      check_models(choice.name(), *traces.back().trace, options_);
      require_layers(choice.name(), traces.back().trace->layers(), network_.models());
      check_shards(choice.name(), *traces.back().trace, component.window(), network_);
      check_undo(choice.name(), *traces.back().trace, options_.train.checkpoint);
    });
    for (const std::string& file : written_files(*traces.back().trace, component.window().modes))
      writers[file].insert(traces.size() - 1);
  }
  check_saved_names(options_.train.traces, traces);
  check_written_files(options_.train.traces, writers);
  return traces;
}

// Of the sets whose batches it hears of; one that hears of none may write of any.
std::vector<std::string> ExperimentGraph::written_files(const Trace& trace,
                                                        const std::optional<Modes>& when) const {
  const Modes heard = batch_modes(trace.interests(), when);
  std::vector<std::string> files;
  for (const Mode mode : kAllModes)
    if (heard.is_empty() || heard.has(mode))
      for (const DataSet& set : sets(mode))
        for (std::string& file : trace.writes(set.text())) files.push_back(std::move(file));
  return files;
}

bool ExperimentGraph::is_better_when_higher(const std::string& metric) const {
  const std::string name = metric.substr(metric.find('/') + 1);  // without the set
  for (const auto& measured : metrics_.at(Mode::kTrain)) {
    const std::vector<std::string> names = reported_names(*measured);
    if (std::find(names.begin(), names.end(), name) != names.end())
      return measured->is_better_when_higher();
  }
  return false;
}

}  // namespace hearth
