// One step of a run again. It is played twice: once with hooks on all layers, which may change
// the last bits, for what they give; and once as it was, for losses and gradients.
#include "hearth/train/replay.h"

#include <ATen/ops/norm.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/core/log_reader.h"
#include "hearth/survey/picture_grid.h"
#include "hearth/train/divergence.h"
#include "hearth/train/layer_hooks.h"
#include "hearth/train/losses_by_sample.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

// By the layer's path, in the order in which they are first spoken of.
class LayerTable {
 public:
  ReplayedLayer& of(const std::string& path) {
    const auto [found, is_new] = places_.emplace(path, layers_.size());
    if (is_new) layers_.emplace_back().path = path;
    return layers_[found->second];
  }
  // "net.0" of "net.0.weight".
  ReplayedLayer& of_parameter(const std::string& model, const std::string& name) {
    const size_t dot = name.rfind('.');
    return of(dot == name.npos ? model : model + "." + name.substr(0, dot));
  }
  [[nodiscard]] const std::vector<ReplayedLayer>& all() const { return layers_; }
  std::vector<ReplayedLayer> take() { return std::move(layers_); }

 private:
  std::vector<ReplayedLayer> layers_;
  std::map<std::string, size_t> places_;
};

// Norms add up by their squares.
void add_norm(ReplayedLayer& layer, std::optional<double> ReplayedLayer::*which,
              const at::Tensor& tensor) {
  if (!tensor.is_floating_point() || tensor.numel() == 0) return;
  const auto norm = at::norm(tensor.detach().to(at::kDouble), 2).item<double>();
  layer.*which = std::hypot((layer.*which).value_or(0), norm);
  layer.is_finite = layer.is_finite && std::isfinite(norm);
}

// What layers gave in all shards is what they gave for the batch.
void add_outputs(const std::vector<LayerTable>& shards, LayerTable& layers) {
  for (const LayerTable& shard : shards)
    for (const ReplayedLayer& heard : shard.all()) {
      ReplayedLayer& layer = layers.of(heard.path);
      if (heard.output) layer.output = std::hypot(layer.output.value_or(0), *heard.output);
      layer.is_finite = layer.is_finite && heard.is_finite;
    }
}

// That the step was made of.
int64_t rows_of(const Scene& scene, const HostBatch& batch) {
  return std::min(batch.real_rows(), static_cast<int64_t>(scene.samples().size()));
}

class ReplayObserver : public StepObserver, private StepWatch {
 public:
  ReplayObserver(StepReplay& replay, LayerTable& layers) : replay_(replay), layers_(layers) {}

  StepWatch* watch(StepWatch* others) override {
    others_ = others;
    return this;
  }

  void see(const CompiledPlan& compiled, const HostBatch& batch, const BatchRunner& runner,
           const Scene& scene) override {
    for (const auto& [key, value] : runner.scalars(compiled)) replay_.values[key] = value;
    const auto losses =
        losses_by_sample(compiled, runner.values(), rows_of(scene, batch), scene.moment);
    const std::vector<int64_t> samples = scene.samples();
    for (size_t row = 0; row < losses.size(); ++row) {
      const int64_t sample = samples[row];
      replay_.samples.push_back({sample, scene.source->describe(sample), losses[row]});
    }
    if (replay_.pictures.pixels.empty()) draw(compiled, batch);
  }

 private:
  void on_loss(const std::vector<at::Tensor>& values) override {
    if (others_ != nullptr) others_->on_loss(values);
  }
  void on_gradients(const std::string& model, std::span<const NamedTensor> gradients) override {
    if (others_ != nullptr) others_->on_gradients(model, gradients);
    for (const auto& [name, gradient] : gradients)
      add_norm(layers_.of_parameter(model, name), &ReplayedLayer::gradient, gradient);
  }

  void draw(const CompiledPlan& compiled, const HostBatch& batch) {
    std::vector<KeySpec> keys;
    std::vector<int> indices;
    const std::vector<PlanValue>& values = compiled.plan.values;
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i].crosses_to_network) {
        keys.push_back({values[i].key, batch.spec(static_cast<int>(i))});
        indices.push_back(static_cast<int>(i));
      }
    PictureGrid grid(keys, batch.real_rows());
    for (int64_t row = 0; row < batch.real_rows(); ++row) {
      std::vector<View> views;
      for (const int index : indices) views.push_back(batch.row(index, row));
      grid.add(views);
    }
    replay_.pictures = grid.image();
  }

  StepReplay& replay_;
  LayerTable& layers_;
  StepWatch* others_ = nullptr;
};

