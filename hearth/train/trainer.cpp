// The training loop: plans, batches, metrics, traces.
#include "hearth/train/trainer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

void seed_generator(at::Device device, uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  generator.set_current_seed(seed);
}

constexpr int64_t kMostFailuresListed = 100;  // of an epoch

std::string failed_text(const Replacement& failed) {
  const std::string sample = "sample " + std::to_string(failed.sample);
  if (failed.substitute == kNoSample) return sample + " counts nothing: " + failed.reason;
  return sample + " was replaced by sample " + std::to_string(failed.substitute) + ": " +
         failed.reason;
}

Event failed_event(const Replacement& failed, const Scene& scene, int64_t step, int64_t epoch) {
  Json details = {{"set", scene.set.text()},
                  {"sample", failed.sample},
                  {"name", scene.source->describe(failed.sample)},
                  {"reason", failed.reason}};
  if (failed.substitute != kNoSample) details["substitute"] = failed.substitute;
  return {"failed_sample", step, epoch, 0, {}, std::move(details)};
}

}  // namespace

Trainer::Trainer(ExperimentGraph& experiment, std::optional<TrainerRun> run,
                 TrainerCallbacks callbacks)
    : experiment_(experiment),
      run_(std::move(run)),
      callbacks_(std::move(callbacks)),
      runner_(experiment.network()),
      traces_(experiment.make_traces(), *this),
      undo_(experiment.network()),
      on_nan_(callbacks_.detects_anomalies ? OnNan::kStop
                                           : on_nan_from(experiment.options().train.on_nan)),
      may_undo_(on_nan_ == OnNan::kSkip || rolls_back() || traces_.may_undo(Undo::kSkip)),
      ranks_(experiment.group()) {}

// Plans hang on the length: those of another one are forgotten.
void Trainer::fix_length(int64_t epochs) {
  position_.target_epochs = epochs;
  experiment_.set_epochs(epochs);
  book_.reset();
}

PlanBook& Trainer::book() {
  if (!book_) book_ = std::make_unique<PlanBook>(experiment_, Mode::kTrain);
  return *book_;
}

void Trainer::warm_up() {
  for (Mode mode : {Mode::kTrain, Mode::kEval}) {
    if (!experiment_.has_source(mode)) continue;
    for (const Moment& moment : experiment_.plan_moments(mode))
      try_plan(mode, experiment_.compiled(mode, moment), moment);
  }
  finish_gathering();
}

void Trainer::try_plan(Mode mode, const CompiledPlan& compiled, const Moment& moment) {
  Network& network = experiment_.network();
  const State before = copy(network.own_state(compiled.ops));
  LoaderOptions options = experiment_.loader_options(mode, moment.epoch + 1);
  options.workers = options.most_workers = 0;
  Loader loader(experiment_.source(mode)->size(), options,
                [&](int64_t, int64_t) { return compiled.data; });
  loader.start(moment.epoch, 0, moment.epoch + 1);
  StepContext context;
  context.mode = mode;
  context.moment = moment;
  try {
    runner_.run(compiled, loader.next(), context);
  } catch (const Error& error) {
    if (dynamic_cast<const ClusterError*>(&error) != nullptr) throw;  // another's, not the plan's
    network.restore(before, compiled.ops);
    const std::string message = "warm-up of mode " + std::string(name(mode)) + ", epoch " +
                                std::to_string(moment.epoch) + ": " + error.message();
    if (dynamic_cast<const DataError*>(&error) != nullptr) throw DataError(message, error.place());
    throw GraphError(message, error.place());
  }
  runner_.clear();
  network.restore(before, compiled.ops);
}

void Trainer::begin(int64_t target_epochs) {
  is_whole_ = true;
  fix_length(target_epochs);
  experiment_.check_training_sets();
  stop_reason_.clear();
  was_interrupted_ = false;
  is_pause_asked_ = false;
  saving_seconds_ = 0;
  moment_ = {position_.step, position_.epoch, experiment_.length()};
  if (run_ && !keeper_) {
    make_keeper();
    keeper_->begin();
  }
  write_history("begin", {{"target_epochs", target_epochs}});
  if (rolls_back()) keep_first_state();
  loader_ =
      std::make_unique<Loader>(experiment_.source(Mode::kTrain)->size(),
                               experiment_.loader_options(Mode::kTrain, target_epochs),
                               [this](int64_t epoch, int64_t batch) {
                                 return book().at(experiment_.batch_moment(epoch, batch))->data;
                               });
  loader_->start(position_.epoch, position_.batch, target_epochs);
  watch_.restart();
  now_ = {};
  if (!ranks_.is_alone()) ranks_.check_equal(experiment_.network().common_state());
  begin_gathering();
  saved_at_ = 0;
  traces_.tell_run(Occasion::kRunBegin, scene());
}

