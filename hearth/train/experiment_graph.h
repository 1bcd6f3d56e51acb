// An experiment taken apart into graph nodes, and compiled into plans. For internal use by the
// trainer, `check` and prediction.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/data/data_plan.h"
#include "hearth/data/loader.h"
#include "hearth/data/source.h"
#include "hearth/experiment/graph_component.h"
#include "hearth/experiment/options.h"
#include "hearth/metric/metric.h"
#include "hearth/network/network.h"
#include "hearth/train/data_set.h"
#include "hearth/train/epoch_table.h"
#include "hearth/train/listeners.h"
#include "hearth/train/trace_board.h"

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
  explicit ExperimentGraph(ExperimentOptions options, Node config = {});

  // Opens the sources (headers only) and takes specs and lengths from them.
  void open_sources();
  // For prediction: what the training source yielded, without the data.
  void use_specs(std::vector<KeySpec> specs);
  // Looks at some of the training data for the background of its pictures, which the specs then
  // tell.
  void learn_backgrounds();
  // A source that stands in for the data in infer mode.
  void set_infer_source(std::shared_ptr<const Source> source) { infer_source_ = std::move(source); }

  [[nodiscard]] CompiledPlan compiled(const DataSet& set, int64_t epoch,
                                      const std::vector<std::string>& fetches = {});
  // Whether some node of the mode, on or off, writes the key.
  [[nodiscard]] bool makes(const std::string& key, Mode mode);
  // How a set's batches are loaded, up to the epoch `epochs`.
  [[nodiscard]] LoaderOptions loader_options(const DataSet& set, int64_t epochs) const;
  // The data side alone, for the loader, which may ask for later epochs from this thread.
  [[nodiscard]] std::shared_ptr<const DataPlan> data_plan(const DataSet& set, int64_t epoch);

  void set_epochs(int64_t epochs);  // fixes the training's length
  [[nodiscard]] const TrainingLength& length() const { return table_->length; }
  [[nodiscard]] int64_t batches(const DataSet& set, int64_t epoch) const;
  // Training batches of all epochs before this one.
  [[nodiscard]] int64_t batches_before(int64_t epoch) const { return table_->first_batch(epoch); }
  // Of the whole training.
  [[nodiscard]] int64_t total_batches() const { return table_->total_batches; }
  // Of all epochs of the training.
  [[nodiscard]] int64_t largest_batch() const { return table_->largest_batch(); }
  // The config it was read from, for the places of options.
  [[nodiscard]] const Node& config() const { return config_; }
  // Epochs in which a plan may differ from the epoch before; 0 first.
  [[nodiscard]] std::vector<int64_t> change_epochs() const;
  [[nodiscard]] Moment epoch_start(int64_t epoch) const;

  [[nodiscard]] const ExperimentOptions& options() const { return options_; }
  [[nodiscard]] Network& network() { return network_; }
  [[nodiscard]] std::vector<DataSet> sets(Mode mode) const;
  [[nodiscard]] bool has_source(Mode mode) const { return !sets(mode).empty(); }
  // Of the first set, when only the mode is given.
  [[nodiscard]] const std::shared_ptr<Source>& source(const DataSet& set) const;
  [[nodiscard]] const std::vector<KeySpec>& specs() const { return specs_; }
  // Those of the specs that a stranger's data point may fill: what nobody predicts.
  [[nodiscard]] std::vector<KeySpec> input_keys() const;
  [[nodiscard]] const std::vector<std::shared_ptr<Metric>>& metrics(Mode mode) {
    return metrics_[mode];
  }
  // ConfigError and GraphError for two that save under one name, and for metrics that nothing
  // measures.
  [[nodiscard]] std::vector<NamedTrace> make_traces() const;
  // Names of what is measured: "train/loss", "eval/accuracy".
  [[nodiscard]] std::vector<std::string> metric_names() const;
  [[nodiscard]] bool is_better_when_higher(const std::string& metric) const;

 private:
  // Everything of the set's mode, on or off, for the epoch that starts at `moment`.
  [[nodiscard]] std::vector<GraphNode> nodes(const DataSet& set, const Moment& moment);
  [[nodiscard]] GraphNode source_node(const DataSet& set) const;
  [[nodiscard]] std::vector<GraphNode> data_nodes(const Moment& moment);
  [[nodiscard]] std::vector<GraphNode> metric_nodes(Mode mode, const Moment& moment) const;
  [[nodiscard]] Network make_network() const;
  [[nodiscard]] bool measures(size_t metric, Mode mode) const;
  void check_metric_names() const;
  void open_order();
  [[nodiscard]] LoaderOptions loader_options_without_size(const DataSet& set) const;
  [[nodiscard]] int64_t checked_batches(int64_t epoch, int64_t batch_size) const;
  [[nodiscard]] std::shared_ptr<const Source> source_for(const DataSet& set) const;

  ExperimentOptions options_;
  Node config_;
  std::map<DataSet, std::shared_ptr<Source>> sources_;
  std::shared_ptr<const Source> infer_source_;
  std::shared_ptr<Order> order_;  // of training samples, when the config names one
  std::vector<KeySpec> specs_;
  std::vector<GraphComponent<SampleOp>> sample_ops_;
  std::vector<GraphComponent<BatchOp>> batch_ops_;
  Network network_;
  std::vector<GraphComponent<Metric>> metric_components_;
  std::map<Mode, std::vector<std::shared_ptr<Metric>>> metrics_;
  std::vector<GraphComponent<Trace>> trace_components_;
  std::shared_ptr<const EpochTable> table_ = std::make_shared<const EpochTable>();
  std::vector<std::shared_ptr<const EpochTable>> earlier_tables_;  // moments may still point there
};

// Threads that prepare batches when the config does not say: half the cores less one, 0 to 8.
[[nodiscard]] int automatic_workers();

// `auto` is CUDA when LibTorch has it. ConfigError for a device that is not there.
[[nodiscard]] at::Device device_from(const std::string& text);

}  // namespace hearth
