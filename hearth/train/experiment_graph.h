// An experiment taken apart into graph nodes, and compiled into plans. For internal use by the
// trainer, `check` and prediction.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/data/cache_choice.h"
#include "hearth/data/data_plan.h"
#include "hearth/data/loader.h"
#include "hearth/data/source.h"
#include "hearth/experiment/graph_component.h"
#include "hearth/experiment/options.h"
#include "hearth/metric/metric.h"
#include "hearth/network/network.h"
#include "hearth/tensor/device_name.h"
#include "hearth/train/data_set.h"
#include "hearth/train/epoch_table.h"
#include "hearth/train/listeners.h"
#include "hearth/train/trace_board.h"
#include "hearth/train/training_sets.h"

namespace hearth {

// A metric of a plan, and which values it reads.
struct BoundMetric {
  std::shared_ptr<Metric> metric;
  std::vector<int> inputs;
};

// A plan with everything behind its nodes looked up.
struct CompiledPlan {
  Plan plan;
  std::vector<GraphNode> nodes;
  std::shared_ptr<const DataPlan> data;
  std::vector<BoundOp> ops;
  std::vector<BoundMetric> metrics;
  Listeners listeners;  // traces by what they hear
};

class ExperimentGraph {
 public:
  // `config` is what the options were read from: errors take their places from it.
  // With a group, every training batch is shared with its other ranks.
  explicit ExperimentGraph(ExperimentOptions options, Node config = {},
                           std::shared_ptr<Group> group = {});
  // Null for one process.
  [[nodiscard]] const std::shared_ptr<Group>& group() const { return group_; }

  // Opens the sources (headers only) and takes specs and lengths from them.
  void open_sources();
  // For evaluation of a trained model: only the sets of the mode, where nothing that hangs on the
  // training's length matters; else all.
  void open_sources_for(Mode mode);
  // For prediction: what the training source yielded, without the data.
  void use_specs(std::vector<KeySpec> specs);
  // Looks at some of the training data for the background of its pictures, which the specs then
  // tell.
  void learn_backgrounds();
  // Ops that the training data must show something before they run: "data.ops[0] standardize".
  [[nodiscard]] std::vector<std::string> ops_to_fit();
  // Shows it to them, in the order of the ops and of the samples, and makes them anew with what
  // they found. Each sees what the ops before it make in evaluation. `notice` is told how it goes.
  void fit_ops(const std::function<void(const std::string&)>& notice);
  // Writes what was found into a config that the options were read from.
  void write_fitted(Node& config) const;
  // Opens a single source, unless it is open.
  void open_source(const DataSet& set);