void Trainer::fit(int64_t target_epochs, std::optional<Halt> halt) {
  is_fitting_ = true;
  halt_ = halt;
  try {
    train(target_epochs);
  } catch (const std::exception& error) {
    traces_.tell_exception(error.what(), scene());
    if (dynamic_cast<const Diverged*>(&error) == nullptr) save_what_is_whole(error.what());
    is_fitting_ = false;
    loader_.reset();
    throw;
  }
  is_fitting_ = false;
}

// One that only waited goes on with what it has.
void Trainer::train(int64_t target_epochs) {
  if (!loader_ || position_.target_epochs != target_epochs) begin(target_epochs);
  while (position_.epoch < target_epochs && stop_reason_.empty() && !is_interrupted() &&
         !is_paused())
    run_epoch();
  finish_gathering();
  is_whole_ = false;  // what fails from here on is the saving itself
  was_interrupted_ = is_interrupted();
  is_pause_asked_ = false;
  if (!was_interrupted_ && stop_reason_.empty() && position_.epoch < target_epochs) return;
  if (!was_interrupted_) experiment_.network().bring_together();
  traces_.tell_run(Occasion::kRunEnd, scene());
  data_use_ = {{"workers", loader_->active_workers()}, {"wait_share", loader_->wait_share()}};
  loader_.reset();
  save_at_end();
  tell_left_out();
}

// Ops with other options take over what those before them have in progress.
void Trainer::enter_epoch() {
  std::vector<BoundOp> next =
      experiment_.network().every_op(experiment_.epoch_start(position_.epoch));
  Network::carry_over(ops_, next);
  ops_ = std::move(next);
}

void Trainer::set_plan(const Moment& moment) {
  const std::shared_ptr<const CompiledPlan>& next = book().at(moment);
  if (next == current_) return;
  current_ = next;
  losses_.clear();
  for (const BoundOp& bound : current_->ops)
    losses_.insert(losses_.end(), bound.losses.begin(), bound.losses.end());
  for (const BoundMetric& bound : current_->metrics) measured_.insert(bound.metric->name());
}

bool Trainer::is_over() const {
  const std::optional<Time>& until = experiment_.options().train.until;
  if (!until) return false;
  if (until->unit == TimeUnit::kMinute) return seconds() >= until->value * 60;
  return position_.step >= until->steps(experiment_.length());
}

// Within an epoch its metrics are those so far; an evaluation that is interrupted is done again.
void Trainer::end_here() {
  is_evaluation_asked_ = position_.batch > 0;
  evaluate_if_asked();
  if (is_evaluation_asked_) return;
  stop_reason_ = "train.until is " + experiment_.options().train.until->text() + ".";
}

void Trainer::run_epoch() {
  if (position_.batch == 0 && is_over()) return end_here();
  enter_epoch();
  if (position_.batch == 0) {
    for (const auto& metric : experiment_.metrics(Mode::kTrain)) metric->reset();
    measured_.clear();
    replaced_ = 0;
  }
  const int64_t batches = experiment_.batches(Mode::kTrain, position_.epoch);
  current_.reset();  // what the first batch measures counts for this epoch
  set_plan(experiment_.batch_moment(position_.epoch, std::min(position_.batch, batches - 1)));
  if (position_.batch == 0) traces_.tell(Occasion::kEpochBegin, scene());
  while (position_.batch < batches) {
    meet();
    is_whole_ = false;
    evaluate_if_asked();
    is_whole_ = true;
    if (is_interrupted() || is_paused()) return;
    if (is_over()) return end_here();
    run_batch(loader_->next());
    look_after_folder();
    save_if_due();
  }
  is_whole_ = false;
  finish_epoch();
  is_whole_ = true;
}

Scene Trainer::scene() const {
  static const Listeners kNobody;
  return {.listeners = current_ ? &current_->listeners : &kNobody,
          .set = Mode::kTrain,
          .source = experiment_.source(experiment_.training_set(position_.epoch)).get(),
          .moment = {position_.step, position_.epoch, experiment_.length()},
          .step = position_.step};
}

