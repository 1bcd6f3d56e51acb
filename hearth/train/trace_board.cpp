// Tells traces what they asked for.
#include "hearth/train/trace_board.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/tensor/convert.h"
#include "hearth/tensor/real_rows.h"
#include "hearth/train/divergence.h"

namespace hearth {
namespace {

std::string failure_text(const NamedTrace& named, Occasion occasion, const std::string& message) {
  return named.label + ", told of " + std::string(name(occasion)) + ", failed: " + message;
}

// The error that is being handled again, with the trace's name and place.
[[noreturn]] void rethrow_named(const NamedTrace& named, Occasion occasion) {
  const std::optional<std::string> place = named.mark.place();
  std::string text;
  try {
    text = what_libtorch_threw();
  } catch (const Diverged&) {  // what the trainer found when the trace asked it for something
    throw;
  } catch (const DataError& error) {
    throw DataError(failure_text(named, occasion, error.message()), place);
  } catch (const ConfigError& error) {
    throw ConfigError(failure_text(named, occasion, error.message()), place);
  } catch (const InternalError& error) {
    throw InternalError(failure_text(named, occasion, error.message()), place);
  } catch (const GraphError& error) {
    text = error.message();
  }
  throw GraphError(failure_text(named, occasion, text), place);
}

// Traces see samples, not the rows that fill up a batch.
at::Tensor value_of(const Scene& scene, size_t index) {
  const at::Tensor& value = (*scene.values)[index];
  if (scene.plan == nullptr || scene.batch == nullptr) return value;
  return real_rows(value, scene.plan->values[index].spec, scene.batch->real_rows());
}

}  // namespace

TraceBoard::TraceBoard(std::vector<NamedTrace> traces, RunControl& run)
    : traces_(std::move(traces)), run_(run) {
  for (size_t i = 0; i < traces_.size(); ++i)
    for (const Interest& interest : traces_[i].trace->interests())
      if (modes_of(interest.on).is_empty()) of_run_.add({i, interest, {}});
}

std::vector<int64_t> Scene::samples() const {
  const std::span<const int64_t> all = batch->samples();
  if (kept_rows == nullptr || kept_rows->empty()) return {all.begin(), all.end()};
  std::vector<int64_t> kept;
  for (const RowRange& range : *kept_rows)
    kept.insert(kept.end(), all.begin() + range.begin, all.begin() + range.end);
  return kept;
}

Happening TraceBoard::happening_at(Occasion occasion, const Scene& scene) {
  Happening happening;
  happening.occasion = occasion;
  happening.mode = scene.set.mode;
  happening.set = scene.set.text();
  happening.moment = scene.moment;
  happening.step = scene.step;
  happening.source = scene.source;
  if (scene.batch == nullptr) return happening;
  happening.samples = scene.batch->samples();
  if (scene.kept_rows == nullptr || scene.kept_rows->empty()) return happening;
  kept_samples_ = scene.samples();
  happening.samples = kept_samples_;
  return happening;
}

void TraceBoard::tell_due(const std::vector<Listener>& listeners, Happening happening,
                          const Scene& scene) {
  const at::AutoGradMode no_gradients(false);
  for (const Listener& listener : listeners) {
    if (!listener.interest.is_due(happening.mode, happening.step, happening.moment)) continue;
    for (const int index : listener.inputs) {
      if (scene.values == nullptr) break;
      const at::Tensor value = value_of(scene, static_cast<size_t>(index));
      inputs_.push_back(value.defined() && value.requires_grad() ? value.detach() : value);
      if (scene.plan != nullptr)
        specs_.push_back(&scene.plan->values[static_cast<size_t>(index)].spec);
    }
    happening.values = inputs_;
    happening.specs = specs_;
    tell_one(listener, happening);
    inputs_.clear();
    specs_.clear();
  }
}

void TraceBoard::tell_one(const Listener& listener, Happening& happening) {
  const NamedTrace& named = traces_[listener.trace];
  now_ = &happening;
  try {
    named.trace->hear(happening, run_);
  } catch (const std::exception&) {
    now_ = nullptr;
    inputs_.clear();
    specs_.clear();
    rethrow_named(named, happening.occasion);
  }
  now_ = nullptr;
}

void TraceBoard::tell_run(Occasion occasion, Scene scene) {
  scene.listeners = &of_run_;
  tell(occasion, scene);
}

void TraceBoard::tell_exception(const std::string& error, Scene scene) {
  scene.listeners = &of_run_;
  Happening happening = happening_at(Occasion::kException, scene);
  happening.error = error;
  for (const Listener& listener : of_run_.of(Occasion::kException)) try {
      tell_one(listener, happening);
    } catch (const std::exception& second) {
      run_.notice(second.what());
    }
}

bool TraceBoard::has_due(Occasion occasion, const Scene& scene) const {
  const std::vector<Listener>& listeners = scene.listeners->of(occasion);
  return std::any_of(listeners.begin(), listeners.end(), [&](const Listener& listener) {
    return listener.interest.is_due(scene.set.mode, scene.step, scene.moment);
  });
}

StepWatch* TraceBoard::watch(const Scene& scene) {
  if (!has_due(Occasion::kLoss, scene) && !has_due(Occasion::kBackward, scene)) return nullptr;
  watched_ = &scene;
  return this;
}

void TraceBoard::on_loss(const std::vector<at::Tensor>& values) {
  Scene scene = *watched_;
  scene.values = &values;
  tell(Occasion::kLoss, scene);
}

void TraceBoard::on_gradients(const std::string& model, std::span<const NamedTensor> gradients) {
  Happening happening = happening_at(Occasion::kBackward, *watched_);
  happening.model = model;
  happening.gradients = gradients;
  tell_due(watched_->listeners->of(Occasion::kBackward), std::move(happening), *watched_);
}

bool TraceBoard::may_undo(Undo undo) const {
  return std::any_of(traces_.begin(), traces_.end(),
                     [&](const NamedTrace& named) { return named.trace->undoes() == undo; });
}

Json TraceBoard::state() const {
  Json states;
  for (const NamedTrace& named : traces_) states.push_back(named.trace->state());
  return states;
}

void TraceBoard::restore(const Json& states) {
  for (size_t i = 0; i < traces_.size(); ++i) traces_[i].trace->restore(states.at(i));
}

State TraceBoard::tensors() const {
  State all;
  for (size_t i = 0; i < traces_.size(); ++i)
    for (const auto& [name, tensor] : traces_[i].trace->tensors())
      all.tensors.emplace_back(std::to_string(i) + "/" + name, tensor);
  return all;
}

void TraceBoard::restore_tensors(const State& state) {
  for (size_t i = 0; i < traces_.size(); ++i)
    traces_[i].trace->restore_tensors(state.part(std::to_string(i)));
}

}  // namespace hearth
