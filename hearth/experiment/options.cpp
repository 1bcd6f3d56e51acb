// The field lists of an experiment: YAML, help, docs and JSON Schema come from here.
#include "hearth/experiment/options.h"

#include <algorithm>

#include "hearth/config/chosen.h"
#include "hearth/config/registry.h"

namespace hearth {
namespace {

// Far beyond use.
constexpr double kMostWorkers = 1024;
constexpr double kMostBatchesAhead = 65536;
constexpr double kMostValueMegabytes = 65536;

constexpr const char* kPlaceHelp =
    "Devices for parts of the model, by the paths of layers: {'encoder.*': cuda:0, head: cuda:1}. "
    "Of several that fit, the longest counts; what none fits stays on `device`. Values are moved "
    "where they cross from one to another.";

constexpr const char* kDecayHelp =
    "What weight_decay pulls towards zero: `all` parameters; or `weights`, those of two dimensions "
    "and more, so neither biases nor factors of norms. A group that says its own weight_decay has "
    "it.";

constexpr const char* kDefaultsHelp =
    "Options of layers anywhere in the model, by the name of the layer, such as `{conv2d: {bias: "
    "false}}`. What a layer says itself counts, then what `defaults` of a layer around it say.";

}  // namespace

Type TypeOf<NamedChoices<Source>>::type() {
  Type type;
  type.kind = TypeKind::kMap;
  type.is_optional = true;
  type.may_stand_alone = true;
  type.element = std::make_shared<const Type>(TypeOf<Choice<Source>>::type());
  return type;
}

NamedChoices<Source> TypeOf<NamedChoices<Source>>::read(const Node& node) {
  if (node.is_null()) return {};
  if (is_lone_component(node, registry<Source>().names()))
    return TypeOf<Choice<Source>>::read(node);
  std::vector<NamedChoices<Source>::Named> all;
  for (const Node::Entry& entry : node.entries())
    all.emplace_back(entry.key, TypeOf<Choice<Source>>::read(entry.value));
  return all;
}

Node TypeOf<NamedChoices<Source>>::write(const NamedChoices<Source>& choices) {
  if (choices.all().empty()) return {};
  if (choices.all().front().first.empty())
    return TypeOf<Choice<Source>>::write(choices.all().front().second);
  Node node = Node::map();
  for (const auto& [name, choice] : choices.all())
    node.set(name, TypeOf<Choice<Source>>::write(choice));
  return node;
}

const Schema<SetWindow>& SetWindow::schema() {
  using O = SetWindow;
  static const auto schema =
      Schema<O>()
          .field(&O::from, "from", "When it is used first, such as 3ep.")
          .field(&O::until, "until", "When it is used no more; never by default.")
          .field(&O::every, "every", "How often it is used, such as 2ep; always by default.")
          .field(&O::offset, "offset", "With every: when the first turn is; 0 by default.");
  return schema;
}

// How batches are made of samples, and what that may take.
static void add_loading_fields(Schema<DataOptions>& schema) {
  using O = DataOptions;
  schema
      .field(&O::last_batch, "last_batch",
             "A last batch that is not full: `keep` it short; `drop` it, in training only; or "
             "`pad` it with rows that count nothing in losses, gradients and metrics.",
             one_of({"keep", "drop", "pad"}))
      .field(&O::drop_last, "drop_last", "The same as `last_batch: drop`.")
      .field(&O::workers, "workers",
             "Threads that prepare batches; the training thread helps. Left out: chosen for this "
             "machine. Never changes results.",
             at_least(0), at_most(kMostWorkers))
      .field(
          &O::depth, "depth",
          "Batches prepared ahead; more of those that are small, up to 16, as long as they take no "
          "more than 256 KiB.",
          at_least(1), at_most(kMostBatchesAhead))
      .field(&O::memory, "memory",
             "What sources, batches, scratch and caches of the data may take in all, such as 2GB; "
             "workers and depth are chosen to fit. Left out: no more than the machine has.")
      .field(&O::cache, "cache",
             "Keeps what the ops before the first random one make of a sample, from its first "
             "time on: in `memory`, on `disk` for later runs too, or where `auto` finds room. "
             "Never changes results.",
             one_of({"none", "memory", "disk", "auto"}))
      .field(&O::cache_folder, "cache_folder",
             "Where `cache: disk` keeps its files, relative to the folder you work in.",
             not_empty())
      .field(&O::on_error, "on_error",
             "A sample that cannot be read: `raise` stops and names it, `replace` takes another "
             "one, always the same, `mask` lets it count nothing; both count and list it.",
             one_of({"raise", "replace", "mask"}))
      .field(&O::value_megabytes, "value_megabytes",
             "What one value may take whose size differs from sample to sample, such as an "
             "image before it is cropped. A larger one is an error.",
             at_least(1), at_most(kMostValueMegabytes));
}

const Schema<DataOptions>& DataOptions::schema() {
  using O = DataOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields
        .field(&O::train, "train",
               "Where training samples come from; several by name take turns, each in the epochs "
               "that `windows` gives it.",
               file_name())
        .field(&O::eval, "eval",
               "Held-out samples, evaluated after every epoch; several by name are measured one "
               "after another, as eval.<name>.",
               file_name())
        .field(&O::test, "test", "Samples for the final test, by `hearth evaluate --mode test`.")
        .field(&O::windows, "windows",
               "When sets are used, by their names: `{eval.noisy: {every: 5ep}}` measures on one "
               "of several evaluation sets after every fifth epoch, and `{train.small: {until: "
               "5ep}, train.full: {from: 5ep}}` trains on another set from then on. A training "
               "set is chosen for whole epochs, exactly one for each: steps and samples count at "
               "the epoch's first step, shares of the run, such as 50%, are shares of its "
               "epochs.")
        .field(&O::batch_size, "batch_size",
               "Samples in a batch. A schedule is asked at the start of each epoch.", at_least(1))
        .field(&O::ops, "ops", "Ops on each sample, in order.")
        .field(&O::batch_ops, "batch_ops", "Ops on whole batches, in order, after all of `ops`.")
        .field(&O::shuffle, "shuffle", "Draw training samples in a new order every epoch.")
        .field(&O::order, "order",
               "The order of training samples, in place of `shuffle`; left out: shuffled, or "
               "in_order with `shuffle: false`.");
    add_loading_fields(fields);
    fields
        .check("'order' says in which order samples come; leave 'shuffle: false' out beside it.",
               [](const O& options) { return options.shuffle || !options.order; })
        .check("'drop_last' is the same as 'last_batch: drop'; leave it out beside 'last_batch'.",
               [](const O& options) { return !options.drop_last || options.last_batch == "keep"; });
    return fields;
  }();
  return schema;
}