  // The plan for that moment. Prediction takes place at the end of the training, whatever the
  // moment; training without a name is on the set of the moment's epoch.
  [[nodiscard]] CompiledPlan compiled(const DataSet& asked, const Moment& moment,
                                      const std::vector<std::string>& fetches = {});
  // In infer mode, with a source that stands in for the data.
  [[nodiscard]] CompiledPlan compiled_for(std::shared_ptr<const Source> source,
                                          const std::vector<std::string>& fetches);
  // Whether some node of the mode, on or off, writes the key.
  [[nodiscard]] bool makes(const std::string& key, Mode mode);
  // How a set's batches are loaded, up to the epoch `epochs`; of Mode::kTrain, those of each
  // epoch's set.
  [[nodiscard]] LoaderOptions loader_options(const DataSet& set, int64_t epochs) const;
  // How a set's samples are cached; nothing before its first plan is compiled.
  [[nodiscard]] const CacheChoice& cache_choice(const DataSet& set) const;
  void set_epochs(int64_t epochs);  // fixes the training's length
  [[nodiscard]] const TrainingLength& length() const { return table_->length; }
  // ConfigError unless each epoch of that length has exactly one training set.
  void check_training_sets() const { training_.check(length()); }
  // The one that an epoch uses.
  [[nodiscard]] DataSet training_set(int64_t epoch) const {
    return training_.at(epoch_start(epoch));
  }
  [[nodiscard]] int64_t batches(const DataSet& set, int64_t epoch) const;
  // Training batches of all epochs before this one.
  [[nodiscard]] int64_t batches_before(int64_t epoch) const { return table_->first_batch(epoch); }
  // Of the whole training.
  [[nodiscard]] int64_t total_batches() const { return table_->total_batches; }
  // Of all epochs of the training.
  [[nodiscard]] int64_t largest_batch() const { return table_->largest_batch(); }
  // The config it was read from, for the places of options.
  [[nodiscard]] const Node& config() const { return config_; }
  // The moment of a training batch: what it sees does not depend on what ran before.
  [[nodiscard]] Moment batch_moment(int64_t epoch, int64_t batch) const;
  [[nodiscard]] Moment epoch_start(int64_t epoch) const { return batch_moment(epoch, 0); }
  // When an epoch is evaluated: its last step.
  [[nodiscard]] Moment epoch_end(int64_t epoch) const;
  // The last step of the training.
  [[nodiscard]] Moment end() const;
  // Which components time switches on at a moment, in a fixed order; and the options they have in
  // its epoch, as text. Equal ones give the same plan.
  void find_open(const Moment& moment, Mode mode, std::vector<bool>& open) const;
  [[nodiscard]] std::string epoch_options(const Moment& moment) const;
  // Whether any of it ever changes.
  [[nodiscard]] bool has_timed_components() const;
  [[nodiscard]] bool changes_with_epochs() const;
  // A moment for each plan that the set will run, in the order of time; of options that move all
  // the time, those where they start to behave differently.
  [[nodiscard]] std::vector<Moment> plan_moments(const DataSet& set) const;

  [[nodiscard]] const ExperimentOptions& options() const { return options_; }
  [[nodiscard]] Network& network() { return network_; }
  [[nodiscard]] std::vector<DataSet> sets(Mode mode) const;
  // Whether data.windows lets the set be used at that moment.
  [[nodiscard]] bool is_used(const DataSet& set, const Moment& moment) const;
  [[nodiscard]] bool has_source(Mode mode) const { return !sets(mode).empty(); }
  // ConfigError when there is nothing to evaluate.
  void require_source(Mode mode) const;
  // Of the first set, when only the mode is given.
  [[nodiscard]] const std::shared_ptr<Source>& source(const DataSet& set) const;
  [[nodiscard]] const std::vector<KeySpec>& specs() const { return specs_; }
  // Those of the specs that a stranger's data point may fill: what nobody predicts.
  [[nodiscard]] std::vector<KeySpec> input_keys() const;
  [[nodiscard]] const std::vector<std::shared_ptr<Metric>>& metrics(Mode mode) {
    return metrics_[mode];
  }
  // ConfigError and GraphError for two that write under one name, and for metrics that nothing
  // measures.
  [[nodiscard]] std::vector<NamedTrace> make_traces() const;
  // Names of what is measured: "train/loss", "eval/accuracy", "eval/f1/macro".
  [[nodiscard]] std::vector<std::string> metric_names() const;
  [[nodiscard]] bool is_better_when_higher(const std::string& metric) const;

