// The training loop: plans, batches, metrics, traces.
#include "hearth/train/trainer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/core/random.h"

namespace hearth {
namespace {

void seed_generator(at::Device device, uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  generator.set_current_seed(seed);
}

// LibTorch's generators get a seed of their own for every step, so that dropout does not depend on
// what ran before.
void seed_step(uint64_t seed, int64_t step, at::Device device) {
  static const uint16_t kStepStream = op_number("step");
  Random random({seed, 0, static_cast<uint64_t>(step), kStepStream});
  const uint64_t high = random.bits();
  const uint64_t step_seed = (high << 32U) | random.bits();
  seed_generator(at::kCPU, step_seed);
  if (device.is_cuda()) seed_generator(device, step_seed);
}

std::map<std::string, double> values_of(const std::vector<BoundMetric>& metrics) {
  std::map<std::string, double> values;
  for (const BoundMetric& bound : metrics) values[bound.metric->name()] = bound.metric->value();
  return values;
}

}  // namespace

Trainer::Trainer(ExperimentGraph& experiment, std::optional<TrainerRun> run,
                 TrainerCallbacks callbacks)
    : experiment_(experiment),
      run_(std::move(run)),
      callbacks_(std::move(callbacks)),
      runner_(experiment.network()),
      traces_(experiment.make_traces(), *this),
      on_nan_(on_nan_from(experiment.options().train.on_nan)) {}

std::unique_ptr<Loader> Trainer::make_loader(const DataSet& set, int64_t epochs) {
  return std::make_unique<Loader>(
      experiment_.source(set)->size(), experiment_.loader_options(set, epochs),
      [this, set](int64_t epoch) { return experiment_.data_plan(set, epoch); });
}

void Trainer::warm_up() {
  std::set<std::string> seen;
  for (Mode mode : {Mode::kTrain, Mode::kEval}) {
    if (!experiment_.has_source(mode)) continue;
    for (int64_t epoch : experiment_.change_epochs()) {
      const CompiledPlan compiled = experiment_.compiled(mode, epoch);
      if (seen.insert(compiled.plan.signature).second) try_plan(mode, compiled, epoch);
    }
  }
}

void Trainer::try_plan(Mode mode, const CompiledPlan& compiled, int64_t epoch) {
  Network& network = experiment_.network();
  const State before = copy(network.state(compiled.ops));
  LoaderOptions options = experiment_.loader_options(mode, epoch + 1);
  options.workers = 0;
  Loader loader(experiment_.source(mode)->size(), options, [&](int64_t) { return compiled.data; });
  loader.start(epoch, 0, epoch + 1);
  StepContext context;
  context.mode = mode;
  context.moment = experiment_.epoch_start(epoch);
  try {
    runner_.run(compiled, loader.next(), context);
  } catch (const Error& error) {
    network.restore(before, compiled.ops);
    const std::string message = "warm-up of mode " + std::string(name(mode)) + ", epoch " +
                                std::to_string(epoch) + ": " + error.message();
    if (dynamic_cast<const DataError*>(&error) != nullptr) throw DataError(message, error.place());
    throw GraphError(message, error.place());
  }
  runner_.clear();
  network.restore(before, compiled.ops);
}

void Trainer::begin(int64_t target_epochs) {
  position_.target_epochs = target_epochs;
  experiment_.set_epochs(target_epochs);
  stop_reason_.clear();
  was_interrupted_ = false;
  moment_ = {position_.step, position_.epoch, experiment_.length()};
  if (run_ && !keeper_) {
    make_keeper();
    keeper_->begin();
  }
  write_history("begin", {{"target_epochs", target_epochs}});
  loader_ = make_loader(Mode::kTrain, target_epochs);
  loader_->start(position_.epoch, position_.batch, target_epochs);
  watch_.restart();
  saved_at_ = 0;
  traces_.tell_run(Occasion::kRunBegin, scene());
}

void Trainer::fit(int64_t target_epochs) {
  is_fitting_ = true;
  try {
    train(target_epochs);
  } catch (const std::exception& error) {
    traces_.tell_exception(error.what(), scene());
    is_fitting_ = false;
    throw;
  }
  is_fitting_ = false;
}

void Trainer::train(int64_t target_epochs) {
  begin(target_epochs);
  while (position_.epoch < target_epochs && stop_reason_.empty() && !is_interrupted()) run_epoch();
  was_interrupted_ = is_interrupted();
  traces_.tell_run(Occasion::kRunEnd, scene());
  loader_.reset();
  save_at_end();
}

void Trainer::set_plan(int64_t epoch) {
  CompiledPlan next = experiment_.compiled(Mode::kTrain, epoch);
  Network::carry_over(current_.ops, next.ops);
  current_ = std::move(next);
  losses_.clear();
  for (const BoundOp& bound : current_.ops)
    if (bound.is_update()) losses_.insert(losses_.end(), bound.inputs.begin(), bound.inputs.end());
  batches_before_ = experiment_.batches_before(epoch);
}

void Trainer::run_epoch() {
  set_plan(position_.epoch);
  if (position_.batch == 0) {
    for (const auto& metric : experiment_.metrics(Mode::kTrain)) metric->reset();
    replaced_ = 0;
    traces_.tell(Occasion::kEpochBegin, scene());
  }
  const int64_t batches = experiment_.batches(Mode::kTrain, position_.epoch);
  while (position_.batch < batches) {
    evaluate_if_asked();
    if (is_interrupted()) return;
    run_batch(loader_->next());
    look_after_folder();
    save_if_due();
  }
  finish_epoch();
}

Scene Trainer::scene() const {
  return {.listeners = &current_.listeners,
          .set = Mode::kTrain,
          .source = experiment_.source(Mode::kTrain).get(),
          .moment = {position_.step, position_.epoch, experiment_.length()},
          .step = position_.step};
}

void Trainer::run_told(const CompiledPlan& compiled, const HostBatch& batch, StepContext& context,
                       Scene& scene) {
  runner_.load(compiled, batch);
  scene.batch = &batch;
  scene.values = &runner_.values();
  traces_.tell(Occasion::kBatchBegin, scene);
  context.watch = traces_.watch(scene);
  runner_.compute(compiled, context);
  runner_.update_metrics(compiled);
}

void Trainer::run_batch(const HostBatch& batch) {
  seed_step(static_cast<uint64_t>(experiment_.options().seed), batches_before_ + position_.batch,
            experiment_.network().models().device);
  StepContext context;
  context.mode = Mode::kTrain;
  context.moment = {position_.step, position_.epoch, experiment_.length()};
  moment_ = context.moment;
  Scene scene = this->scene();
  ++scene.step;
  run_told(current_, batch, context, scene);
  count_replaced(batch);
  ++position_.batch;
  moment_ = context.moment;
  bool is_logged = false;
  if (context.has_updated) {
    moment_.step = ++position_.step;
    is_logged = position_.step % experiment_.options().train.log_every == 0;
    if (is_logged) log_step();
  }
  watch_losses(is_logged);
  scene.moment = moment_;
  if (context.has_updated) traces_.tell(Occasion::kStep, scene);
  traces_.tell(Occasion::kBatchEnd, scene);
  runner_.clear();
}

// Never in silence: the first of an epoch is told, all are counted in the log.
void Trainer::count_replaced(const HostBatch& batch) {
  for (const Replacement& replacement : batch.replacements())
    if (replaced_++ == 0)
      notice("sample " + std::to_string(replacement.sample) + " was replaced by sample " +
             std::to_string(replacement.substitute) + ": " + replacement.reason);
}

void Trainer::log_step() {
  Event event{"step", position_.step, position_.epoch, 0, runner_.scalars(current_), {}};
  for (const auto& [name, value] : event.values) metrics_["step/" + name] = value;
  for (const auto& model : experiment_.network().models().all())
    if (Optimizer* optimizer = model->optimizer())
      event.values.emplace_back(
          "lr/" + model->name(),
          optimizer->learning_rate({position_.step - 1, position_.epoch, moment_.length}));
  if (keeper_) keeper_->log(std::move(event));
}

// Interrupted, it leaves nothing behind: a resume does it again from the start.
void Trainer::finish_epoch() {
  std::vector<std::pair<DataSet, std::map<std::string, double>>> measured;
  const Json traces_before = traces_.state();
  for (const DataSet& set : experiment_.sets(Mode::kEval)) {
    const auto values = evaluate(set);
    if (!values) return forget_evaluation(traces_before);
    measured.emplace_back(set, *values);
  }
  keep_evaluation();
  measured.insert(measured.begin(), {Mode::kTrain, values_of(current_.metrics)});
  for (const auto& [set, values] : measured)
    record(set.mode == Mode::kTrain ? "epoch" : set.text(), set, values);
  for (const auto& [set, values] : measured) watch_metrics(set, values);
  moment_.epoch = position_.epoch;
  is_evaluation_asked_ = false;
  traces_.tell(Occasion::kEpochEnd, scene());
  ++position_.epoch;
  position_.batch = 0;
}

// The set's metrics into the newest values and into the log.
void Trainer::record(const std::string& kind, const DataSet& set,
                     const std::map<std::string, double>& measured) {
  const std::string prefix = set.text() + "/";
  Event event{kind, position_.step, position_.epoch, 0, {}, {}};
  for (const auto& metric : experiment_.metrics(set.mode)) {
    metrics_.erase(prefix + metric->name());
    const auto found = measured.find(metric->name());
    if (found != measured.end()) event.values.emplace_back(*found);
  }
  for (const auto& [metric, value] : event.values) metrics_[prefix + metric] = value;
  if (set.mode == Mode::kTrain && replaced_ > 0) event.values.emplace_back("replaced", replaced_);
  if (keeper_) keeper_->log_epoch(std::move(event));
}

std::optional<std::map<std::string, double>> Trainer::evaluate(const DataSet& set) {
  const CompiledPlan compiled = experiment_.compiled(set, position_.epoch);
  for (const BoundMetric& bound : compiled.metrics) bound.metric->reset();
  const std::unique_ptr<Loader> loader = make_loader(set, position_.epoch + 1);
  loader->start(position_.epoch, 0, position_.epoch + 1);
  StepContext context;
  context.mode = set.mode;
  context.moment = {position_.step, position_.epoch, experiment_.length()};
  Scene scene{&compiled.listeners, set, experiment_.source(set).get(), context.moment,
              position_.step};
  traces_.tell(Occasion::kEvaluationBegin, scene);
  for (HostBatch batch = loader->next(); !batch.is_empty(); batch = loader->next()) {
    if (is_interrupted()) return std::nullopt;
    run_told(compiled, batch, context, scene);
    traces_.tell(Occasion::kBatchEnd, scene);
    runner_.clear();
  }
  scene.batch = nullptr;
  scene.values = nullptr;
  traces_.tell(Occasion::kEvaluationEnd, scene);
  return values_of(compiled.metrics);
}

bool Trainer::is_better_when_higher(const std::string& metric) const {
  return experiment_.is_better_when_higher(metric);
}

bool Trainer::is_interrupted() const {
  return callbacks_.interrupt != nullptr && callbacks_.interrupt->load(std::memory_order_relaxed);
}

void Trainer::show(const Progress& progress) {
  if (callbacks_.on_progress) callbacks_.on_progress(progress);
}

void Trainer::notice(const std::string& text) const {
  if (callbacks_.on_notice) callbacks_.on_notice(text);
}

}  // namespace hearth
