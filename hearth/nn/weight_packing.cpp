// Weights in the order in memory their kernels want, from step to step.
#include "hearth/nn/weight_packing.h"

#include "hearth/nn/layer.h"

namespace hearth {
namespace {

void pack_below(Layer& layer, bool is_held_above) {
  const bool is_held = is_held_above || layer.packing().is_held();
  WeightPacking::pack(layer.tree().own_parameters(), [&](const at::Tensor& parameter) {
    return is_held ? nullptr : layer.wanted_order(parameter);
  });
  for (const auto& [name, child] : layer.tree().own_children()) pack_below(*child, is_held);
}

std::string obstacle_below(Layer& layer, bool is_held_above) {
  const bool is_held = is_held_above || layer.packing().is_held();
  for (const OwnTensor& own : layer.tree().own_parameters()) {
    const at::Tensor& parameter = *own.tensor;
    if (!parameter.requires_grad() || layer.wanted_order(parameter) == nullptr) continue;
    if (is_held) return "somebody holds the parameters of " + layer.path();
  }
  for (const auto& [name, child] : layer.tree().own_children()) {
    std::string found = obstacle_below(*child, is_held);
    if (!found.empty()) return found;
  }
  return "";
}

const Layer* first_hooked(const Layer& layer) {
  if (layer.calls().has_hooks()) return &layer;
  for (const auto& [name, child] : layer.tree().own_children())
    if (const Layer* found = first_hooked(*child)) return found;
  return nullptr;
}

}  // namespace

void WeightPacking::pack(const std::vector<OwnTensor>& parameters, const WantedOrder& wanted) {
  for (const OwnTensor& own : parameters) {
    const WeightOrder* order = own.tensor->requires_grad() ? wanted(*own.tensor) : nullptr;
    if (order != nullptr && !is_in_graph(*own.tensor))
      pack_parameter(*own.tensor, *order);
    else
      unpack_parameter(*own.tensor, own.sizes);
  }
}

void WeightPacking::unpack(const std::vector<OwnTensor>& parameters) const {
  for (const OwnTensor& own : parameters)
    if (!is_in_step_ || !is_in_graph(*own.tensor)) unpack_parameter(*own.tensor, own.sizes);
}

void pack_weights(Layer& layer) { pack_below(layer, false); }

void unpack_weights(const Layer& layer) {
  layer.packing().unpack(layer.tree().own_parameters());
  for (const auto& [name, child] : layer.tree().own_children()) unpack_weights(*child);
}

void set_in_step(Layer& layer, bool is_in_step) {
  layer.packing().set_in_step(is_in_step);
  for (const auto& [name, child] : layer.tree().own_children()) set_in_step(*child, is_in_step);
}

std::string packing_obstacle(Layer& layer) {
  if (!wants_packing(layer)) return "";
  if (const Layer* hooked = first_hooked(layer)) return hooked->path() + " has hooks";
  return obstacle_below(layer, false);
}

bool wants_packing(Layer& layer) {
  for (const OwnTensor& own : layer.tree().own_parameters())
    if (own.tensor->requires_grad() && layer.wanted_order(*own.tensor) != nullptr) return true;
  for (const auto& [name, child] : layer.tree().own_children())
    if (wants_packing(*child)) return true;
  return false;
}

}  // namespace hearth
