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
#include "hearth/experiment/options.h"
#include "hearth/experiment/planned.h"
#include "hearth/metrics/metric.h"
#include "hearth/network/network.h"
#include "hearth/train/trace.h"

namespace hearth {

// A metric of a plan with the slots it reads.
struct MetricCall {
  std::shared_ptr<Metric> metric;
  std::vector<int> inputs;
};

// A plan with everything behind its nodes looked up.
struct CompiledPlan {
  Plan plan;
  std::vector<GraphNode> nodes;
  std::shared_ptr<const DataPlan> data;
  std::vector<NetworkCall> calls;
  std::vector<MetricCall> metrics;
};

class Experiment {
 public:
  explicit Experiment(ExperimentOptions options);

  // Opens the sources (headers only) and takes specs and lengths from them.
  void open_sources();
  // For prediction: what the training source yielded, without the data.
  void use_specs(std::vector<KeySpec> specs);
  // A source that stands in for the data in infer mode.
  void set_infer_source(std::shared_ptr<const Source> source) { infer_source_ = std::move(source); }

  [[nodiscard]] CompiledPlan compiled(Mode mode, int64_t epoch,
                                      const std::vector<std::string>& fetches = {});
  // How a mode's batches are loaded, up to the epoch `epochs`.
  [[nodiscard]] LoaderOptions loader_options(Mode mode, int64_t epochs) const;
  // The data side alone, for the loader, which may ask for later epochs from this thread.
  [[nodiscard]] std::shared_ptr<const DataPlan> data_plan(Mode mode, int64_t epoch);

  void set_epochs(int64_t epochs);  // fixes the training's length
  [[nodiscard]] const TrainingLength& length() const { return length_; }
  [[nodiscard]] int64_t batches_per_epoch(Mode mode) const;
  // Epochs in which a plan may differ from the epoch before; 0 first.
  [[nodiscard]] std::vector<int64_t> change_epochs() const;
  [[nodiscard]] Moment epoch_start(int64_t epoch) const;

  [[nodiscard]] const ExperimentOptions& options() const { return options_; }
  [[nodiscard]] Network& network() { return network_; }
  [[nodiscard]] bool has_source(Mode mode) const { return sources_.contains(mode); }
  [[nodiscard]] const std::shared_ptr<Source>& source(Mode mode) const { return sources_.at(mode); }
  [[nodiscard]] const std::vector<KeySpec>& specs() const { return specs_; }
  // Those of the specs that a stranger's data point may fill: what nobody predicts.
  [[nodiscard]] std::vector<KeySpec> input_keys() const;
  [[nodiscard]] const std::vector<std::shared_ptr<Metric>>& metrics(Mode mode) {
    return metrics_[mode];
  }
  [[nodiscard]] std::vector<std::unique_ptr<Trace>> make_traces() const;
  // Names of what is measured: "train/loss", "eval/accuracy".
  [[nodiscard]] std::vector<std::string> metric_names() const;
  [[nodiscard]] bool is_better_when_higher(const std::string& metric) const;

 private:
  struct Assembled;
  [[nodiscard]] Assembled assemble(Mode mode, const Moment& moment);
  void add_source_node(Mode mode, Assembled& all);
  void add_sample_nodes(const Moment& moment, Assembled& all);
  void add_network_nodes(const Moment& moment, Assembled& all);
  void add_metric_nodes(Mode mode, Assembled& all);
  [[nodiscard]] std::shared_ptr<const Source> source_for(Mode mode) const;

  ExperimentOptions options_;
  std::map<Mode, std::shared_ptr<Source>> sources_;
  std::shared_ptr<const Source> infer_source_;
  std::vector<KeySpec> specs_;
  std::vector<Planned<SampleOp>> sample_ops_;
  Network network_;
  std::vector<Planned<Metric>> planned_metrics_;
  std::map<Mode, std::vector<std::shared_ptr<Metric>>> metrics_;
  TrainingLength length_;
};

// Threads that prepare batches when the config does not say: half the cores less one, 0 to 8.
[[nodiscard]] int automatic_workers();

// `auto` is CUDA when LibTorch has it. ConfigError for a device that is not there.
[[nodiscard]] at::Device device_from(const std::string& text);

}  // namespace hearth
