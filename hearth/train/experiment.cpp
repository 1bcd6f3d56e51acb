// An experiment taken apart into graph nodes, and compiled into plans.
#include "hearth/train/experiment.h"

#include <ATen/Context.h>

#include <algorithm>
#include <set>

#include "hearth/base/cores.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr Modes kMeasuredModes = {Mode::kTrain, Mode::kEval, Mode::kTest};

std::optional<Choice<Source>> source_choice(const DataOptions& data, Mode mode) {
  switch (mode) {
    case Mode::kTrain:
      return data.train;
    case Mode::kEval:
      return data.eval;
    case Mode::kTest:
      return data.test;
    case Mode::kInfer:
      return std::nullopt;
  }
  return std::nullopt;
}

void check_same_keys(const std::vector<KeySpec>& expected, const std::vector<KeySpec>& found,
                     Mode mode) {
  for (const KeySpec& want : expected)
    for (const KeySpec& have : found)
      if (want.key == have.key &&
          !(want.spec.shape == have.spec.shape && want.spec.dtype == have.spec.dtype))
        throw GraphError("data." + std::string(name(mode)) + " yields '" + have.key + "' as " +
                         have.spec.text() + ", but data.train yields it as " + want.spec.text() +
                         ". Both must be alike.");
}

Kernels kernels_from(const std::string& text) {
  return text == "plain" ? Kernels::kPlain : Kernels::kFast;
}

}  // namespace

struct Experiment::Assembled {
  std::vector<GraphNode> nodes;
  std::vector<std::shared_ptr<const SampleOp>> sample_ops;  // by node, as the others
  std::vector<std::shared_ptr<NetworkOp>> network_ops;
  std::vector<std::shared_ptr<Metric>> metrics;

  void add(GraphNode node, std::shared_ptr<const SampleOp> sample_op,
           std::shared_ptr<NetworkOp> network_op, std::shared_ptr<Metric> metric) {
    nodes.push_back(std::move(node));
    sample_ops.push_back(std::move(sample_op));
    network_ops.push_back(std::move(network_op));
    metrics.push_back(std::move(metric));
  }
};

at::Device device_from(const std::string& text) {
  if (text == "auto")
    return at::globalContext().hasCUDA() ? at::Device(at::kCUDA) : at::Device(at::kCPU);
  try {
    const at::Device device(text);
    if (device.is_cuda() && !at::globalContext().hasCUDA())
      throw ConfigError("device: '" + text +
                        "' was asked for, but LibTorch has no CUDA here. Use cpu or auto.");
    return device;
  } catch (const c10::Error&) {
    throw ConfigError("device: there is no device '" + text + "'. Use auto, cpu, cuda or cuda:1.");
  }
}

Experiment::Experiment(ExperimentOptions options)
    : options_(std::move(options)),
      sample_ops_(plan_all("data.ops", options_.data.ops)),
      network_(options_.models, options_.network, static_cast<uint64_t>(options_.seed),
               device_from(options_.device), kernels_from(options_.kernels), options_.replicas),
      planned_metrics_(plan_all("metrics", options_.metrics)) {
  for (Mode mode : kAllModes) {
    if (const auto choice = source_choice(options_.data, mode))
      sources_[mode] = registry<Source>().make(*choice);
    for (const Choice<Metric>& choice : options_.metrics)
      metrics_[mode].push_back(
          registry<Metric>().make({choice.name(), without_window(choice.options())}));
  }
}

void Experiment::open_sources() {
  for (auto& [mode, source] : sources_) source->open();
  use_specs(source(Mode::kTrain)->keys());
  for (auto& [mode, opened] : sources_) check_same_keys(specs_, opened->keys(), mode);
  set_epochs(options_.train.epochs);
}

void Experiment::use_specs(std::vector<KeySpec> specs) {
  specs_ = std::move(specs);
  std::set<int64_t> classes;
  for (const KeySpec& key : specs_)
    if (key.spec.classes > 0) classes.insert(key.spec.classes);
  // With several targets the config must say which one a model predicts.
  network_.models().classes = classes.size() == 1 ? *classes.begin() : 0;
}

int64_t Experiment::batches_per_epoch(Mode mode) const {
  const int64_t size = source(mode)->size();
  const int64_t batch = options_.data.batch_size;
  if (mode == Mode::kTrain && options_.data.drop_last) return size / batch;
  return (size + batch - 1) / batch;
}

