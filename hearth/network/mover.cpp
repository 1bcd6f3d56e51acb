// Some optimizers as one: gradients and steps of the parameters they move.
#include "hearth/network/mover.h"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/gradient_hooks.h"
#include "hearth/network/gradient_sum.h"
#include "hearth/network/parcel.h"
#include "hearth/network/rank_exchange.h"
#include "hearth/network/step_watch.h"
#include "hearth/optim/gradient_norm.h"
#include "hearth/tensor/tree_sum.h"

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

// Which parameters learn may change from step to step; who they are does not.
void Mover::find_learning() {
  learning_.clear();
  places_.clear();
  size_t place = 0;
  for (const Optimizer* optimizer : optimizers_)
    for (const auto& [name, parameter] : optimizer->handles()) {
      if (parameter.requires_grad()) {
        learning_.push_back(parameter);
        places_.push_back(place);
      }
      ++place;
    }
}

void Mover::add_gradients(const at::Tensor& loss, const std::string& key, bool keeps_graph) {
  find_learning();
  if (learning_.empty()) return;
  std::atomic<bool> has_found = false;
  {
    std::optional<GradientHooks> hooks;
    const std::shared_ptr<GradientSum> sum = sum_.lock();
    if (sum && sum->listens())
      hooks.emplace(learning_, [&](size_t i) {
        has_found = true;
        sum->found(places_[i]);
      });
    torch::autograd::backward({loss}, {}, keeps_graph, false, learning_);
  }
  // What was found may be on its way by now, and gone.
  const bool has_gradients =
      has_found || std::any_of(learning_.begin(), learning_.end(), [](const at::Tensor& parameter) {
        return parameter.grad().defined();
      });
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

std::vector<Optimizer*> Mover::others_at(size_t index, std::span<Mover* const> others) const {
  std::vector<Optimizer*> found;
  found.reserve(others.size());
  for (const Mover* other : others) found.push_back(other->optimizers_[index]);
  return found;
}

void Mover::begin_sum(std::span<Mover* const> others, RankExchange& ranks, size_t running) {
  std::vector<Handles> shards = {owned_handles()};
  for (const Mover* other : others) shards.push_back(other->owned_handles());
  sum_ =
      ranks.begin_sum(std::move(shards), running, op_ + " of " + join(model_names(), ", ") + ": ",
                      keeps_share(ranks) ? &optimizers_[0]->shares() : nullptr);
  for (Mover* other : others) other->sum_ = sum_;
}

bool Mover::keeps_share(const RankExchange& ranks) const {
  return may_keep_share_ && ranks.zero() > 1 && optimizers_.size() == 1 &&
         optimizers_[0]->shares().are_shared();
}

void Mover::end_search() const {
  if (const std::shared_ptr<GradientSum> sum = sum_.lock()) sum->send_rest();
}

void Mover::take_gradients(std::span<Mover* const> others, RankExchange* ranks) {
  if (ranks != nullptr) {
    if (sum_.expired()) begin_sum(others, *ranks, 0);
    return ranks->finish_sum();
  }
  for (size_t i = 0; i < optimizers_.size(); ++i)
    optimizers_[i]->take_gradients(others_at(i, others));
}

void Mover::drop_gradients() const {
  for (Optimizer* optimizer : optimizers_) optimizer->drop_gradients();
}

std::vector<at::Tensor> Mover::take_rows(std::span<Mover* const> others) const {
  std::vector<std::vector<NamedTensor>> shards = {handles()};
  for (const Mover* other : others) shards.push_back(other->handles());
  std::vector<at::Tensor> rows;
  std::vector<at::Tensor> gradients(shards.size());
  for (size_t i = 0; i < shards[0].size(); ++i) {
    for (size_t shard = 0; shard < shards.size(); ++shard) {
      at::Tensor& gradient = shards[shard][i].second.mutable_grad();
      gradients[shard] =
          gradient.defined() ? laid_out_like(gradient, shards[0][i].second) : at::Tensor();
      gradient = at::Tensor();
    }
    const at::Tensor sum = tree_sum(gradients);
    rows.push_back(sum.defined() ? as_row(sum) : sum);
  }
  return rows;
}

void Mover::put_rows(const std::vector<at::Tensor>& rows) const {
  const std::vector<NamedTensor> parameters = handles();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parcel::Part part{parameters[i].first, parameters[i].second};
    part.parameter.mutable_grad() =
        rows[i].defined() ? Parcel{{part}, rows[i]}.values(part) : at::Tensor();
  }
}

void Mover::show_gradients(StepWatch* watch, std::span<Mover* const> others,
                           RankExchange* ranks) const {
  if (watch == nullptr || !watch->wants_gradients()) return;
  if (ranks != nullptr && keeps_share(*ranks))
    return watch->on_gradients(owners_[0], optimizers_[0]->whole_gradients(ranks->shares()));
  for (size_t i = 0; i < optimizers_.size(); ++i)
    watch->on_gradients(owners_[i], optimizers_[i]->gradients_with(others_at(i, others)));
}

// One optimizer clips while it steps; several must know all gradients before.
void Mover::step(const Moment& moment, double clip_norm, const Partners& partners) {
  std::span<Mover* const> others = partners.others;
  ShareExchange* shares = partners.ranks != nullptr ? &partners.ranks->shares() : nullptr;
  if (optimizers_.size() == 1)
    return optimizers_[0]->step(moment, clip_norm, {others_at(0, others), partners.crew, shares});
  if (clip_norm > 0) {
    take_gradients(others);
    others = {};
    const c10::AutoGradMode no_grad(false);
    clip_gradient_norm(gradients(), clip_norm);
  }
  for (size_t i = 0; i < optimizers_.size(); ++i)
    optimizers_[i]->step(moment, 0, {others_at(i, others), partners.crew, shares});
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

std::vector<NamedTensor> Mover::owned_handles() const {
  std::vector<NamedTensor> all;
  for (size_t i = 0; i < optimizers_.size(); ++i)
    for (const auto& [name, parameter] : optimizers_[i]->handles())
      all.emplace_back(owners_[i] + "/" + name, parameter);
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
