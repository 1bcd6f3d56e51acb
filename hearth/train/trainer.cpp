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

// LibTorch's generators get a seed of their own for every step, so that dropout does not depend on
// what ran before.
void seed_step(uint64_t seed, int64_t step) {
  static const uint16_t kStepStream = op_number("step");
  Random random({seed, 0, static_cast<uint64_t>(step), kStepStream});
  const uint64_t high = random.bits();
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
  generator.set_current_seed((high << 32U) | random.bits());
}

}  // namespace

Trainer::Trainer(Experiment& experiment, std::optional<RunFolder> folder, TrainerCalls calls)
    : experiment_(experiment),
      folder_(std::move(folder)),
      calls_(std::move(calls)),
      runner_(experiment.network()),
      traces_(experiment.make_traces()) {}

Trainer::~Trainer() {
  if (pending_save_.valid()) pending_save_.wait();
}

std::unique_ptr<Loader> Trainer::make_loader(Mode mode, int64_t epochs) {
  return std::make_unique<Loader>(
      experiment_.source(mode)->size(), experiment_.loader_options(mode, epochs),
      [this, mode](int64_t epoch) { return experiment_.data_plan(mode, epoch); });
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
  const State before = copy(network.state(compiled.calls));
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
    network.restore(before, compiled.calls);
    throw GraphError("warm-up of mode " + std::string(name(mode)) + ", epoch " +
                     std::to_string(epoch) + ": " + error.what());
  }
  runner_.clear();
  network.restore(before, compiled.calls);
}

void Trainer::begin(int64_t target_epochs) {
  position_.target_epochs = target_epochs;
  experiment_.set_epochs(target_epochs);
  stop_reason_.clear();
  was_interrupted_ = false;
  moment_ = {position_.step, position_.epoch, experiment_.length()};
  if (folder_ && !log_) {
    log_ = std::make_unique<RunLog>(folder_->log(), 0);
    history_ = std::make_unique<RunLog>(folder_->path() / "history.jsonl", 0);
  }
  if (history_) write_history("begin", {{"target_epochs", target_epochs}});
  loader_ = make_loader(Mode::kTrain, target_epochs);
  loader_->start(position_.epoch, position_.batch, target_epochs);
  watch_.restart();
  saved_at_ = 0;
  for (const auto& trace : traces_) trace->on_begin(*this);
}

void Trainer::fit(int64_t target_epochs) {
  begin(target_epochs);
  while (position_.epoch < target_epochs && stop_reason_.empty() && !is_interrupted()) run_epoch();
  was_interrupted_ = is_interrupted();
  for (const auto& trace : traces_) trace->on_end(*this);
  loader_.reset();
  save_at_end();
}

void Trainer::set_plan(int64_t epoch) {
  CompiledPlan next = experiment_.compiled(Mode::kTrain, epoch);
  Network::carry_over(current_.calls, next.calls);
  current_ = std::move(next);
}

void Trainer::run_epoch() {
  set_plan(position_.epoch);
  if (position_.batch == 0) {
    for (const auto& metric : experiment_.metrics(Mode::kTrain)) metric->reset();
    replaced_ = 0;
  }
  const int64_t batches = experiment_.batches_per_epoch(Mode::kTrain);
  while (position_.batch < batches) {
    if (is_interrupted()) return;
    run_batch(loader_->next());
    save_if_due();
  }
  finish_epoch();
}

void Trainer::run_batch(const HostBatch& batch) {
  seed_step(static_cast<uint64_t>(experiment_.options().seed),
            position_.epoch * experiment_.batches_per_epoch(Mode::kTrain) + position_.batch);
  StepContext context;
  context.mode = Mode::kTrain;
  context.moment = {position_.step, position_.epoch, experiment_.length()};
  runner_.run(current_, batch, context);
  runner_.update_metrics(current_);
  count_replaced(batch);
  ++position_.batch;
  moment_ = context.moment;
  if (context.has_updated) {
    moment_.step = ++position_.step;
    if (position_.step % experiment_.options().train.log_every == 0) log_step();
  }
  runner_.clear();
  for (const auto& trace : traces_) trace->on_step(*this);
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
  if (log_) log_->write(std::move(event));
}

void Trainer::finish_epoch() {
  record("epoch", Mode::kTrain);
  if (experiment_.has_source(Mode::kEval)) {
    (void)evaluate(Mode::kEval);
    record("eval", Mode::kEval);
  }
  moment_.epoch = position_.epoch;
  for (const auto& trace : traces_) trace->on_epoch(*this);
  ++position_.epoch;
  position_.batch = 0;
}

// The mode's metrics into the newest values and into the log.
void Trainer::record(const std::string& kind, Mode mode) {
  Event event{kind, position_.step, position_.epoch, 0, {}, {}};
  for (const auto& metric : experiment_.metrics(mode)) {
    const double value = metric->value();
    metrics_[std::string(name(mode)) + "/" + metric->name()] = value;
    event.values.emplace_back(metric->name(), value);
  }
  if (mode == Mode::kTrain && replaced_ > 0) event.values.emplace_back("replaced", replaced_);
  if (log_) log_->write(std::move(event));
}

std::map<std::string, double> Trainer::evaluate(Mode mode) {
  const CompiledPlan compiled = experiment_.compiled(mode, position_.epoch);
  for (const MetricCall& call : compiled.metrics) call.metric->reset();
  const std::unique_ptr<Loader> loader = make_loader(mode, position_.epoch + 1);
  loader->start(position_.epoch, 0, position_.epoch + 1);
  StepContext context;
  context.mode = mode;
  context.moment = {position_.step, position_.epoch, experiment_.length()};
  for (HostBatch batch = loader->next(); !batch.is_empty(); batch = loader->next()) {
    runner_.run(compiled, batch, context);
    runner_.update_metrics(compiled);
    runner_.clear();
  }
  std::map<std::string, double> values;
  for (const MetricCall& call : compiled.metrics)
    values[call.metric->name()] = call.metric->value();
  return values;
}

bool Trainer::is_better_when_higher(const std::string& metric) const {
  return experiment_.is_better_when_higher(metric);
}

bool Trainer::is_interrupted() const {
  return calls_.interrupt != nullptr && calls_.interrupt->load(std::memory_order_relaxed);
}

void Trainer::show(const Progress& progress) {
  if (calls_.on_progress) calls_.on_progress(progress);
}

void Trainer::notice(const std::string& text) const {
  if (calls_.on_notice) calls_.on_notice(text);
}

}  // namespace hearth
