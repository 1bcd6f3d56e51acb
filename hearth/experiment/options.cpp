// The field lists of an experiment: YAML, help, docs and JSON Schema come from here.
#include "hearth/experiment/options.h"

namespace hearth {

const Schema<DataOptions>& DataOptions::schema() {
  using O = DataOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::train, "train", "Where training samples come from.")
          .field(&O::eval, "eval", "Held-out samples, evaluated after every epoch.")
          .field(&O::test, "test", "Samples for the final test, by `hearth evaluate --mode test`.")
          .field(&O::batch_size, "batch_size", "Samples in a batch.", at_least(1))
          .field(&O::ops, "ops", "Ops on each sample, in order.")
          .field(&O::shuffle, "shuffle", "Draw training samples in a new order every epoch.")
          .field(&O::drop_last, "drop_last", "Leave out a last training batch that is not full.")
          .field(
              &O::workers, "workers",
              "Threads that prepare batches; the training thread helps. Left out: chosen for this "
              "machine. Never changes results.",
              at_least(0))
          .field(&O::depth, "depth", "Batches prepared ahead.", at_least(1))
          .field(
              &O::on_error, "on_error",
              "A sample that cannot be read: `raise` stops and names it, `replace` takes another "
              "one, always the same, and counts it.",
              one_of({"raise", "replace"}));
  return schema;
}

const Schema<ModelOptions>& ModelOptions::schema() {
  using O = ModelOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::build, "build", "The layer or architecture it is made of.", required())
          .field(&O::optimizer, "optimizer", "What updates its parameters; none: they stay.")
          .field(&O::trainable, "trainable", "Whether gradients are computed for it.")
          .field(&O::average, "average",
                 "Decay of an exponential average of the parameters, such as 0.999: evaluation, "
                 "prediction and export use the averages, training goes on with the parameters. "
                 "Early in training it forgets sooner. Buffers, such as statistics of batch "
                 "norms, are not averaged. Left out: none.",
                 at_least(0), below(1))
          .check(
              "average needs an optimizer to move what it averages. Give the model one, such as "
              "adamw, or "
              "leave average out.",
              [](const O& options) { return !options.average || options.optimizer; });
  return schema;
}

const Schema<CheckpointOptions>& CheckpointOptions::schema() {
  using O = CheckpointOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::every, "every",
                 "How often to save: 5min, 500st, 1ep. The end of training and Ctrl-C always save.")
          .field(&O::keep, "keep", "Checkpoints to keep.", at_least(2));
  return schema;
}

const Schema<TrainOptions>& TrainOptions::schema() {
  using O = TrainOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::epochs, "epochs", "Passes over the training data.", at_least(1))
          .field(&O::traces, "traces", "Observers of the training, in order.")
          .field(&O::checkpoint, "checkpoint", "When to save, and how much to keep.")
          .field(&O::log_every, "log_every", "Steps between two records in the run log.",
                 at_least(1))
          .field(&O::warm_up, "warm_up",
                 "Run one step of every distinct plan on copied state before training starts.");
  return schema;
}

const Schema<PredictOptions>& PredictOptions::schema() {
  using O = PredictOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::out, "out", "The key that holds the prediction.")
          .field(&O::top, "top", "Classes to show, most likely first.", at_least(1));
  return schema;
}

const Schema<ExperimentOptions>& ExperimentOptions::schema() {
  using O = ExperimentOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::name, "name", "Names the run's folder.", not_empty())
          .field(&O::seed, "seed", "Same config and seed, same bits.", at_least(0))
          .field(&O::device, "device", "Where the network runs: auto, cpu, cuda, cuda:1.")
          .field(&O::threads, "threads", "Threads for computing. Left out: the machine's cores.",
                 at_least(1), at_most(1024))
          .field(
              &O::replicas, "replicas",
              "Copies of the network that share every training batch, each with one thread; they "
              "take one step together. Batch norms then use each part's statistics, and sums "
              "have another order. 1 for off.",
              at_least(1), at_most(255))
          .field(&O::kernels, "kernels",
                 "`fast`: Hearth's own kernels where they exist; `plain`: LibTorch's everywhere.",
                 one_of({"fast", "plain"}))
          .field(&O::folder, "folder", "Where run folders are made.", not_empty())
          .field(&O::data, "data", "Sources, ops on samples, batches.")
          .field(&O::model, "model", "Shorthand: the one model, called `net` in the full form.")
          .field(&O::loss, "loss", "Shorthand: its loss.")
          .field(&O::optimizer, "optimizer", "Shorthand: its optimizer.")
          .field(
              &O::average, "average",
              "Shorthand: decay of the average of its parameters, such as 0.999. Left out: none.",
              at_least(0), below(1))
          .field(&O::input, "input", "Shorthand: the key the model reads.")
          .field(&O::target, "target", "Shorthand: the key the loss and the metrics compare with.")
          .field(&O::models, "models", "Models by name.")
          .field(&O::network, "network", "Ops on each batch, in order.")
          .field(&O::metrics, "metrics", "What is measured in train, eval and test.")
          .field(&O::train, "train", "Length, traces, checkpoints.")
          .field(&O::predict, "predict", "What a prediction shows.")
          .field(&O::plugins, "plugins", "Libraries with components of your own, loaded first.");
  return schema;
}

}  // namespace hearth