void Trainer::run_told(const CompiledPlan& compiled, const HostBatch& batch, StepContext& context,
                       Scene& scene) {
  runner_.load(compiled, batch);
  scene.batch = &batch;
  scene.values = &runner_.values();
  scene.plan = &compiled.plan;
  traces_.tell(Occasion::kBatchBegin, scene);
  if (context.mode == Mode::kTrain) scene.kept_rows = experiment_.network().kept_rows();
  context.watch = guarded(traces_.watch(scene), context.mode);
  if (observer_ != nullptr && context.mode == Mode::kTrain)
    context.watch = observer_->watch(context.watch);
  runner_.compute(compiled, context);
  if (context.mode == Mode::kTrain) refuse_moved();
  runner_.update_metrics(compiled, context.moment);
}

void Trainer::seed_draws(const RandomIdentity& identity) {
  Random random(identity);
  const uint64_t high = random.bits();
  const uint64_t seed = (high << 32U) | random.bits();
  seed_generator(at::kCPU, seed);
  const at::Device device = experiment_.network().models().device;
  if (device.is_cuda()) seed_generator(device, seed);
}

void Trainer::seed_batch() {
  static const uint16_t kStream = op_number("step");
  const int64_t number = experiment_.batches_before(position_.epoch) + position_.batch;
  seed_draws({static_cast<uint64_t>(experiment_.options().seed), 0, static_cast<uint64_t>(number),
              kStream});
}

void Trainer::run_batch(const HostBatch& batch) {
  is_whole_ = false;
  seed_batch();
  StepContext context;
  context.mode = Mode::kTrain;
  context.moment = experiment_.batch_moment(position_.epoch, position_.batch);
  context.sample_weight = 1 / static_cast<double>(experiment_.largest_batch());
  context.weight =
      static_cast<double>(batch.real_rows()) / static_cast<double>(experiment_.largest_batch());
  moment_ = context.moment;
  set_plan(moment_);
  Scene scene = this->scene();
  ++scene.step;
  if (may_undo_) undo_.remember(*current_, ops_);
  std::optional<Refusal> refusal;
  try {
    run_told(*current_, batch, context, scene);
  } catch (const BatchRefused& refused) {
    refusal = explained(refused, batch, context);
  }
  if (observer_ != nullptr) observer_->see(*current_, batch, runner_, scene);
  count_failed(batch, scene);
  ++position_.batch;
  moment_ = context.moment;
  position_.step = experiment_.length().step_at(position_.epoch, position_.batch);
  count_gathered();
  const bool is_step = position_.step > moment_.step;
  if (is_step) moment_.step = position_.step;
  const bool is_logged = is_step && position_.step % experiment_.options().train.log_every == 0;
  if (is_logged && (!refusal || stops(*refusal))) log_step();
  if (refusal) {
    settle(*refusal, context);
    is_whole_ = true;
    return;
  }
  in_a_row_ = 0;
  watch_losses(is_logged);
  scene.moment = moment_;
  if (is_step) traces_.tell(Occasion::kStep, scene);
  traces_.tell(Occasion::kBatchEnd, scene);
  runner_.clear();
  is_whole_ = true;
}

// Never in silence: the first of an epoch is told, all are counted in the log, and many listed.
void Trainer::count_failed(const HostBatch& batch, const Scene& scene) {
  for (const Replacement& failed : batch.replacements()) {
    if (failed.reason.empty()) continue;  // filtered out
    if (replaced_++ == 0) notice(failed_text(failed));
    if (replaced_ <= kMostFailuresListed && keeper_)
      keeper_->log(failed_event(failed, scene, position_.step, position_.epoch));
  }
}

void Trainer::log_step() {
  Event event{"step", position_.step, position_.epoch, 0, runner_.scalars(*current_), {}};
  for (const auto& [name, value] : event.values) metrics_["step/" + name] = value;
  for (const auto& [name, rate] : learning_rates()) event.values.emplace_back("lr/" + name, rate);
  if (keeper_) keeper_->log(std::move(event));
}

// Interrupted, it leaves nothing behind: a resume does it again from the start.
void Trainer::finish_epoch() {
  std::vector<std::pair<DataSet, Measurements>> measured;
  const TracesState traces_before = traces_state();
  for (const DataSet& set : experiment_.sets(Mode::kEval)) {
    if (!experiment_.is_used(set, experiment_.epoch_end(position_.epoch))) {
      forget_metrics(set);
      continue;
    }
    const auto values = evaluate(set);
    if (!values) return forget_evaluation(traces_before);
    measured.emplace_back(set, *values);
  }
  keep_evaluation();
  std::vector<BoundMetric> trained;
  for (const auto& metric : experiment_.metrics(Mode::kTrain))
    if (measured_.contains(metric->name())) trained.push_back({metric, {}});
  measured.insert(measured.begin(), {Mode::kTrain, measurements_of(trained)});
  for (const auto& [set, values] : measured)
    record(set.mode == Mode::kTrain ? "epoch" : set.text(), set, values);
  for (const auto& [set, values] : measured) watch_metrics(set, values);
  moment_.epoch = position_.epoch;
  is_evaluation_asked_ = false;
  traces_.tell(Occasion::kEpochEnd, scene());
  ++position_.epoch;
  position_.batch = 0;
}

