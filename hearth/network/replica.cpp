// One more copy of a network: models whose parameters are the first's, and ops bound to them.
#include "hearth/network/replica.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/kernels/weight/weight_order.h"

namespace hearth {
namespace {

void add_pairs(const std::vector<NamedTensor>& first, const std::vector<NamedTensor>& own,
               std::vector<Replica::Pair>& pairs) {
  for (size_t i = 0; i < own.size(); ++i) pairs.emplace_back(first[i].second, own[i].second);
}

}  // namespace

void add_own_models(std::vector<GraphComponent<NetworkOp>>& ops, ModelSet& models) {
  const Moment start{0, 0, {1, 1, 1}};
  for (GraphComponent<NetworkOp>& component : ops)
    component.placed([&] {
      for (OwnModel& own : component.at(start)->own_models()) {
        const auto is_same = [&](const auto& known) { return known->name() == own.name; };
        if (std::any_of(models.all().begin(), models.all().end(), is_same))
          throw ConfigError("there is a model '" + own.name +
                            "' already. Give the op another name.");
        models.add(std::make_unique<Model>(own.name, *own.options, std::move(own.layer)));
      }
    });
}

Replica::Replica(const std::map<std::string, ModelOptions>& models,
                 const std::vector<Choice<NetworkOp>>& ops, const ModelSet& first)
    : first_(first), ops_(graph_components("network", ops)) {
  for (const auto& model : first.all())
    if (models.contains(model->name()))
      models_.add(std::make_unique<Model>(model->name(), models.at(model->name())));
  add_own_models(ops_, models_);
}

std::shared_ptr<NetworkOp> Replica::op(size_t index, const Moment& moment) {
  models_.seed = first_.seed;
  models_.classes = first_.classes;
  models_.targets = first_.targets;
  models_.device = first_.device;
  models_.kernels = first_.kernels;
  std::shared_ptr<NetworkOp> op = ops_[index].at(moment);
  ops_[index].placed([&] { op->bind(models_); });
  return op;
}

// Models are built when a plan first needs them.
void Replica::find_pairs() {
  for (size_t i = 0; i < models_.all().size(); ++i) {
    Model& own = *models_.all()[i];
    if (!own.is_built() || std::find(paired_.begin(), paired_.end(), &own) != paired_.end())
      continue;
    Model& first = *first_.all()[i];
    add_pairs(first.layer().handles(), own.layer().handles(), parameters_);
    set_in_step(own.layer(), true);
    add_pairs(first.layer().buffers(), own.layer().buffers(), buffers_);
    paired_.push_back(&own);
  }
}

void Replica::follow() {
  const at::AutoGradMode no_gradients(false);
  for (const auto& [first, own] : parameters_) {
    share_parameter(first, own);
    // One that waits for more batches.
    if (at::Tensor& gradient = own.mutable_grad(); gradient.defined())
      gradient = laid_out_like(gradient, own);
    if (own.requires_grad() != first.requires_grad()) own.set_requires_grad(first.requires_grad());
  }
  for (const auto& [first, own] : buffers_) own.copy_(first);
}

void Replica::drop_gradients() {
  for (const auto& [first, own] : parameters_) own.mutable_grad() = at::Tensor();
}

}  // namespace hearth