const Schema<ModelOptions>& ModelOptions::schema() {
  using O = ModelOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::build, "build", "The layer or architecture it is made of.", required())
          .field(&O::optimizer, "optimizer", "What updates its parameters; none: they stay.")
          .field(&O::trainable, "trainable", "Whether gradients are computed for it.")
          .field(&O::weights, "weights",
                 "First values from a file, before training; a run that goes on has its own.")
          .field(&O::average, "average",
                 "Decay of an exponential average of the parameters, such as 0.999: evaluation, "
                 "prediction and export use the averages, training goes on with the parameters. "
                 "Early in training it forgets sooner. Buffers, such as statistics of batch "
                 "norms, are not averaged. Left out: none.",
                 at_least(0), below(1))
          .field(&O::edits, "edits",
                 "Changes of what it is made of, in order, before weights are loaded.")
          .field(&O::defaults, "defaults", kDefaultsHelp)
          .field(&O::groups, "groups",
                 "Parameters that learn in a way of their own; of those that match, the first in "
                 "force counts.")
          .field(&O::optimizers, "optimizers",
                 "More optimizers by name; groups say which parameters they move, `optimizer` "
                 "moves all others.",
                 file_name())
          .field(&O::decay, "decay", kDecayHelp, one_of({"all", "weights"}))
          .field(&O::place, "place", kPlaceHelp)
          .check(
              "average needs an optimizer to move what it averages. Give the model one, such as "
              "adamw, or "
              "leave average out.",
              [](const O& options) {
                return !options.average || options.optimizer || !options.optimizers.empty();
              });
  return schema;
}