 private:
  // Everything of the set's mode, on or off, at that moment.
  [[nodiscard]] std::vector<GraphNode> nodes(const DataSet& set, const Moment& moment);
  [[nodiscard]] DataSet set_at(const DataSet& set, const Moment& moment) const;
  [[nodiscard]] std::vector<std::string> written_files(const Trace& trace,
                                                       const std::optional<Modes>& when) const;
  [[nodiscard]] std::vector<GraphNode> source_nodes(const DataSet& set) const;
  [[nodiscard]] GraphNode source_node(const DataSet& set) const;
  [[nodiscard]] Node fit_op(size_t index, const std::function<void(const std::string&)>& notice);
  [[nodiscard]] std::vector<GraphNode> data_nodes(const Moment& moment, Mode mode);
  [[nodiscard]] std::vector<GraphNode> metric_nodes(Mode mode, const Moment& moment) const;
  [[nodiscard]] Network make_network() const;
  [[nodiscard]] bool measures(size_t metric, Mode mode) const;
  void check_metric_names() const;
  void check_metric_needs() const;
  void open_orders();
  void check_windows() const;
  [[nodiscard]] LoaderOptions loader_options_without_size(const DataSet& set) const;
  // The source's name and options.
  [[nodiscard]] std::string source_text(const DataSet& set) const;
  // The data side of a plan, with the set's cache.
  [[nodiscard]] std::shared_ptr<const DataPlan> data_plan(
      const DataSet& set, const CompiledPlan& compiled,
      const std::shared_ptr<const Source>& source);
  // Remembers the plan that takes most.
  void note_plan(const DataSet& set, const std::shared_ptr<const DataPlan>& plan);
  void attach_cache(const DataSet& set, DataPlan& plan);
  // Of the mode's sets, when only the mode is given.
  [[nodiscard]] const DataPlan* largest_plan(const DataSet& set) const;
  [[nodiscard]] LoaderOptions sized_loader_options(const DataSet& set, int64_t epochs) const;
  // Of `data.memory`: what a loader may take, what a set's cache takes, and what it may take.
  [[nodiscard]] uint64_t source_bytes() const;
  [[nodiscard]] int64_t loader_share() const;
  [[nodiscard]] int64_t cache_bytes(const DataSet& set) const;
  [[nodiscard]] int64_t cache_share(const DataSet& set) const;
  [[nodiscard]] SampleSet sample_set(const DataSet& set) const;
  [[nodiscard]] EpochSize checked_size(const DataSet& set, int64_t epoch, int64_t batch_size) const;
  // Calls visit(component) for every component that time may switch.
  template <class Visit>
  void for_each_component(const Visit& visit) const {
    for (const auto& component : sample_ops_) visit(component);
    for (const auto& component : batch_ops_) visit(component);
    for (const auto& component : network_.components()) visit(component);
    for (const auto& component : metric_components_) visit(component);
    for (const auto& component : trace_components_) visit(component);
  }
  // The same for what has a window and is no component: groups of parameters.
  template <class Visit>
  void for_each_window(const Visit& visit) const {
    for_each_component(
        [&](const auto& component) { component.placed([&] { visit(component.window()); }); });
    for (const auto& [name, model] : options_.models)
      for (const ParameterGroup& group : model.groups)
        at_place(group.mark, [&] { visit({.from = group.from, .until = group.until}); });
  }
  [[nodiscard]] std::vector<int64_t> notable_epochs() const;
  [[nodiscard]] std::vector<int64_t> notable_steps(int64_t epoch) const;
  [[nodiscard]] std::shared_ptr<const Source> source_for(const DataSet& set) const;

  ExperimentOptions options_;
  Node config_;
  std::map<DataSet, std::shared_ptr<Source>> sources_;
  std::set<DataSet> opened_;
  std::shared_ptr<const Source> infer_source_;        // while a plan is compiled for it
  std::map<DataSet, std::shared_ptr<Order>> orders_;  // of training sets, when the config names one
  // What the data side of a set needs, once a plan of it is known.
  struct SetMemory {
    std::shared_ptr<const DataPlan> largest;
    CacheChoice choice;
    std::shared_ptr<SampleCache> cache;
    std::string cached;  // the identity of what it holds
  };
  std::map<DataSet, SetMemory> memory_;
  std::vector<KeySpec> specs_;
  std::vector<GraphComponent<SampleOp>> sample_ops_;
  std::vector<std::pair<size_t, Node>> fitted_;  // ops by index, and options that they were given
  std::vector<GraphComponent<BatchOp>> batch_ops_;
  std::shared_ptr<Group> group_;
  Network network_;
  std::vector<GraphComponent<Metric>> metric_components_;
  std::map<Mode, std::vector<std::shared_ptr<Metric>>> metrics_;
  std::vector<GraphComponent<Trace>> trace_components_;
  TrainingSets training_;
  bool is_without_training_ = false;  // its data are not opened, and nobody asks for its length
  std::shared_ptr<const EpochTable> table_ = std::make_shared<const EpochTable>();
  std::vector<std::shared_ptr<const EpochTable>> earlier_tables_;  // moments may still point there
};

}  // namespace hearth
