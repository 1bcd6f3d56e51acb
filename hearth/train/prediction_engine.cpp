// Prediction over an experiment's graph.
#include "hearth/train/prediction_engine.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/loader.h"
#include "hearth/tensor/convert.h"
#include "hearth/train/batch_runner.h"

namespace hearth {
namespace {

constexpr int64_t kPredictBatch = 64;  // where the training's batches have no single size
// Shapes whose plans are kept, beside the training data's own.
constexpr size_t kMostPredictionPlans = 16;

// Stands for the data while a plan is compiled: it has keys, and never a sample.
class KeysOnly : public Source {
 public:
  explicit KeysOnly(std::vector<KeySpec> keys) : keys_(std::move(keys)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override { return keys_; }
  [[nodiscard]] int64_t size() const override { return 0; }
  void read(int64_t, std::span<const Cell>) const override {
    throw InternalError("predict: a plan was run without data.");
  }
  [[nodiscard]] std::string fingerprint() const override { return "keys"; }
  [[nodiscard]] std::string describe(int64_t) const override { return "nothing"; }

 private:
  std::vector<KeySpec> keys_;
};

// One batch: these rows of the source.
class ListedRows : public Order {
 public:
  explicit ListedRows(std::vector<int64_t> rows) : rows_(std::move(rows)) {}
  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    OrderRequest listed = request;
    listed.samples = static_cast<int64_t>(rows_.size());
    return cut_order(listed, [this](int64_t at) { return rows_[static_cast<size_t>(at)]; });
  }

 private:
  std::vector<int64_t> rows_;
};

// Two lists of keys with the same text have the same plan.
std::string signature_of(const std::vector<KeySpec>& keys) {
  std::vector<std::string> texts;
  for (const KeySpec& key : keys)
    texts.push_back(key.key + ":" + key.spec.text() + ":" + std::string(name(key.spec.role)));
  return join(texts, ";");
}

void check_wanted(const PlanValue& value) {
  if (value.place < Place::kNetwork)
    throw GraphError("predict.out names " + quote(value.key) +
                     ", which the data side makes. Name a key that the network makes.");
  if (value.spec.is_per_batch)
    throw GraphError("predict.out names " + quote(value.key) +
                     ", one value for a whole batch. Name a key with a value for each sample.");
}

// A value as data: what it is by its role stays only for classes.
KeySpec feature_key(const PlanValue& value) {
  const Spec& spec = value.spec;
  if (spec.is_per_batch || spec.is_ragged())
    throw ConfigError("keys: " + quote(value.key) + " is " + spec.text() +
                      (spec.is_per_batch ? ", one value for a whole batch."
                                         : ", whose size differs from sample to sample.") +
                      " Name a key with a value of one size for each sample.");
  if (value.place < Place::kNetwork && is_image(spec))
    throw ConfigError("keys: " + quote(value.key) +
                      " is the picture itself, which `hearth data pack` packs. Name a key that the "
                      "network makes, or a label.");
  Spec plain{.dtype = spec.dtype, .shape = spec.shape};
  if (spec.role == Role::kClass && !is_floating(spec.dtype)) {
    plain.role = Role::kClass;
    plain.classes = spec.classes;
    plain.class_names = spec.class_names;
  }
  return {value.key, plain};
}

}  // namespace

PredictionEngine::PredictionEngine(ExperimentGraph& experiment)
    : experiment_(experiment), room_(experiment.network()) {}

const std::vector<std::string>& PredictionEngine::outputs() const {
  return experiment_.options().predict.out;
}

int64_t PredictionEngine::plans() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(plans_.size());
}

PredictionEngine::PlanPointer PredictionEngine::plan_for(const std::vector<KeySpec>& keys) {
  const std::string signature = signature_of(keys);
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(plans_.begin(), plans_.end(), [&](const KeptPlan& kept) {
    return kept.signature == signature;
  });
  if (known != plans_.end()) {
    std::rotate(known, known + 1, plans_.end());
    return plans_.back().plan;
  }
  PlanPointer plan = compile_plan(keys);
  // Who works with the oldest one holds it until done.
  if (plans_.size() == kMostPredictionPlans) plans_.erase(plans_.begin());
  plans_.push_back({signature, plan});
  return plan;
}

