// An experiment taken apart into graph nodes, and compiled into plans.
#include "hearth/train/experiment_graph.h"

#include <ATen/Context.h>

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/yaml.h"
#include "hearth/core/class_numbers.h"
#include "hearth/data/background.h"
#include "hearth/pipeline/data_loading.h"
#include "hearth/train/trace_nodes.h"

namespace hearth {
namespace {

constexpr Modes kMeasuredModes = {Mode::kTrain, Mode::kEval, Mode::kTest};

// What the config names for each set, in its order.
std::vector<std::pair<DataSet, Choice<Source>>> source_choices(const DataOptions& data) {
  std::vector<std::pair<DataSet, Choice<Source>>> choices;
  if (data.train) choices.emplace_back(Mode::kTrain, *data.train);
  for (const auto& [name, choice] : data.eval.all())
    choices.emplace_back(DataSet(Mode::kEval, name), choice);
  if (data.test) choices.emplace_back(Mode::kTest, *data.test);
  return choices;
}

// A mode without a name stands for its first set.
std::optional<std::pair<DataSet, Choice<Source>>> named_source(const DataOptions& data,
                                                               const DataSet& set) {
  for (const auto& known : source_choices(data))
    if (known.first == set || (set.name.empty() && known.first.mode == set.mode)) return known;
  return std::nullopt;
}

void check_same_keys(const std::vector<KeySpec>& expected, const std::vector<KeySpec>& found,
                     const DataSet& set) {
  for (const KeySpec& want : expected)
    for (const KeySpec& have : found) {
      if (want.key != have.key) continue;
      if (!(want.spec.shape == have.spec.shape && want.spec.dtype == have.spec.dtype))
        throw GraphError("data." + set.text() + " yields '" + have.key + "' as " +
                         have.spec.text() + ", but data.train yields it as " + want.spec.text() +
                         ". Both must be alike.");
      if (const auto difference =
              class_difference({want.spec, "data.train"}, {have.spec, "data." + set.text()}))
        throw GraphError("the classes of '" + have.key + "' have other numbers: " + *difference +
                         ". Both must have the same classes.");
    }
}

void check_monitors(const std::string& name, const Trace& trace,
                    const std::vector<std::string>& known) {
  for (const std::string& metric : trace.monitors())
    if (std::find(known.begin(), known.end(), metric) == known.end())
      throw GraphError(name + " watches " + quote(metric) + ", which nothing measures." +
                       did_you_mean(metric, known));
}

// Two traces that save under one name would overwrite each other's checkpoint: a fault at both.
void check_saved_names(const std::vector<Choice<Trace>>& choices,
                       const std::vector<NamedTrace>& traces) {
  std::map<std::string, std::vector<size_t>> savers;
  for (size_t i = 0; i < traces.size(); ++i)
    for (const std::string& name : traces[i].trace->saves()) savers[name].push_back(i);
  std::vector<std::string> lines;
  for (const auto& [name, indices] : savers)
    for (size_t i : indices) {
      if (indices.size() < 2) continue;
      const std::string message = "saves the checkpoint " + quote(name) +
                                  ", and so does another trace. Give each a name of its own.";
      lines.push_back(mark_named_in(choices[i].options(), message).prefix() + message);
    }
  if (!lines.empty()) throw ConfigError(join(lines, "\n"), "");
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

Kernels kernels_from(const std::string& text) {
  return text == "plain" ? Kernels::kPlain : Kernels::kFast;
}

}  // namespace

[[noreturn]] static void throw_unknown_device(const std::string& text) {
  throw ConfigError("there is no device '" + text + "'. Use auto, cpu, cuda or cuda:1.");
}

at::Device device_from(const std::string& text) {
  if (text == "auto")
    return at::globalContext().hasCUDA() ? at::Device(at::kCUDA) : at::Device(at::kCPU);
  try {
    const at::Device device(text);
    const bool is_known = device.is_cuda() || (device.is_cpu() && device.index() <= 0);
    if (!is_known) throw_unknown_device(text);
    if (device.is_cuda() && !at::globalContext().hasCUDA())
      throw ConfigError("'" + text +
                        "' was asked for, but LibTorch has no CUDA here. Use cpu or auto.");
    return device;
  } catch (const c10::Error&) {
    throw_unknown_device(text);
  }
}

ExperimentGraph::ExperimentGraph(ExperimentOptions options, Node config)
    : options_(std::move(options)),
      config_(std::move(config)),
      sample_ops_(graph_components("data.ops", options_.data.ops)),
      batch_ops_(graph_components("data.batch_ops", options_.data.batch_ops)),
      network_(at_place(mark_at(config_, "replicas"), [&] { return make_network(); })),
      metric_components_(graph_components("metrics", options_.metrics)),
      trace_components_(graph_components("train.traces", options_.train.traces)) {
  for (const auto& [set, choice] : source_choices(options_.data))
    sources_[set] = registry<Source>().make(choice);
  for (Mode mode : kAllModes) {
    for (const Choice<Metric>& choice : options_.metrics)
      metrics_[mode].push_back(
          registry<Metric>().make({choice.name(), without_window(choice.options())}));
  }
}

Network ExperimentGraph::make_network() const {
  const at::Device device =
      at_place(mark_at(config_, "device"), [&] { return device_from(options_.device); });
  return {options_.models,
          options_.network,
          static_cast<uint64_t>(options_.seed),
          device,
          kernels_from(options_.kernels),
          options_.replicas};
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

void ExperimentGraph::open_sources() {
  for (const auto& [set, choice] : source_choices(options_.data)) open_source(set);
  use_specs(source(Mode::kTrain)->keys());
  for (const auto& [set, choice] : source_choices(options_.data))
    at_place(choice.options().mark(),
             [&, &of = set] { check_same_keys(specs_, source(of)->keys(), of); });
  open_order();
  check_metric_names();
  check_windows();
  set_epochs(options_.train.epochs);
}

void ExperimentGraph::check_windows() const {
  std::vector<std::string> known;
  for (const DataSet& set : sets(Mode::kEval)) known.push_back(set.text());
  for (const auto& [name, window] : options_.data.windows)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ConfigError("there is no evaluation set " + quote(name) +
                            " for which time could matter." + did_you_mean(name, known),
                        mark_at(config_, "data.windows").place());
}

bool ExperimentGraph::is_used(const DataSet& set, const Moment& moment) const {
  const auto found = options_.data.windows.find(set.text());
  if (found == options_.data.windows.end()) return true;
  const SetWindow& given = found->second;
  return NodeWindow{
      .from = given.from, .until = given.until, .every = given.every, .offset = given.offset}
      .is_open(moment, set.mode);
}

void ExperimentGraph::open_source(const DataSet& set) {
  const auto named = named_source(options_.data, set);
  if (opened_.contains(named->first)) return;
  at_option_of(named->second.options(), [&] { source(named->first)->open(); });
  opened_.insert(named->first);
}

void ExperimentGraph::open_order() {
  const auto& choice = options_.data.order;
  if (!choice) return;
  order_ = registry<Order>().make(*choice);
  at_option_of(choice->options(), [&] { order_->open(*source(Mode::kTrain)); });
}

void ExperimentGraph::use_specs(std::vector<KeySpec> specs) {
  specs_ = std::move(specs);
  std::map<std::string, int64_t> targets;
  for (const KeySpec& key : specs_) {
    const bool is_target = key.spec.role == Role::kClass || key.spec.role == Role::kMask;
    if (is_target && key.spec.classes > 0) targets[key.key] = key.spec.classes;
  }
  network_.models().set_targets(std::move(targets));
}

void ExperimentGraph::learn_backgrounds() {
  for (KeySpec& key : specs_) {
    try {
      key.spec.background = background_of(*source(Mode::kTrain), key.key);
    } catch (const DataError&) {  // what to do with such a sample, training decides
    }
  }
}

std::vector<DataSet> ExperimentGraph::sets(Mode mode) const {
  std::vector<DataSet> found;
  for (const auto& [set, choice] : source_choices(options_.data))
    if (set.mode == mode) found.push_back(set);
  return found;
}

const std::shared_ptr<Source>& ExperimentGraph::source(const DataSet& set) const {
  const auto found = sources_.find(set);
  return found != sources_.end() ? found->second : sources_.at(sets(set.mode).at(0));
}

int64_t ExperimentGraph::batches(const DataSet& set, int64_t epoch) const {
  return loader_options(set, 1).order_of(source(set)->size(), epoch)->batches();
}

void ExperimentGraph::set_epochs(int64_t epochs) {
  EpochTableRequest request;
  request.epochs = epochs;
  request.batch_size = options_.data.batch_size;
  request.batches_per_step = [&](const Moment& moment) {
    return network_.batches_per_step(moment);
  };
  request.has_constant_steps = network_.has_constant_steps();
  request.size = [&](int64_t epoch, int64_t batch_size) { return checked_size(epoch, batch_size); };
  const Mark mark =
      mark_at(config_, request.batch_size.is_constant() ? "train.epochs" : "data.batch_size");
  earlier_tables_.push_back(table_);
  table_ = at_place(mark, [&] { return make_epoch_table(request); });
}

EpochSize ExperimentGraph::checked_size(int64_t epoch, int64_t batch_size) const {
  LoaderOptions options = loader_options_without_size(Mode::kTrain);
  options.batch_size = batch_size;
  const int64_t samples = source(Mode::kTrain)->size();
  const auto order = options.order_of(samples, epoch);
  const int64_t batches = order->batches();
  if (batches > 0) return {batches, (batches - 1) * batch_size + order->rows(batches - 1)};
  throw DataError("data.train has " + std::to_string(samples) +
                      " samples, not enough for one batch of " + std::to_string(batch_size) +
                      ". Use a smaller batch_size, or last_batch: keep.",
                  mark_at(config_, options_.data.drop_last              ? "data.drop_last"
                                   : options_.data.last_batch == "drop" ? "data.last_batch"
                                                                        : "data.train")
                      .place());
}

std::shared_ptr<const Source> ExperimentGraph::source_for(const DataSet& set) const {
  if (set.mode == Mode::kInfer) return infer_source_;
  if (has_source(set.mode)) return source(set);
  const std::string mode(name(set.mode));
  throw ConfigError("is needed for mode " + mode + ", but the config has none.",
                    mark_at(config_, "data." + mode).place());
}

std::string ExperimentGraph::source_text(const DataSet& set) const {
  const auto named = named_source(options_.data, set);
  return named ? named->second.name() + "\n" + to_yaml(named->second.options()) : "";
}

std::vector<KeySpec> ExperimentGraph::input_keys() const {
  std::vector<KeySpec> keys;
  std::copy_if(specs_.begin(), specs_.end(), std::back_inserter(keys),
               [](const KeySpec& key) { return key.spec.role != Role::kClass; });
  // Files from before keys had a role do not tell tokens from classes: any may be what goes in.
  return keys.empty() ? specs_ : keys;
}

GraphNode ExperimentGraph::source_node(const DataSet& set) const {
  const auto source = source_for(set);
  const auto named = named_source(options_.data, set);
  // Without a source in infer mode, what is not to be predicted stands for what a stranger has.
  const std::vector<KeySpec> keys = source ? source->keys() : input_keys();
  std::vector<std::string> writes;
  std::vector<Spec> specs;
  for (const KeySpec& key : keys) {
    writes.push_back(key.key);
    specs.push_back(key.spec);
  }
  return {
      .name = named ? "data." + named->first.text() + " " + named->second.name() : "the raw input",
      .place = Place::kSource,
      .writes = std::move(writes),
      .modes = set.mode,
      .mark = named ? named->second.options().mark() : Mark(),
      .infer = [specs](const std::vector<Spec>&) { return specs; }};
}

template <class Op>
static GraphNode data_node(GraphComponent<Op>& component, Place place, const Moment& moment,
                           Mode mode) {
  const std::shared_ptr<const Op> op = component.at(moment);
  return component.node(
      moment, mode,
      {.place = place,
       .reads = op->reads(),
       .writes = op->writes(),
       .infer = [op](const std::vector<Spec>& inputs) { return op->infer(inputs); },
       .component = op});
}

std::vector<GraphNode> ExperimentGraph::data_nodes(const Moment& moment, Mode mode) {
  std::vector<GraphNode> nodes;
  for (GraphComponent<SampleOp>& component : sample_ops_)
    nodes.push_back(data_node(component, Place::kSample, moment, mode));
  for (GraphComponent<BatchOp>& component : batch_ops_)
    nodes.push_back(data_node(component, Place::kBatch, moment, mode));
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
  std::vector<GraphNode> all = {source_node(set)};
  for (std::vector<GraphNode> part :
       {data_nodes(moment, set.mode), network_.nodes(moment, set.mode),
        metric_nodes(set.mode, moment), trace_nodes(trace_components_, set.mode, moment)})
    std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

CompiledPlan ExperimentGraph::compiled(const DataSet& set, const Moment& moment,
                                       const std::vector<std::string>& fetches) {
  const Moment now = set.mode == Mode::kInfer ? end() : moment;
  CompiledPlan result;
  result.nodes = nodes(set, now);
  result.plan = compile(result.nodes, {.mode = set.mode,
                                       .when = said_moment(now),
                                       .fetches = fetches,
                                       .fetches_mark = mark_at(config_, "predict.out")});
  if (const auto source = source_for(set)) {
    auto data = std::make_shared<DataPlan>(make_data_plan(result.plan, result.nodes, source));
    if (set.mode != Mode::kInfer) keep_plan(set, data);
    result.data = std::move(data);
  }
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

std::vector<std::string> ExperimentGraph::outputs_of_unbuilt() {
  std::vector<std::string> keys;
  const auto is_unbuilt = [&](const std::string& model) {
    return !network_.models().find(model).is_built();
  };
  for (const GraphNode& node : nodes(Mode::kInfer, end())) {
    const auto* op = std::any_cast<std::shared_ptr<NetworkOp>>(&node.component);
    if (op == nullptr || !node.modes.has(Mode::kInfer)) continue;
    const std::vector<std::string> models = (*op)->model_names();
    if (std::none_of(models.begin(), models.end(), is_unbuilt)) continue;
    keys.insert(keys.end(), node.writes.begin(), node.writes.end());
  }
  return keys;
}

bool ExperimentGraph::makes(const std::string& key, Mode mode) {
  const std::vector<GraphNode> all = nodes(mode, mode == Mode::kInfer ? end() : epoch_start(0));
  return std::any_of(all.begin(), all.end(), [&](const GraphNode& node) {
    return node.modes.has(mode) &&
           std::find(node.writes.begin(), node.writes.end(), key) != node.writes.end();
  });
}

LoaderOptions ExperimentGraph::sized_loader_options(const DataSet& set, int64_t epochs) const {
  LoaderOptions options = loader_options_without_size(set);
  options.epochs = epochs;
  options.batch_size = largest_batch();
  if (!table_->is_uniform())
    options.batch_size_of_epoch = [table = table_](int64_t epoch) {
      return table->batch_size(epoch);
    };
  return options;
}

LoaderOptions ExperimentGraph::loader_options_without_size(const DataSet& set) const {
  LoaderOptions options =
      loader_options_of(options_.data, set.mode, static_cast<uint64_t>(options_.seed));
  options.name = set.text();
  if (const auto named = named_source(options_.data, set))
    options.place = named->second.options().mark().place();
  if (set.mode == Mode::kTrain) options.order = order_;
  return options;
}

std::vector<NamedTrace> ExperimentGraph::make_traces() const {
  std::vector<NamedTrace> traces;
  const std::vector<std::string> known = metric_names();
  for (const Choice<Trace>& choice : options_.train.traces) {
    const GraphComponent<Trace>& component = trace_components_[traces.size()];
    traces.push_back({component.label(), component.mark(),
                      registry<Trace>().make({choice.name(), without_window(choice.options())})});
    at_option_of(choice.options(),
                 [&] { check_monitors(choice.name(), *traces.back().trace, known); });
  }
  check_saved_names(options_.train.traces, traces);
  return traces;
}

std::vector<std::string> ExperimentGraph::metric_names() const {
  std::vector<std::string> names;
  for (const auto& [set, choice] : source_choices(options_.data)) {
    if (set.mode == Mode::kTest) continue;
    for (size_t i = 0; i < metric_components_.size(); ++i)
      if (measures(i, set.mode))
        for (const std::string& name : reported_names(*metrics_.at(set.mode)[i]))
          names.push_back(set.text() + "/" + name);
  }
  return names;
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
