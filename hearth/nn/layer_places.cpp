// Parts of a model on devices of their own.
#include "hearth/nn/layer_places.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/nn/layer.h"

namespace hearth {
namespace {

// Autograd brings gradients back the same way.
Layer::Hook mover_to(at::Device device) {
  return [device](const Layer&, at::Tensor& value) {
    if (value.device() != device) value = value.to(device);
  };
}

}  // namespace

LayerPlaces::LayerPlaces(std::map<std::string, at::Device> places, std::string root)
    : places_(std::move(places)), root_(std::move(root)) {}

at::Device LayerPlaces::device_of(const std::string& path, at::Device rest) const {
  if (!path.starts_with(root_ + ".")) return rest;
  const std::string relative = path.substr(root_.size() + 1);
  const std::pair<const std::string, at::Device>* found = nullptr;
  for (const auto& place : places_)
    if (matches_within(place.first, relative) &&
        (found == nullptr || place.first.size() > found->first.size()))
      found = &place;
  return found == nullptr ? rest : found->second;
}

void LayerPlaces::finish(Layer& model, at::Device rest) const {
  const std::vector<std::string> paths = model.tree().paths_below();
  for (const auto& [pattern, device] : places_)
    if (std::none_of(paths.begin(), paths.end(), [&pattern = pattern](const std::string& path) {
          return matches_within(pattern, path);
        }))
      throw GraphError("place: " + quote(pattern) + " fits no layer of " + quote(root_) + "." +
                       did_you_mean(pattern, paths));
  connect(model, rest, &rest);
}

// A layer made of others only hands values on; all others compute where they are. What computes by
// itself with layers below it goes on with what they give.
void LayerPlaces::connect(Layer& layer, at::Device rest, const at::Device* outer) const {
  const at::Device device = device_of(layer.path(), rest);
  const bool is_made_of_others = !layer.description().is_empty();
  if (!is_made_of_others) layer.add_hook_before(mover_to(device));
  if (outer != nullptr) layer.add_hook_after(mover_to(*outer));
  for (const auto& [name, child] : layer.children())
    connect(*child, rest, is_made_of_others ? nullptr : &device);
}

}  // namespace hearth