const Schema<CheckpointOptions>& CheckpointOptions::schema() {
  using O = CheckpointOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::every, "every",
                 "How often to save: 5min, 500st, 1ep. The end of training and Ctrl-C always save.",
                 above(0))
          .field(&O::keep, "keep", "Checkpoints to keep.", at_least(2));
  return schema;
}

const Schema<CommandOptions>& CommandOptions::schema() {
  using O = CommandOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::before, "before",
                 "Run one after another before the first step; one that fails stops the training.")
          .field(&O::after, "after",
                 "Run when the training ended, was stopped or failed: HEARTH_STATUS says which.");
  return schema;
}

const Schema<TrainOptions>& TrainOptions::schema() {
  using O = TrainOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::epochs, "epochs", "Passes over the training data.", at_least(1))
          .field(&O::until, "until",
                 "Ends training there, even within an epoch, with an evaluation: 5000st, 64000sm, "
                 "90min of this process. Schedules still go by `epochs`. Left out: after the last "
                 "epoch.",
                 above(0))
          .field(&O::traces, "traces", "Observers of the training, in order.")
          .field(&O::trackers, "trackers",
                 "What brings the run log to other programs while it is written, such as "
                 "`tensorboard`; beside the training, never in its way.")
          .field(&O::checkpoint, "checkpoint", "When to save, and how much to keep.")
          .field(&O::log_every, "log_every", "Steps between two records in the run log.",
                 at_least(1))
          .field(&O::warm_up, "warm_up",
                 "Run one step of every distinct plan on copied state before training starts.")
          .field(
              &O::on_nan, "on_nan",
              "When a loss, a metric or a parameter is no finite number: `stop` ends training "
              "with an error and saves nothing any more, `warn` says so once per epoch, `ignore` "
              "goes on in silence. `skip` looks at the losses and gradients of every batch and "
              "lets "
              "one that spoils them change nothing; `roll_back` also puts the network back to the "
              "last checkpoint before it, and goes on with the next batch. On the CPU the loss is "
              "looked at in every step, elsewhere in those that are logged; metrics after every "
              "epoch, parameters before they are saved.",
              one_of({"stop", "warn", "ignore", "skip", "roll_back"}))
          .field(
              &O::commands, "commands",
              "Commands of the shell around the training, which run only where they are allowed: "
              "`hearth train --allow-commands`. HEARTH_RUN is the run's folder.")
          .check(
              "on_nan: roll_back needs checkpoints at fixed steps, so that it does not depend on "
              "the clock where it goes back to. Set checkpoint.every to steps or epochs, such as "
              "500st.",
              [](const O& options) {
                return options.on_nan != "roll_back" ||
                       options.checkpoint.every.unit != TimeUnit::kMinute;
              })
          .check(
              "trackers: two are the same, and would write over each other. Leave one out, or give "
              "it a place of its own.",
              [](const O& options) {
                for (auto each = options.trackers.begin(); each != options.trackers.end(); ++each)
                  if (std::any_of(options.trackers.begin(), each, [&](const auto& before) {
                        return before.node() == each->node();
                      }))
                    return false;
                return true;
              });
  return schema;
}

const Schema<PredictOptions>& PredictOptions::schema() {
  using O = PredictOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::out, "out", "The key that holds the prediction, or several.", not_empty())
          .field(&O::top, "top", "Classes to show, most likely first.", at_least(1));
  return schema;
}