// What is not measured in an epoch has no value after it.
void Trainer::forget_metrics(const DataSet& set) {
  for (const auto& metric : experiment_.metrics(set.mode))
    for (const std::string& name : reported_names(*metric)) metrics_.erase(set.text() + "/" + name);
}

// The set's metrics into the newest values and into the log.
void Trainer::record(const std::string& kind, const DataSet& set, const Measurements& measured) {
  const std::string prefix = set.text() + "/";
  Event event{kind, position_.step, position_.epoch, 0, {}, {}};
  forget_metrics(set);
  for (const auto& metric : experiment_.metrics(set.mode))
    for (const std::string& name : reported_names(*metric)) {
      const auto found = measured.numbers.find(name);
      if (found != measured.numbers.end()) event.values.emplace_back(*found);
    }
  for (const auto& [metric, value] : event.values) metrics_[prefix + metric] = value;
  if (set.mode == Mode::kTrain && replaced_ > 0)
    event.values.emplace_back(experiment_.options().data.on_error == "mask" ? "masked" : "replaced",
                              replaced_);
  if (set.mode == Mode::kTrain) add_left_out(event);
  if (!keeper_) return;
  keeper_->log_epoch(std::move(event));
  for (const auto& [name, table] : measured.tables)
    keeper_->log(table_event(prefix + name, table, position_.step, position_.epoch));
}

std::optional<Measurements> Trainer::evaluate(const DataSet& set) {
  const int64_t epoch = epoch_done_last();
  experiment_.network().bring_together();
  StepContext context;
  context.mode = set.mode;
  context.moment = experiment_.epoch_end(epoch);
  const CompiledPlan compiled = experiment_.compiled(set, context.moment);
  for (const BoundMetric& bound : compiled.metrics) bound.metric->reset();
  Loader loader(experiment_.source(set)->size(), experiment_.loader_options(set, epoch + 1),
                [&](int64_t, int64_t) { return compiled.data; });
  Scene scene{&compiled.listeners, set, experiment_.source(set).get(), context.moment,
              position_.step};
  traces_.tell(Occasion::kEvaluationBegin, scene);
  if (shares_evaluation(set, compiled)) {
    if (!evaluate_shared(set, compiled, loader, context)) return std::nullopt;
    traces_.tell(Occasion::kEvaluationEnd, scene);
    return measurements_of(compiled.metrics);
  }
  loader.start(epoch, 0, epoch + 1);
  RandomIdentity draws = evaluation_draws(epoch);
  int64_t failed = 0;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next(), ++draws.sample) {
    meet();
    if (is_interrupted()) return std::nullopt;
    show_pass("evaluating " + set.text(), static_cast<int64_t>(draws.sample),
              experiment_.batches(set, epoch));
    seed_draws(draws);
    run_told(compiled, batch, context, scene);
    traces_.tell(Occasion::kBatchEnd, scene);
    for (const Replacement& each : batch.replacements()) {
      if (each.reason.empty()) continue;
      if (failed++ == 0) notice(set.text() + ": " + failed_text(each));
      if (failed <= kMostFailuresListed && keeper_ && is_fitting_)
        held_.push_back(failed_event(each, scene, position_.step, position_.epoch));
    }
    runner_.clear();
  }
  scene.batch = nullptr;
  scene.values = nullptr;
  scene.plan = nullptr;
  traces_.tell(Occasion::kEvaluationEnd, scene);
  return measurements_of(compiled.metrics);
}

bool Trainer::is_better_when_higher(const std::string& metric) const {
  return experiment_.is_better_when_higher(metric);
}

bool Trainer::is_interrupted() const {
  if (is_pause_asked_) return true;
  if (is_halted() && halt_->then == AfterSteps::kEnd) return true;
  if (!ranks_.is_alone()) return now_.is_interrupted;
  return callbacks_.interrupt != nullptr && callbacks_.interrupt->load(std::memory_order_relaxed);
}

void Trainer::show(const Progress& progress) {
  if (callbacks_.on_progress) callbacks_.on_progress(progress);
}

void Trainer::notice(const std::string& text) const {
  if (callbacks_.on_notice) callbacks_.on_notice(text);
}

}  // namespace hearth