PredictionEngine::PlanPointer PredictionEngine::compile_plan(const std::vector<KeySpec>& keys) {
  auto made = std::make_shared<PredictionPlan>();
  made->keys = keys;
  // A model may be built for another shape meanwhile.
  room_.change([&] {
    made->compiled = experiment_.compiled_for(std::make_shared<KeysOnly>(keys), outputs());
  });
  for (size_t k = 0; k < keys.size(); ++k)
    if (!made->compiled.data->source_keys[k].is_nowhere()) made->needed.push_back(k);
  for (const int fetch : made->compiled.plan.fetches) {
    const PlanValue& value = made->compiled.plan.values[static_cast<size_t>(fetch)];
    check_wanted(value);
    made->readings.push_back(reading_of(value.key, value.spec, experiment_.specs()));
  }
  return made;
}

const PredictionPlan& PredictionEngine::usual_plan() {
  std::call_once(is_usual_made_, [&] { usual_ = plan_for(experiment_.specs()); });
  return *usual_;
}

std::vector<KeySpec> PredictionEngine::inputs() {
  std::vector<KeySpec> keys;
  for (const size_t k : usual_plan().needed) keys.push_back(experiment_.specs()[k]);
  return keys;
}

std::string PredictionEngine::inputs_text() {
  std::string text;
  for (const KeySpec& key : inputs())
    text += "  " + quote(key.key) + " takes " + takes_text(key.spec) + "\n";
  return text;
}

int64_t PredictionEngine::batch_size(const PredictSettings& settings) const {
  if (settings.batch_size > 0) return settings.batch_size;
  const ScheduledCount& size = experiment_.options().data.batch_size;
  return size.is_constant() ? static_cast<int64_t>(size.constant()) : kPredictBatch;
}

// The usual one, unless a value has another size than the training data's.
PredictionEngine::PlanPointer PredictionEngine::plan_of(const FilledSample& sample) {
  std::vector<KeySpec> keys;
  for (const size_t k : usual_plan().needed) {
    const Spec& spec = usual_->keys[k].spec;
    const std::vector<int64_t>& shape = sample.values.at(usual_->keys[k].key).shape;
    for (size_t i = 0; i < spec.shape.size(); ++i) {
      if (spec.shape[i] == kAnyLength || spec.shape[i] == shape[i]) continue;
      if (keys.empty()) keys = usual_->keys;
      keys[k].spec.shape[i] = shape[i];
    }
  }
  if (keys.empty()) return usual_;
  try {
    return plan_for(keys);
  } catch (const GraphError& error) {
    throw DataError(sample.name + ": " + error.what());
  }
}

void PredictionEngine::check_keys(const RawSample& sample) {
  std::vector<std::string> known;
  for (const KeySpec& key : usual_plan().keys) known.push_back(key.key);
  for (const auto& [key, value] : sample.values)
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw DataError(sample.name + ": the model has no input " + quote(key) + "." +
                      did_you_mean(key, known) + " It needs:\n" + inputs_text());
  for (const size_t k : usual_->needed)
    if (!sample.values.contains(known[k]))
      throw DataError(sample.name + ": there is nothing for " + quote(known[k]) +
                      ", which the model needs:\n" + inputs_text() +
                      "Files come with --input KEY=FILE, text with --text KEY=TEXT; in C++, all in "
                      "RawSample::values.");
}

FilledSample PredictionEngine::fill(const RawSample& sample, Prediction& prediction) {
  check_keys(sample);
  FilledSample filled{sample.name, {}};
  for (const size_t k : usual_plan().needed) {
    const KeySpec& key = experiment_.specs()[k];
    filled.values[key.key] =
        fill_value(sample.values.at(key.key), key, sample.name, prediction.notes);
  }
  return filled;
}