static void add_machine_fields(Schema<ExperimentOptions>& schema) {
  using O = ExperimentOptions;
  schema.field(&O::name, "name", "Names the run's folder.", not_empty(), file_name())
      .field(&O::seed, "seed", "Same config and seed, same bits.", at_least(0), of_64_bits())
      .field(
          &O::device, "device",
          "Where the network runs: auto, cpu, cuda, cuda:1. Several take turns where `hearth "
          "launch` shares an evaluation: process 0 has the first, process 1 the second. Training "
          "in several processes, replicas or shards needs cpu.")
      .field(&O::threads, "threads", "Threads for computing. Left out: the machine's cores.",
             at_least(1), at_most(1024))
      .field(&O::replicas, "replicas",
             "Copies of the network that share every training batch, each with one thread; they "
             "take one step together. Batch norms then use each part's statistics, and sums "
             "have another order. 1 for off.",
             at_least(1), at_most(255))
      .field(&O::shards, "shards",
             "Parts that every training batch is cut into, each computed by one thread; sums over "
             "them have a fixed order. They decide the numbers; `replicas` and the processes of "
             "`hearth launch` only say where parts are computed, and may change from resume to "
             "resume. Left out: as many as replicas, or as processes where those are more.",
             at_least(1), at_most(255))
      .field(&O::cluster, "cluster",
             "The processes of the run by their addresses, for who has no launcher.")
      .field(&O::elastic, "elastic",
             "How many processes `hearth launch` begins with, and with how few it goes on when "
             "some are lost.")
      .field(
          &O::exchange, "exchange",
          "How gradients travel between the processes of a run. Left out: `exact`, with the same "
          "bits for any number of them; others send less and change the numbers.")
      .field(&O::sync_replicas, "sync_replicas",
             "Makes a step of the gradients that come first, and does not wait for the slowest "
             "processes: as TensorFlow's SyncReplicasOptimizer. Left out: every step waits for "
             "all. With spare processes runs cannot be repeated to the same bits.")
      .field(&O::zero, "zero",
             "What the processes of a run share out instead of each having all of it: 1 what "
             "optimizers remember of the parameters, 2 the gradients of updates too; 0 nothing. "
             "The same bits either way.",
             at_least(0), at_most(2))
      .field(&O::kernels, "kernels",
             "`fast`: Hearth's own kernels where they exist; `plain`: LibTorch's everywhere.",
             one_of({"fast", "plain"}))
      .field(&O::precision, "precision",
             "What the factors of products (linear layers, convolutions, attention) are rounded "
             "to; sums, parameters and all else stay float32. `bfloat16` is faster on "
             "processors with instructions for it; `float16` is for GPUs.",
             one_of({"float32", "bfloat16", "float16"}))
      .field(&O::folder, "folder",
             "Where run folders are made, relative to the folder you work in.", not_empty())
      .field(&O::data, "data", "Sources, ops on samples, batches.");
}

static void add_shorthand_fields(Schema<ExperimentOptions>& schema) {
  using O = ExperimentOptions;
  schema.field(&O::model, "model", "Shorthand: the one model, called `net` in the full form.")
      .field(&O::loss, "loss",
             "Shorthand: its loss. Left out: cross_entropy for a target of classes, mse_loss for "
             "numbers.")
      .field(&O::optimizer, "optimizer", "Shorthand: its optimizer.")
      .field(&O::weights, "weights",
             "Shorthand: the model's first values from a file; may stand within `model`, beside "
             "its layer.")
      .field(&O::average, "average",
             "Shorthand: decay of the average of its parameters, such as 0.999. Left out: none.",
             at_least(0), below(1))
      .field(&O::edits, "edits",
             "Shorthand: changes of the model, in order, before weights are loaded.")
      .field(&O::defaults, "defaults", std::string("Shorthand: ") + kDefaultsHelp)
      .field(&O::groups, "groups",
             "Shorthand: parameters that learn in a way of their own; of those that match, the "
             "first in force counts.")
      .field(&O::decay, "decay", std::string("Shorthand: ") + kDecayHelp,
             one_of({"all", "weights"}))
      .field(&O::place, "place", std::string("Shorthand: ") + kPlaceHelp)
      .field(&O::input, "input", "Shorthand: the key the model reads.")
      .field(&O::target, "target", "Shorthand: the key the loss and the metrics compare with.");
}

const Schema<ExperimentOptions>& ExperimentOptions::schema() {
  using O = ExperimentOptions;
  static const Schema<O> schema = [] {
    Schema<O> fields;
    add_machine_fields(fields);
    add_shorthand_fields(fields);
    fields.field(&O::models, "models", "Models by name.", file_name())
        .field(&O::network, "network", "Ops on each batch, in order.")
        .field(&O::metrics, "metrics", "What is measured in train, eval and test.")
        .field(&O::techniques, "techniques",
               "Rewrites of all this, in order; `hearth show` prints what they make of it.")
        .field(&O::train, "train", "Length, traces, checkpoints.")
        .field(&O::predict, "predict", "What a prediction shows.")
        .field(&O::plugins, "plugins", "Libraries with components of your own, loaded first.",
               is_path());
    return fields;
  }();
  return schema;
}

}  // namespace hearth