void Experiment::set_epochs(int64_t epochs) {
  const int64_t batches = batches_per_epoch(Mode::kTrain);
  if (batches == 0)
    throw DataError("data.train has " + std::to_string(source(Mode::kTrain)->size()) +
                    " samples, not enough for one batch of " +
                    std::to_string(options_.data.batch_size) +
                    ". Use a smaller batch_size, or drop_last: false.");
  const int64_t per_step = network_.batches_per_step({0, 0, {1, 1, 1}});
  length_ = {std::max<int64_t>(batches / per_step, 1),
             std::max<int64_t>(batches * epochs / per_step, 1),
             options_.data.batch_size * per_step};
}

Moment Experiment::epoch_start(int64_t epoch) const {
  return {epoch * length_.steps_per_epoch, epoch, length_};
}

std::vector<int64_t> Experiment::change_epochs() const {
  std::set<int64_t> epochs = {0};
  auto add = [&](int64_t step) {
    const int64_t epoch = (step + length_.steps_per_epoch - 1) / length_.steps_per_epoch;
    if (epoch * length_.steps_per_epoch < length_.total_steps) epochs.insert(epoch);
  };
  for (const Planned<SampleOp>& planned : sample_ops_)
    for (int64_t step : planned.changes(length_)) add(step);
  for (const Planned<Metric>& planned : planned_metrics_)
    for (int64_t step : planned.changes(length_)) add(step);
  for (int64_t step : network_.changes(length_)) add(step);
  return {epochs.begin(), epochs.end()};
}

std::shared_ptr<const Source> Experiment::source_for(Mode mode) const {
  if (mode == Mode::kInfer) return infer_source_;
  const auto found = sources_.find(mode);
  if (found == sources_.end())
    throw ConfigError("data." + std::string(name(mode)) + " is needed for mode " +
                      std::string(name(mode)) + ", but the config has none.");
  return found->second;
}

std::vector<KeySpec> Experiment::input_keys() const {
  std::vector<KeySpec> keys;
  std::copy_if(specs_.begin(), specs_.end(), std::back_inserter(keys),
               [](const KeySpec& key) { return key.spec.classes == 0; });
  // Tokens are class numbers too: then any key may be what goes in.
  return keys.empty() ? specs_ : keys;
}

void Experiment::add_source_node(Mode mode, Assembled& all) {
  const auto source = source_for(mode);
  const auto choice = source_choice(options_.data, mode);
  GraphNode node;
  node.name = choice ? "data." + std::string(name(mode)) + " " + choice->name() : "the raw input";
  if (choice) node.mark = choice->options().mark();
  node.place = Place::kSource;
  node.modes = mode;
  // Without a source in infer mode, what is not to be predicted stands for what a stranger has.
  std::vector<KeySpec> keys;
  if (source)
    keys = source->keys();
  else
    keys = input_keys();
  std::vector<Spec> specs;
  for (const KeySpec& key : keys) {
    node.writes.push_back(key.key);
    specs.push_back(key.spec);
  }
  node.infer = [specs](const std::vector<Spec>&) { return specs; };
  all.add(std::move(node), nullptr, nullptr, nullptr);
}

void Experiment::add_sample_nodes(const Moment& moment, Assembled& all) {
  for (Planned<SampleOp>& planned : sample_ops_) {
    const std::shared_ptr<SampleOp> op = planned.at(moment);
    GraphNode node;
    node.name = planned.label();
    node.place = Place::kSample;
    node.reads = op->reads();
    node.writes = op->writes();
    node.modes = planned.window().modes.value_or(Modes::all());
    node.is_active = planned.window().is_open(moment);
    node.mark = planned.mark();
    node.signature = planned.signature(moment);
    node.infer = [op](const std::vector<Spec>& inputs) { return op->infer(inputs); };
    all.add(std::move(node), op, nullptr, nullptr);
  }
}

void Experiment::add_network_nodes(const Moment& moment, Assembled& all) {
  Network::Nodes network = network_.nodes(moment);
  for (size_t i = 0; i < network.nodes.size(); ++i)
    all.add(std::move(network.nodes[i]), nullptr, network.ops[i], nullptr);
}