std::vector<Prediction> PredictionEngine::predict(std::span<const RawSample> samples,
                                                  const PredictSettings& settings) {
  std::vector<Prediction> predictions(samples.size());
  const auto part = static_cast<size_t>(batch_size(settings));
  for (size_t first = 0; first < samples.size(); first += part) {
    const size_t count = std::min(part, samples.size() - first);
    predict_part(samples.subspan(first, count), settings,
                 std::span(predictions).subspan(first, count));
    if (settings.on_progress)
      settings.on_progress(static_cast<int64_t>(first + count),
                           static_cast<int64_t>(samples.size()));
  }
  return predictions;
}

// A batch for each of the shapes among them.
void PredictionEngine::predict_part(std::span<const RawSample> samples,
                                    const PredictSettings& settings,
                                    std::span<Prediction> predictions) {
  std::vector<FilledSample> filled(samples.size());
  std::vector<std::pair<PlanPointer, std::vector<int64_t>>> groups;
  for (size_t i = 0; i < samples.size(); ++i) {
    predictions[i].input = samples[i].name;
    try {
      filled[i] = fill(samples[i], predictions[i]);
      predictions[i].notes.insert(predictions[i].notes.end(), samples[i].notes.begin(),
                                  samples[i].notes.end());
      const PlanPointer plan = plan_of(filled[i]);
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const auto& known) { return known.first == plan; });
      if (group == groups.end()) group = groups.emplace(group, plan, std::vector<int64_t>());
      group->second.push_back(static_cast<int64_t>(i));
    } catch (const DataError& error) {
      if (!settings.keeps_going) throw;
      predictions[i].error = error.what();
    }
  }
  for (auto& [plan, rows] : groups) {
    // Each source owns what its rows read; others are empty there.
    std::vector<FilledSample> own(samples.size());
    for (const int64_t row : rows)
      own[static_cast<size_t>(row)] = std::move(filled[static_cast<size_t>(row)]);
    Work work{plan, make_raw_source(plan->keys, std::move(own)), rows, predictions};
    run(work, settings);
  }
}

std::vector<Prediction> PredictionEngine::predict_data(std::span<const int64_t> samples,
                                                       const PredictSettings& settings) {
  const Mode mode = experiment_.has_source(Mode::kEval) ? Mode::kEval : Mode::kTrain;
  std::call_once(is_data_open_, [&] { experiment_.open_source(mode); });
  const std::shared_ptr<Source>& source = experiment_.source(mode);
  std::vector<Prediction> predictions;
  for (const int64_t index : samples) {
    if (index < 0 || index >= source->size())
      throw DataError("there is no sample " + std::to_string(index) + " in data." +
                      std::string(name(mode)) + ", which has " + std::to_string(source->size()) +
                      ".");
    predictions.push_back({.input = source->describe(index)});
  }
  const auto chosen = make_chosen_source(source, {samples.begin(), samples.end()});
  const auto count = static_cast<int64_t>(samples.size());
  for (int64_t first = 0; first < count; first += batch_size(settings)) {
    Work work{plan_for(source->keys()), chosen, {}, predictions};
    const int64_t end = std::min(count, first + batch_size(settings));
    for (int64_t row = first; row < end; ++row) work.rows.push_back(row);
    run(work, settings);
    if (settings.on_progress) settings.on_progress(end, count);
  }
  return predictions;
}

void PredictionEngine::run(Work& work, const PredictSettings& settings) {
  if (!settings.keeps_going) return run_batch(work, settings);
  try {
    run_batch(work, settings);
  } catch (const DataError& error) {
    const size_t before = work.rows.size();
    drop_failing(work);
    if (work.rows.size() < before && !work.rows.empty()) return run(work, settings);
    for (const int64_t row : work.rows)
      work.predictions[static_cast<size_t>(row)].error = error.what();
  }
}

// Rows whose own data cannot be made get an error, and are no longer part of the work.
void PredictionEngine::drop_failing(Work& work) const {
  std::erase_if(work.rows, [&](int64_t row) {
    try {
      (void)load({work.plan, work.source, {row}, work.predictions});
      return false;
    } catch (const DataError& error) {
      work.predictions[static_cast<size_t>(row)].error = error.what();
      return true;
    }
  });
}

