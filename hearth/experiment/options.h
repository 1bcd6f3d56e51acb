// A whole experiment as options: what the YAML file says and what C++ writes, word for word.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/scoped_options.h"
#include "hearth/config/time.h"
#include "hearth/core/layer_edit.h"
#include "hearth/experiment/device_names.h"
#include "hearth/experiment/parameter_group.h"
#include "hearth/experiment/sync_replicas.h"
#include "hearth/experiment/weights_options.h"
#include "hearth/launch/cluster_options.h"
#include "hearth/launch/elastic_options.h"
#include "hearth/schedule/schedule.h"

namespace hearth {

template <>
struct TypeOf<NamedChoices<Source>> {
  static Type type();
  static NamedChoices<Source> read(const Node& node);
  static Node write(const NamedChoices<Source>& choices);
};

// When a set of samples is used.
struct SetWindow {
  Time from = {};
  std::optional<Time> until = {};
  std::optional<Time> every = {};
  std::optional<Time> offset = {};
  static const Schema<SetWindow>& schema();
};

struct DataOptions {
  NamedChoices<Source> train = {};
  NamedChoices<Source> eval = {};
  std::optional<Choice<Source>> test = {};
  std::map<std::string, SetWindow> windows = {};
  ScheduledCount batch_size = 32;
  std::vector<Choice<SampleOp>> ops = {};
  std::vector<Choice<BatchOp>> batch_ops = {};
  bool shuffle = true;
  std::optional<Choice<Order>> order = {};
  std::string last_batch = "keep";
  bool drop_last = false;
  std::optional<int64_t> workers = {};
  int64_t depth = 2;
  std::optional<ByteSize> memory = {};
  std::string cache = "none";
  std::string cache_folder = "cache";
  std::string on_error = "raise";
  int64_t value_megabytes = 64;
  static const Schema<DataOptions>& schema();
};

struct ModelOptions {
  Choice<Layer> build = {};
  std::optional<Choice<Optimizer>> optimizer = {};
  bool trainable = true;
  std::optional<WeightsOptions> weights = {};
  std::optional<double> average = {};
  std::vector<LayerEdit> edits = {};
  LayerDefaults defaults = {};
  std::vector<ParameterGroup> groups = {};
  std::map<std::string, Choice<Optimizer>> optimizers = {};
  std::string decay = "all";
  std::map<std::string, std::string> place = {};
  static const Schema<ModelOptions>& schema();
};

struct CheckpointOptions {
  Time every = minutes(5);
  int64_t keep = 2;
  static const Schema<CheckpointOptions>& schema();
};

// Commands of the shell around a training.
struct CommandOptions {
  std::vector<std::string> before = {};
  std::vector<std::string> after = {};
  static const Schema<CommandOptions>& schema();
};

struct TrainOptions {
  int64_t epochs = 1;
  std::optional<Time> until = {};
  std::vector<Choice<Trace>> traces = {};
  std::vector<Choice<Tracker>> trackers = {};
  CheckpointOptions checkpoint = {};
  int64_t log_every = 1;
  bool warm_up = true;
  std::string on_nan = "stop";
  CommandOptions commands = {};
  static const Schema<TrainOptions>& schema();
};

struct PredictOptions {
  std::vector<std::string> out = {"probability"};
  int64_t top = 3;
  static const Schema<PredictOptions>& schema();
};

struct ExperimentOptions {
  std::string name = "experiment";
  int64_t seed = 0;
  DeviceNames device = "auto";
  std::optional<int64_t> threads = {};
  int64_t replicas = 1;
  std::optional<int64_t> shards = {};
  std::optional<ClusterOptions> cluster = {};
  std::optional<ElasticOptions> elastic = {};
  std::optional<Choice<Exchange>> exchange = {};
  std::optional<SyncReplicasOptions> sync_replicas = {};
  int64_t zero = 0;
  std::string kernels = "fast";
  std::string precision = "float32";
  std::string folder = "runs";
  DataOptions data = {};

  // Shorthand for one supervised model; expands to `models` and `network`.
  std::optional<Choice<Layer>> model = {};
  std::optional<Choice<NetworkOp>> loss = {};
  std::optional<Choice<Optimizer>> optimizer = {};
  std::optional<WeightsOptions> weights = {};
  std::optional<double> average = {};
  std::vector<LayerEdit> edits = {};
  LayerDefaults defaults = {};
  std::vector<ParameterGroup> groups = {};
  std::string decay = "all";
  std::map<std::string, std::string> place = {};
  std::string input = "image";
  std::string target = "label";

  std::map<std::string, ModelOptions> models = {};
  std::vector<Choice<NetworkOp>> network = {};
  std::vector<Choice<Metric>> metrics = {};
  std::vector<Choice<Technique>> techniques = {};
  TrainOptions train = {};
  PredictOptions predict = {};
  std::vector<std::string> plugins = {};
  static const Schema<ExperimentOptions>& schema();
};

}  // namespace hearth
