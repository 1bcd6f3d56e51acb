// A config's data without a trainer.
#include "hearth/pipeline/pipeline.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/value_text.h"
#include "hearth/experiment/graph_component.h"
#include "hearth/pipeline/data_loading.h"
#include "hearth/pipeline/data_nodes.h"
#include "hearth/pipeline/fixed_ops.h"
#include "hearth/pipeline/op_fits.h"

namespace hearth {

namespace {

// Source and ops that live in the mode at that moment.
std::vector<GraphNode> pipeline_nodes(const DataOptions& options, const PipelineSettings& settings,
                                      const Source& source, Mode mode, const Moment& moment) {
  std::vector<GraphNode> nodes = {
      source_node("data." + std::string(name(mode)), source.keys(), mode)};
  const auto is_on = [&](const GraphNode& node) { return node.modes.has(mode) && node.is_active; };
  auto ops = graph_components("data.ops", options.ops);
  const size_t count = settings.only_fixed_ops ? fixed_ops(ops, moment) : ops.size();
  for (size_t i = 0; i < count; ++i) {
    GraphNode node = data_node(ops[i], moment, mode);
    if (is_on(node)) nodes.push_back(std::move(node));
  }
  if (settings.only_fixed_ops) return nodes;
  for (auto& component : graph_components("data.batch_ops", options.batch_ops)) {
    GraphNode node = data_node(component, moment, mode);
    if (is_on(node)) nodes.push_back(std::move(node));
  }
  return nodes;
}

// All keys stay with the batch.
void add_hand_over(std::vector<GraphNode>& nodes) {
  std::vector<std::string> keys = keys_at_end(nodes);
  std::sort(keys.begin(), keys.end());
  nodes.push_back(onlooker_node("the batch", std::move(keys)));
}

// One batch: a single sample of the source.
class OneSample : public Order {
 public:
  explicit OneSample(int64_t sample) : sample_(sample) {}
  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    OrderRequest one = request;
    one.samples = 1;
    return cut_order(one, [sample = sample_](int64_t) { return sample; });
  }

 private:
  int64_t sample_;
};

}  // namespace

int PipelineBatch::value(const std::string& key) const {
  const auto found = values_->find(key);
  if (found != values_->end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, number] : *values_) known.push_back(name);
  throw DataError("the batch has no key " + quote(key) + "." + did_you_mean(key, known));
}

View PipelineBatch::row(const std::string& key, int64_t row) const {
  return batch_.row(value(key), row);
}

std::byte* PipelineBatch::all_rows(const std::string& key) const {
  std::byte* data = batch_.data(value(key));
  if (data == nullptr)
    throw DataError("the rows of " + quote(key) +
                    " have no shape in common; take them one by one.");
  return data;
}

PipelineBatches::Iterator::Iterator(std::shared_ptr<Loader> loader,
                                    std::shared_ptr<const ValueNumbers> values)
    : loader_(std::move(loader)), values_(std::move(values)) {
  ++*this;
}

PipelineBatches::Iterator& PipelineBatches::Iterator::operator++() {
  batch_ = PipelineBatch(loader_->next(), values_);
  return *this;
}

PipelineBatches::PipelineBatches(LoaderOptions options, std::shared_ptr<const DataPlan> plan,
                                 std::shared_ptr<const ValueNumbers> values, int64_t epoch)
    : options_(std::move(options)),
      plan_(std::move(plan)),
      values_(std::move(values)),
      epoch_(epoch),
      size_(options_.order_of(plan_->source->size(), epoch)->batches()) {}

std::shared_ptr<Loader> PipelineBatches::loader(LoaderOptions options) const {
  return std::make_shared<Loader>(plan_->source->size(), std::move(options),
                                  [plan = plan_](int64_t, int64_t) { return plan; });
}

PipelineBatches::Iterator PipelineBatches::from(int64_t batch) const {
  const std::shared_ptr<Loader> made = loader(options_);
  made->start(epoch_, batch, epoch_ + 1);
  return {made, values_};
}

PipelineBatch PipelineBatches::batch(int64_t number) const {
  if (number < 0 || number >= size_)
    throw DataError("there is no batch " + std::to_string(number) + ": epoch " +
                    std::to_string(epoch_) + " has " + std::to_string(size_) + ".");
  LoaderOptions alone = options_;
  alone.workers = alone.most_workers = 0;
  const std::shared_ptr<Loader> made = loader(alone);
  made->start(epoch_, number, epoch_ + 1);
  return {made->next(), values_};
}