HostBatch PredictionEngine::load(const Work& work) const {
  auto data = std::make_shared<DataPlan>(*work.plan->compiled.data);
  data->source = work.source;
  LoaderOptions options;
  options.name = "predict";
  options.batch_size = static_cast<int64_t>(work.rows.size());
  options.order = std::make_shared<ListedRows>(work.rows);
  options.most_bytes_per_value = experiment_.options().data.value_megabytes << 20U;
  Loader loader(work.source->size(), options, [&](int64_t, int64_t) { return data; });
  loader.start(0, 0, 1);
  HostBatch batch = loader.next();
  if (batch.real_rows() < batch.rows())
    throw DataError(
        "an op of the data filters some of the samples out, so that nothing is predicted for them. "
        "Give it `when: [train, eval]`, or leave them out.");
  return batch;
}

std::vector<at::Tensor> PredictionEngine::computed(const CompiledPlan& compiled,
                                                   const HostBatch& batch) {
  // A thread that has not computed yet learns here how many compute together, which bits depend on.
  (void)at::get_num_threads();
  BatchRunner runner(experiment_.network());
  std::vector<at::Tensor> outputs;
  const SharedInference::Stay stay(room_);
  StepContext context;
  context.mode = Mode::kInfer;
  runner.infer(compiled, batch, context);
  for (const int fetch : compiled.plan.fetches) outputs.push_back(runner.value(fetch).to(at::kCPU));
  return outputs;
}

CompiledPlan PredictionEngine::compiled(const std::vector<std::string>& wanted) {
  CompiledPlan found;
  room_.change([&] {
    found = experiment_.compiled_for(std::make_shared<KeysOnly>(experiment_.specs()), wanted);
  });
  return found;
}

void PredictionEngine::infer(const CompiledPlan& compiled, std::vector<at::Tensor>& values) {
  (void)at::get_num_threads();  // as in `computed`
  const SharedInference::Stay stay(room_);
  StepContext context;
  context.mode = Mode::kInfer;
  experiment_.network().infer(compiled.ops, context, values);
}

void PredictionEngine::run_batch(const Work& work, const PredictSettings& settings) {
  std::vector<at::Tensor> outputs = computed(work.plan->compiled, load(work));
  for (at::Tensor& output : outputs) output = output.to(at::kDouble);
  read_rows(work, outputs, settings);
}

PredictionEngine::Features PredictionEngine::features(const std::shared_ptr<const Source>& source,
                                                      const std::vector<std::string>& wanted) {
  auto plan = std::make_shared<PredictionPlan>();
  room_.change([&] {
    plan->compiled = experiment_.compiled_for(std::make_shared<KeysOnly>(source->keys()), wanted);
  });
  Features found;
  for (const int fetch : plan->compiled.plan.fetches)
    found.keys.push_back(feature_key(plan->compiled.plan.values[static_cast<size_t>(fetch)]));
  found.batch = [this, plan, source, keys = found.keys](int64_t first, int64_t count) {
    Work work{plan, source, {}, {}};
    for (int64_t row = first; row < first + count; ++row) work.rows.push_back(row);
    std::vector<at::Tensor> values = computed(plan->compiled, load(work));
    for (size_t k = 0; k < values.size(); ++k)
      values[k] = values[k].to(scalar_type(keys[k].spec.dtype)).contiguous();
    return values;
  };
  return found;
}

void PredictionEngine::read_rows(const Work& work, const std::vector<at::Tensor>& outputs,
                                 const PredictSettings& settings) const {
  const int64_t top = settings.top > 0 ? settings.top : experiment_.options().predict.top;
  for (size_t at = 0; at < work.rows.size(); ++at) {
    Prediction& prediction = work.predictions[static_cast<size_t>(work.rows[at])];
    try {
      for (size_t k = 0; k < outputs.size(); ++k) {
        OutputReading reading = work.plan->readings[k];
        reading.top = top;
        prediction.outputs.push_back(
            read_output(reading, outputs[k].select(0, static_cast<int64_t>(at)), prediction.input));
      }
    } catch (const DataError& error) {
      prediction.outputs.clear();
      if (!settings.keeps_going) throw;
      prediction.error = error.what();
    }
  }
}

}  // namespace hearth
