// Some optimizers as one: gradients and steps of the parameters they move.
#include "hearth/network/mover.h"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/step_watch.h"
#include "hearth/optim/gradient_norm.h"

namespace hearth {

Mover::Mover(std::vector<Model*> models, const std::string& optimizer, std::string op)
    : models_(std::move(models)), op_(std::move(op)) {
  for (Model* model : models_) {
    const std::string name = "the model " + quote(model->name());
    if (model->optimizers().all().empty())
      throw ConfigError(name + " has no optimizer. Give it one, such as adamw.");
    if (!model->is_trainable())
      throw ConfigError(name + " is not trainable. Remove the " + op_ +
                        ", or set trainable: true.");
    for (Optimizer* found : model->optimizers().find(optimizer)) {
      optimizers_.push_back(found);
      owners_.push_back(model->name());
    }
  }
}

void Mover::check_built() const {
  for (Model* model : models_) {
    const std::string name = "the model " + quote(model->name());
    if (!model->is_built()) throw GraphError(name + " is never called. Put call before it.");
    if (model->parameter_count() == 0)
      throw GraphError(name +
                       " has no parameters to move. Give it a layer that learns, such as linear.");
    const std::vector<NamedTensor> all = model->layer().handles();
    if (std::none_of(all.begin(), all.end(),
                     [](const NamedTensor& named) { return named.second.requires_grad(); }))
      throw GraphError("all parameters of " + name + " are frozen. Freeze fewer, or leave the " +
                       op_ + " out.");
  }
}

void Mover::add_gradients(const at::Tensor& loss, const std::string& key, bool keeps_graph) {
  // Which parameters learn may change from step to step; who they are does not.
  learning_.clear();
  for (const Optimizer* optimizer : optimizers_)
    for (const auto& [name, parameter] : optimizer->handles())
      if (parameter.requires_grad()) learning_.push_back(parameter);
  if (learning_.empty()) return;
  torch::autograd::backward({loss}, {}, keeps_graph, false, learning_);
  const bool has_gradients =
      std::any_of(learning_.begin(), learning_.end(),
                  [](const at::Tensor& parameter) { return parameter.grad().defined(); });
  learning_.clear();  // who holds a parameter keeps it from being packed
  if (has_gradients) return;
  throw GraphError(op_ + ": the loss " + quote(key) + " does not depend on the model " +
                   quote(join(model_names(), "', '")) + ". Name the loss of that model's output.");
}

std::vector<at::Tensor> Mover::gradients() const {
  std::vector<at::Tensor> found;
  for (const Optimizer* optimizer : optimizers_)
    for (const at::Tensor& gradient : optimizer->own_gradients()) found.push_back(gradient);
  return found;
}

std::vector<Optimizer*> Mover::others_at(size_t index, std::span<const Mover* const> others) const {
  std::vector<Optimizer*> found;
  found.reserve(others.size());
  for (const Mover* other : others) found.push_back(other->optimizers_[index]);
  return found;
}

void Mover::take_gradients(std::span<const Mover* const> others) {
  for (size_t i = 0; i < optimizers_.size(); ++i)
    optimizers_[i]->take_gradients(others_at(i, others));
}

void Mover::drop_gradients() const {
  for (Optimizer* optimizer : optimizers_) optimizer->drop_gradients();
}

void Mover::show_gradients(StepWatch* watch, std::span<const Mover* const> others) const {
  if (watch == nullptr || !watch->wants_gradients()) return;
  for (size_t i = 0; i < optimizers_.size(); ++i)
    watch->on_gradients(owners_[i], optimizers_[i]->gradients_with(others_at(i, others)));
}

// One optimizer clips while it steps; several must know all gradients before.
void Mover::step(const Moment& moment, double clip_norm, std::span<const Mover* const> others,
                 Crew* crew) {
  if (optimizers_.size() == 1)
    return optimizers_[0]->step(moment, clip_norm, {others_at(0, others), crew});
  if (clip_norm > 0) {
    take_gradients(others);
    others = {};
    const c10::AutoGradMode no_grad(false);
    clip_gradient_norm(gradients(), clip_norm);
  }
  for (size_t i = 0; i < optimizers_.size(); ++i)
    optimizers_[i]->step(moment, 0, {others_at(i, others), crew});
}

bool Mover::searches() const {
  return std::any_of(optimizers_.begin(), optimizers_.end(),
                     [](const Optimizer* optimizer) { return optimizer->searches(); });
}

void Mover::step_along(const Moment& moment, double loss, const std::function<double()>& evaluate) {
  optimizers_.front()->step_along(moment, loss, evaluate);
}

std::vector<NamedTensor> Mover::handles() const {
  std::vector<NamedTensor> all;
  for (const Optimizer* optimizer : optimizers_)
    all.insert(all.end(), optimizer->handles().begin(), optimizer->handles().end());
  return all;
}

std::vector<NamedTensor> Mover::parameters() const {
  std::vector<NamedTensor> all;
  for (size_t i = 0; i < optimizers_.size(); ++i)
    for (const auto& [name, parameter] : optimizers_[i]->parameters())
      all.emplace_back(models_.size() == 1 ? name : owners_[i] + "/" + name, parameter);
  return all;
}

std::vector<std::string> Mover::model_names() const {
  std::vector<std::string> names;
  for (const Model* model : models_) names.push_back(model->name());
  return names;
}

}  // namespace hearth