void Experiment::add_metric_nodes(Mode mode, Assembled& all) {
  for (size_t i = 0; i < planned_metrics_.size(); ++i) {
    const Planned<Metric>& planned = planned_metrics_[i];
    const std::shared_ptr<Metric> metric = metrics_[mode][i];
    GraphNode node;
    node.name = planned.label();
    node.place = Place::kRecord;
    node.reads = metric->reads();
    node.modes = planned.window().modes.value_or(kMeasuredModes);
    node.has_effect = true;
    node.mark = planned.mark();
    node.infer = [metric](const std::vector<Spec>& inputs) {
      metric->check(inputs);
      return std::vector<Spec>();
    };
    all.add(std::move(node), nullptr, nullptr, metric);
  }
}

Experiment::Assembled Experiment::assemble(Mode mode, const Moment& moment) {
  Assembled all;
  add_source_node(mode, all);
  add_sample_nodes(moment, all);
  add_network_nodes(moment, all);
  add_metric_nodes(mode, all);
  return all;
}

CompiledPlan Experiment::compiled(Mode mode, int64_t epoch,
                                  const std::vector<std::string>& fetches) {
  Assembled all = assemble(mode, epoch_start(epoch));
  CompiledPlan result;
  result.plan = compile(all.nodes, {mode, epoch, fetches, {}});
  if (const auto source = source_for(mode))
    result.data = std::make_shared<const DataPlan>(
        make_data_plan(result.plan, all.nodes, source, all.sample_ops));
  result.calls = network_.calls(result.plan, all.nodes, all.network_ops);
  for (const PlanStep& step : result.plan.steps)
    if (all.metrics[step.node]) result.metrics.push_back({all.metrics[step.node], step.inputs});
  result.nodes = std::move(all.nodes);
  return result;
}

int automatic_workers() { return std::clamp(available_cores() / 2 - 1, 0, 8); }

LoaderOptions Experiment::loader_options(Mode mode, int64_t epochs) const {
  const DataOptions& data = options_.data;
  LoaderOptions options;
  options.name = name(mode);
  options.batch_size = data.batch_size;
  options.workers = static_cast<int>(data.workers.value_or(automatic_workers()));
  options.depth = static_cast<int>(data.depth);
  options.seed = static_cast<uint64_t>(options_.seed);
  options.shuffle = mode == Mode::kTrain && data.shuffle;
  options.drop_last = mode == Mode::kTrain && data.drop_last;
  options.on_error = data.on_error == "replace" ? OnError::kReplace : OnError::kRaise;
  options.epochs = epochs;
  return options;
}

std::shared_ptr<const DataPlan> Experiment::data_plan(Mode mode, int64_t epoch) {
  return compiled(mode, epoch).data;
}

std::vector<std::unique_ptr<Trace>> Experiment::make_traces() const {
  std::vector<std::unique_ptr<Trace>> traces;
  for (size_t i = 0; i < options_.train.traces.size(); ++i) {
    const Choice<Trace>& choice = options_.train.traces[i];
    traces.push_back(registry<Trace>().make({choice.name(), without_window(choice.options())}));
    for (const std::string& metric : traces.back()->monitors()) {
      const auto known = metric_names();
      if (std::find(known.begin(), known.end(), metric) != known.end()) continue;
      const std::string where = choice.options().mark().text();
      throw GraphError((where.empty() ? "" : where + ": ") + "train.traces[" + std::to_string(i) +
                       "] " + choice.name() + " watches '" + metric + "', which nothing measures." +
                       did_you_mean(metric, known));
    }
  }
  return traces;
}

std::vector<std::string> Experiment::metric_names() const {
  std::vector<std::string> names;
  for (const auto& [mode, source] : sources_) {
    if (mode == Mode::kTest) continue;
    for (size_t i = 0; i < planned_metrics_.size(); ++i)
      if (planned_metrics_[i].window().modes.value_or(kMeasuredModes).has(mode))
        names.push_back(std::string(name(mode)) + "/" + metrics_.at(mode)[i]->name());
  }
  return names;
}

bool Experiment::is_better_when_higher(const std::string& metric) const {
  for (const auto& measured : metrics_.at(Mode::kTrain))
    if (metric.ends_with("/" + measured->name())) return measured->is_better_when_higher();
  return false;
}

}  // namespace hearth