Pipeline::Pipeline(DataOptions options, PipelineSettings settings)
    : options_(std::move(options)), settings_(settings) {
  const auto open = [&](Mode mode, const Choice<Source>& choice) {
    std::shared_ptr<Source> source = registry<Source>().make(choice);
    at_option_of(choice.options(), [&] { source->open(); });
    sources_[mode] = std::move(source);
  };
  if (!options_.train.all().empty()) open(Mode::kTrain, options_.train.all().front().second);
  if (!options_.eval.all().empty()) open(Mode::kEval, options_.eval.all().front().second);
  if (options_.test) open(Mode::kTest, *options_.test);
  if (!options_.order || options_.train.all().empty()) return;
  auto order = registry<Order>().make(*options_.order);
  at_option_of(options_.order->options(), [&] { order->open(source(Mode::kTrain)); });
  order_ = std::move(order);
}

const Source& Pipeline::source(Mode mode) const {
  const auto found = sources_.find(mode);
  if (found == sources_.end())
    throw ConfigError("data." + std::string(name(mode)) + " is needed, but there is none.");
  return *found->second;
}

void Pipeline::use_source(Mode mode, std::shared_ptr<Source> other) {
  if (const auto found = sources_.find(mode); found != sources_.end())
    for (const KeySpec& expected : found->second->keys())
      for (const KeySpec& given : other->keys())
        if (given.key == expected.key &&
            !(given.spec.dtype == expected.spec.dtype && given.spec.shape == expected.spec.shape))
          throw GraphError("the source yields " + quote(given.key) + " as " + given.spec.text() +
                           ", but data." + std::string(name(mode)) + " yields it as " +
                           expected.spec.text() + ". Both must be alike.");
  sources_[mode] = std::move(other);
}

LoaderOptions Pipeline::loader_options(Mode mode) const {
  if (!options_.batch_size.is_constant())
    throw ConfigError("data.batch_size must be a number here, for a schedule knows no training.");
  LoaderOptions options = loader_options_of(options_, mode, settings_.seed);
  options.batch_size = static_cast<int64_t>(options_.batch_size.constant());
  if (mode == Mode::kTrain) options.order = order_;
  options.rank = settings_.rank;
  options.ranks = settings_.ranks;
  return options;
}

Pipeline::Made Pipeline::made(Mode mode, int64_t epoch) const {
  const Source& from = source(mode);
  const bool is_ordered = mode == Mode::kTrain && options_.order;
  const int64_t steps = at_option_of(is_ordered ? options_.order->options() : Node(), [&] {
    return loader_options(mode).order_of(from.size(), epoch)->batches();
  });
  const Moment moment{steps * epoch, epoch, {steps, steps * (epoch + 1), 1}};
  std::vector<GraphNode> nodes = pipeline_nodes(options_, settings_, from, mode, moment);
  add_hand_over(nodes);
  const Plan plan = compile(nodes, {.mode = mode, .when = "in epoch " + std::to_string(epoch)});
  Made result;
  ValueNumbers values;
  for (const std::string& key : nodes.back().reads) {
    values[key] = plan.index_of(key);
    result.keys.push_back({key, plan.values[static_cast<size_t>(values[key])].spec});
  }
  result.plan = std::make_shared<const DataPlan>(make_data_plan(plan, nodes, sources_.at(mode)));
  result.values = std::make_shared<const ValueNumbers>(std::move(values));
  return result;
}

void Pipeline::fit_ops() {
  const auto train = sources_.find(Mode::kTrain);
  if (are_ops_fitted_ || settings_.only_fixed_ops || train == sources_.end()) return;
  LoaderOptions loader = loader_options_of(options_, Mode::kEval, settings_.seed);
  options_.ops = fitted_ops(std::move(options_.ops), train->second, loader);
  are_ops_fitted_ = true;
}

std::vector<KeySpec> Pipeline::keys(Mode mode) { return made(mode, 0).keys; }

PipelineBatches Pipeline::batches(Mode mode, int64_t epoch) {
  fit_ops();
  const Made ready = made(mode, epoch);
  return {loader_options(mode), ready.plan, ready.values, epoch};
}

std::string Pipeline::show(int64_t sample, Mode mode, int64_t epoch) {
  fit_ops();
  const Made ready = made(mode, epoch);
  if (sample < 0 || sample >= source(mode).size())
    throw DataError("there is no sample " + std::to_string(sample) + ": data." +
                    std::string(name(mode)) + " has " + std::to_string(source(mode).size()) + ".");
  LoaderOptions options = loader_options(mode);
  options.order = std::make_shared<OneSample>(sample);
  options.batch_size = 1;
  options.rank = 0;
  options.ranks = 1;
  const PipelineBatch batch = PipelineBatches(options, ready.plan, ready.values, epoch).batch(0);
  std::string text = source(mode).describe(sample) + "\n";
  for (const KeySpec& key : ready.keys)
    text +=
        "  " + key.key + " " + key.spec.text() + ": " + value_text(batch.row(key.key, 0)) + "\n";
  return text;
}

}  // namespace hearth
