// The data of an experiment: its sets, their sources and orders, and how long they make a training.
#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/yaml.h"
#include "hearth/core/class_numbers.h"
#include "hearth/data/background.h"
#include "hearth/pipeline/data_loading.h"
#include "hearth/pipeline/data_nodes.h"
#include "hearth/train/experiment_graph.h"

namespace hearth {
namespace {

// Training sets share a model: what their numbers mean is alike too.
bool are_alike(const Spec& left, const Spec& right, bool is_for_training) {
  if (left.shape != right.shape || left.dtype != right.dtype) return false;
  return !is_for_training || (left.classes == right.classes && left.role == right.role &&
                              left.image_range == right.image_range);
}

void check_same_keys(const std::vector<KeySpec>& expected, const DataSet& first,
                     const std::vector<KeySpec>& found, const DataSet& set) {
  const bool is_for_training = set.mode == Mode::kTrain;
  for (const KeySpec& want : expected)
    for (const KeySpec& have : found) {
      if (want.key != have.key) continue;
      if (!are_alike(want.spec, have.spec, is_for_training)) {
        const bool is_seen = want.spec.text() != have.spec.text();
        throw GraphError("data." + set.text() + " yields '" + have.key + "' as " +
                         have.spec.text() + ", but data." + first.text() + " yields it as " +
                         (is_seen ? want.spec.text() : "something else of that shape") +
                         ". Both must be alike.");
      }
      if (const auto difference = class_difference({want.spec, "data." + first.text()},
                                                   {have.spec, "data." + set.text()}))
        throw GraphError("the classes of '" + have.key + "' have other numbers: " + *difference +
                         ". Both must have the same classes.");
    }
}

// Whether a number of some component moves: where it may hold a schedule, a map is one.
template <class Base>
bool have_moving_numbers(const std::vector<Choice<Base>>& choices) {
  const auto moves = [](const Node& value) {
    return value.is_map() ||
           (value.is_list() && std::any_of(value.items().begin(), value.items().end(),
                                           [](const Node& item) { return item.is_map(); }));
  };
  return std::any_of(choices.begin(), choices.end(), [&](const Choice<Base>& choice) {
    const SchemaInfo schema = registry<Base>().schema(choice.name(), choice.options().mark());
    return std::any_of(schema.fields.begin(), schema.fields.end(), [&](const Field& field) {
      const bool may_move =
          field.type.is_scheduled || (field.type.element && field.type.element->is_scheduled);
      const Node* value = choice.options().find(field.name);
      return may_move && value != nullptr && moves(*value);
    });
  });
}

}  // namespace

void ExperimentGraph::open_sources() {
  is_without_training_ = false;
  for (const auto& [set, choice] : source_choices(options_.data)) open_source(set);
  const DataSet first = training_.all().front();
  use_specs(source(first)->keys());
  for (const auto& [set, choice] : source_choices(options_.data))
    at_place(choice.options().mark(),
             [&, &of = set] { check_same_keys(specs_, first, source(of)->keys(), of); });
  open_orders();
  check_metric_names();
  check_metric_needs();
  check_windows();
  set_epochs(options_.train.epochs);
}

void ExperimentGraph::open_sources_for(Mode mode) {
  const bool is_timed = has_timed_components() || changes_with_epochs() ||
                        have_moving_numbers(options_.network) ||
                        have_moving_numbers(options_.metrics) || training_.are_timed() ||
                        !options_.data.batch_size.is_constant() || !options_.data.windows.empty();
  if (mode == Mode::kTrain || is_timed || specs_.empty() || !opened_.empty()) return open_sources();
  is_without_training_ = true;
  for (const DataSet& set : sets(mode)) {
    open_source(set);
    const auto named = named_source(options_.data, set);
    at_place(named->second.options().mark(),
             [&] { check_same_keys(specs_, training_.all().front(), source(set)->keys(), set); });
  }
  check_metric_names();
  set_epochs(options_.train.epochs);
}

void ExperimentGraph::check_windows() const {
  std::vector<std::string> known;
  const bool has_names = !training_.all().front().name.empty();
  if (has_names)
    for (const DataSet& set : sets(Mode::kTrain)) known.push_back(set.text());
  for (const DataSet& set : sets(Mode::kEval)) known.push_back(set.text());
  for (const auto& [name, window] : options_.data.windows)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ConfigError(std::string("there is no ") +
                            (has_names ? "training or evaluation set " : "evaluation set ") +
                            quote(name) + " for which time could matter." +
                            did_you_mean(name, known),
                        mark_at(config_, "data.windows").place());
}

bool ExperimentGraph::is_used(const DataSet& set, const Moment& moment) const {
  const auto found = options_.data.windows.find(set.text());
  return found == options_.data.windows.end() ||
         node_window(found->second).is_open(moment, set.mode);
}

DataSet ExperimentGraph::set_at(const DataSet& set, const Moment& moment) const {
  if (set.mode != Mode::kTrain || !set.name.empty()) return set;
  return training_.at({moment.length.first_step(moment.epoch), moment.epoch, moment.length});
}

void ExperimentGraph::open_source(const DataSet& set) {
  const auto named = named_source(options_.data, set);
  if (opened_.contains(named->first)) return;
  at_option_of(named->second.options(), [&] { source(named->first)->open(); });
  opened_.insert(named->first);
}

void ExperimentGraph::open_orders() {
  const auto& choice = options_.data.order;
  if (!choice) return;
  for (const DataSet& set : training_.all()) {
    const std::shared_ptr<Order> order = registry<Order>().make(*choice);
    at_option_of(choice->options(), [&] { order->open(*source(set)); });
    orders_[set] = order;
  }
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
  request.has_one_set = !training_.are_timed();
  request.size = [&](const Moment& start, int64_t batch_size) {
    return checked_size(training_.at(start), start.epoch, batch_size);
  };
  training_.set_epochs(epochs);
  const Mark mark =
      mark_at(config_, request.batch_size.is_constant() ? "train.epochs" : "data.batch_size");
  earlier_tables_.push_back(table_);
  table_ = at_place(mark, [&] { return make_epoch_table(request); });
}

EpochSize ExperimentGraph::checked_size(const DataSet& set, int64_t epoch,
                                        int64_t batch_size) const {
  if (is_without_training_) return {1, batch_size};
  LoaderOptions options = loader_options_without_size(set);
  options.batch_size = batch_size;
  const int64_t samples = source(set)->size();
  const auto& chosen = options_.data.order;
  const auto order = at_option_of(chosen ? chosen->options() : Node(),
                                  [&] { return options.order_of(samples, epoch); });
  const int64_t batches = order->batches();
  if (batches > 0) return {batches, (batches - 1) * batch_size + order->rows(batches - 1)};
  throw DataError("data." + set.text() + " has " + std::to_string(samples) +
                      " samples, not enough for one batch of " + std::to_string(batch_size) +
                      ". Use a smaller batch_size, or last_batch: keep.",
                  mark_at(config_, options_.data.drop_last              ? "data.drop_last"
                                   : options_.data.last_batch == "drop" ? "data.last_batch"
                                                                        : "data." + set.text())
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

// Of training sets that take turns, those that are off are nodes too: who misses a key that one of
// them makes is told so.
std::vector<GraphNode> ExperimentGraph::source_nodes(const DataSet& set) const {
  if (set.mode != Mode::kTrain) return {source_node(set)};
  std::vector<GraphNode> nodes;
  for (const DataSet& each : training_.all()) {
    nodes.push_back(source_node(each));
    nodes.back().is_active = each == set;
  }
  return nodes;
}

GraphNode ExperimentGraph::source_node(const DataSet& set) const {
  const auto source = source_for(set);
  const auto named = named_source(options_.data, set);
  // Without a source in infer mode, what is not to be predicted stands for what a stranger has.
  const std::vector<KeySpec> keys = source ? source->keys() : input_keys();
  if (!named) return hearth::source_node("the raw input", keys, set.mode);
  return hearth::source_node("data." + named->first.text() + " " + named->second.name(), keys,
                             set.mode, named->second.options().mark());
}

LoaderOptions ExperimentGraph::sized_loader_options(const DataSet& set, int64_t epochs) const {
  LoaderOptions options = loader_options_without_size(set);
  options.epochs = epochs;
  options.batch_size = largest_batch();
  if (!table_->is_uniform())
    options.batch_size_of_epoch = [table = table_](int64_t epoch) {
      return table->batch_size(epoch);
    };
  if (set.mode == Mode::kTrain && set.name.empty() && training_.are_timed())
    options.set_of_epoch = [this](int64_t epoch) { return sample_set(training_set(epoch)); };
  return options;
}

LoaderOptions ExperimentGraph::loader_options_without_size(const DataSet& set) const {
  LoaderOptions options = loader_options_of(options_.data, set.mode,
                                            static_cast<uint64_t>(options_.seed), options_.threads);
  options.name = set.text();
  if (const auto named = named_source(options_.data, set)) {
    SampleSet own = sample_set(named->first);
    options.place = std::move(own.place);
    options.order = std::move(own.order);
  }
  return options;
}

SampleSet ExperimentGraph::sample_set(const DataSet& set) const {
  SampleSet found{set.text(), named_source(options_.data, set)->second.options().mark().place(),
                  source(set)->size()};
  if (const auto order = orders_.find(set); order != orders_.end()) found.order = order->second;
  return found;
}

std::vector<std::string> ExperimentGraph::metric_names() const {
  std::vector<DataSet> measured = {Mode::kTrain};  // whatever set an epoch uses
  for (const DataSet& set : sets(Mode::kEval)) measured.push_back(set);
  std::vector<std::string> names;
  for (const DataSet& set : measured)
    for (size_t i = 0; i < metric_components_.size(); ++i)
      if (measures(i, set.mode))
        for (const std::string& name : reported_names(*metrics_.at(set.mode)[i]))
          names.push_back(set.text() + "/" + name);
  return names;
}

void ExperimentGraph::require_source(Mode mode) const {
  if (has_source(mode)) return;
  const std::string key = "data." + std::string(name(mode));
  throw ConfigError(
      "is not in the config; there is nothing to evaluate. Add it with an override, "
      "such as " +
          key + "={digits: {split: test}}.",
      mark_at(config_, key).place());
}

}  // namespace hearth