std::vector<std::pair<std::string, State>> weights_of(Trainer& trainer) {
  std::vector<std::pair<std::string, State>> weights;
  for (const auto& model : trainer.experiment().network().models().all())
    if (model->is_built()) weights.emplace_back(model->name(), copy(model->state().part("model")));
  return weights;
}

// Only of what learns: buffers change as well, but not by the step's gradients.
void add_weight_norms(Trainer& trainer, const std::vector<std::pair<std::string, State>>& before,
                      LayerTable& layers) {
  const auto after = weights_of(trainer);
  for (size_t i = 0; i < before.size(); ++i)
    for (size_t k = 0; k < before[i].second.tensors.size(); ++k) {
      const auto& [name, tensor] = before[i].second.tensors[k];
      ReplayedLayer& layer = layers.of_parameter(before[i].first, name);
      add_norm(layer, &ReplayedLayer::weights, tensor);
      if (tensor.is_floating_point())
        add_norm(layer, &ReplayedLayer::change, after[i].second.tensors[k].second.sub(tensor));
    }
}

// The error that ended it is part of the answer: it may be why somebody looks.
std::string play_step(Trainer& trainer, int64_t step) {
  try {
    trainer.play_to(step);
    return "";
  } catch (const Diverged& error) {
    return error.what();
  }
}

void compare_with_log(const fs::path& log, StepReplay& replay) {
  if (!is_there(log)) return;
  for (const Event& event : read_run_log(log)) {
    if (event.kind != "step" || event.step != replay.step) continue;
    replay.is_logged = true;
    for (const auto& [key, value] : event.values) {
      const auto found = replay.values.find(key);
      if (found == replay.values.end() || found->second == value) continue;
      if (std::isnan(value) && std::isnan(found->second)) continue;
      replay.log_differences.push_back(key + " is " + shortest_number(found->second) + " now, " +
                                       shortest_number(value) + " in the log");
    }
  }
}

[[noreturn]] void throw_no_step(const fs::path& run, int64_t step, int64_t last) {
  throw DataError(run.string() + " ends after step " + std::to_string(last) +
                  "; there is no step " + std::to_string(step) + " to show.");
}

}  // namespace

StepReplay replay_step(const std::filesystem::path& run, int64_t step, EstimatorSettings settings) {
  if (step < 1)
    throw ConfigError("the first step is 1, but --step is " + std::to_string(step) + ".");
  Estimator estimator = Estimator::rerun(run, step - 1, std::move(settings));
  Trainer& trainer = estimator.trainer();
  const int64_t last = trainer.experiment().length().total_steps;
  if (step > last) throw_no_step(run, step, last);
  StepReplay replay;
  replay.step = step;
  replay.taken_up = trainer.position().step;
  trainer.play_to(step - 1);
  const State before = copy(trainer.state());
  const auto weights = weights_of(trainer);
  LayerTable layers;
  {
    std::vector<LayerTable> shards(LayerHooks::shards(trainer));
    {
      const LayerHooks hooks(trainer,
                             [&](size_t shard, const std::string& path, const at::Tensor& value) {
                               add_norm(shards[shard].of(path), &ReplayedLayer::output, value);
                             });
      (void)play_step(trainer, step);
    }
    add_outputs(shards, layers);
  }
  trainer.rewind(before);
  ReplayObserver observer(replay, layers);
  trainer.set_observer(&observer);
  replay.error = play_step(trainer, step);
  trainer.set_observer(nullptr);
  if (replay.samples.empty()) throw_no_step(run, step, trainer.position().step);
  replay.epoch = trainer.experiment().length().epoch_of(step);
  add_weight_norms(trainer, weights, layers);
  compare_with_log(fs::path(run) / "log.jsonl", replay);
  replay.layers = layers.take();
  return replay;
}

}  // namespace hearth
