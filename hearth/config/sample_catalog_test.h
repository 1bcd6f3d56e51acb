// A small made-up catalog for the tests of this part.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/choice.h"
#include "hearth/config/schema.h"

namespace hearth::sample {

struct MayBeScheduled {
  void apply(Field& field) const { field.type.is_scheduled = true; }
};

struct AdamwOptions {
  double lr = 0.001;
  std::vector<double> betas = {0.9, 0.999};
  double weight_decay = 0.01;
  static const Schema<AdamwOptions>& schema() {
    static const auto made =
        Schema<AdamwOptions>()
            .field(&AdamwOptions::lr, "lr", "Learning rate.", above(0), MayBeScheduled())
            .field(&AdamwOptions::betas, "betas", "Decay of the averages.", at_least(0), below(1))
            .field(&AdamwOptions::weight_decay, "weight_decay", "Decay.", at_least(0));
    return made;
  }
};

struct SgdOptions {
  double lr = 0.1;
  double momentum = 0;
  bool nesterov = false;
  static const Schema<SgdOptions>& schema() {
    static const auto made =
        Schema<SgdOptions>()
            .field(&SgdOptions::lr, "lr", "Learning rate.", above(0), MayBeScheduled())
            .field(&SgdOptions::momentum, "momentum", "Momentum.", at_least(0), below(1))
            .field(&SgdOptions::nesterov, "nesterov", "Look ahead.")
            .check("nesterov needs a momentum above 0.",
                   [](const SgdOptions& o) { return !o.nesterov || o.momentum > 0; });
    return made;
  }
};

struct CosineOptions {
  double peak = 0.1;
  Time warmup = steps(0);
  static const Schema<CosineOptions>& schema() {
    static const auto made = Schema<CosineOptions>()
                                 .field(&CosineOptions::peak, "peak", "Highest value.")
                                 .field(&CosineOptions::warmup, "warmup", "Linear start.");
    return made;
  }
};

struct ShiftOptions {
  std::string key = "image";
  int64_t pixels = 1;
  static const Schema<ShiftOptions>& schema() {
    static const auto made =
        Schema<ShiftOptions>()
            .field(&ShiftOptions::key, "key", "Key to change.", not_empty())
            .field(&ShiftOptions::pixels, "pixels", "Most pixels.", at_least(0), at_most(8));
    return made;
  }
};

struct EarlyStoppingOptions {
  std::string monitor = "loss";
  int64_t patience = 3;
  static const Schema<EarlyStoppingOptions>& schema() {
    static const auto made = Schema<EarlyStoppingOptions>()
                                 .field(&EarlyStoppingOptions::monitor, "monitor", "Key to watch.")
                                 .field(&EarlyStoppingOptions::patience, "patience",
                                        "Epochs to wait without improvement.", at_least(1));
    return made;
  }
};

struct SaveOptions {
  std::string folder;
  std::string keep = "best";
  static const Schema<SaveOptions>& schema() {
    static const auto made =
        Schema<SaveOptions>()
            .field(&SaveOptions::folder, "folder", "Where to write.", is_path(), required())
            .field(&SaveOptions::keep, "keep", "What stays.", one_of({"best", "last", "all"}));
    return made;
  }
};

struct NoOptions {
  static const Schema<NoOptions>& schema() {
    static const Schema<NoOptions> made;
    return made;
  }
};

struct DataOptions {
  int64_t batch_size = 32;
  std::vector<Choice<SampleOp>> ops;
  std::vector<std::string> classes;
  static const Schema<DataOptions>& schema() {
    static const auto made =
        Schema<DataOptions>()
            .field(&DataOptions::batch_size, "batch_size", "Samples a batch.", at_least(1))
            .field(&DataOptions::ops, "ops", "Ops on a sample.")
            .field(&DataOptions::classes, "classes", "Names of the classes.");
    return made;
  }
};

struct TrainOptions {
  int64_t epochs = 1;
  std::optional<double> clip;
  std::vector<Choice<Trace>> traces = {Choice<Trace>("progress", Node::map())};
  static const Schema<TrainOptions>& schema() {
    static const auto made =
        Schema<TrainOptions>()
            .field(&TrainOptions::epochs, "epochs", "Passes over the data.", at_least(1))
            .field(&TrainOptions::clip, "clip", "Largest norm of the gradient.", above(0))
            .field(&TrainOptions::traces, "traces", "Observers.");
    return made;
  }
};

struct ExperimentOptions {
  std::string name;
  DataOptions data;
  Choice<Optimizer> optimizer;
  TrainOptions train;
  std::map<std::string, int64_t> sizes;
  Time stop = epochs(1);
  Modes modes = Modes::all();
  static const Schema<ExperimentOptions>& schema() {
    using E = ExperimentOptions;
    static const auto made = Schema<E>()
                                 .field(&E::name, "name", "Name of the run.", required())
                                 .field(&E::data, "data", "The data.")
                                 .field(&E::optimizer, "optimizer", "The optimizer.")
                                 .field(&E::train, "train", "The training.")
                                 .field(&E::sizes, "sizes", "Sizes by name.", at_least(1))
                                 .field(&E::stop, "stop", "The end.")
                                 .field(&E::modes, "modes", "Modes to run.");
    return made;
  }
};

template <class Options>
ComponentInfo component(std::string name, std::string help) {
  return {std::move(name), std::move(help), Options::schema().info()};
}

inline const Catalog& catalog() {
  static const Catalog made = {
      {{"optimizer",
        "Rules that change parameters.",
        "optimizer",
        {},
        false,
        {component<AdamwOptions>("adamw", "Adam with decoupled decay."),
         component<SgdOptions>("sgd", "Gradient descent.")}},
       {"schedule",
        "Numbers that change over time.",
        "",
        {},
        false,
        {component<CosineOptions>("cosine", "Half a cosine.")}},
       {"sample_op",
        "Ops on one sample.",
        "data.ops",
        node_fields(),
        true,
        {component<NoOptions>("flip", "Flips."),
         component<ShiftOptions>("random_shift", "Shifts by some pixels.")}},
       {"trace",
        "Observers.",
        "train.traces",
        {},
        false,
        {component<NoOptions>("progress", "Shows how far it is."),
         component<EarlyStoppingOptions>("early_stopping", "Stops when nothing improves."),
         component<SaveOptions>("save", "Writes files.")}}},
      ExperimentOptions::schema().info()};
  return made;
}

}  // namespace hearth::sample
