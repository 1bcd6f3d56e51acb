// Whether a layer can compute with what edits made of the layers it holds.
#include "hearth/nn/edited_children.h"

#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/nn/init.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

bool is_changed(const Layer& child, const Layer& owner) {
  const EditPlace& place = child.edit_place();
  return !place.wraps.empty() || place.first > owner.edit_place().first_below();
}

std::vector<const Layer*> changed_children(const Layer& layer) {
  std::vector<const Layer*> found;
  for (const auto& [name, child] : layer.children())
    if (!name.empty() && is_changed(*child, layer)) found.push_back(child);
  return found;
}

bool has_one_size(const Spec& spec) { return !spec.is_ragged() && !spec.is_per_batch; }

std::vector<at::Tensor> one_sample(std::span<const Spec> specs, at::Device device) {
  std::vector<at::Tensor> values;
  for (const Spec& spec : specs) {
    std::vector<int64_t> sizes = {1};
    sizes.insert(sizes.end(), spec.shape.begin(), spec.shape.end());
    values.push_back(at::zeros(sizes, at::device(device).dtype(scalar_type(spec.dtype))));
  }
  return values;
}

// What is wrong with what the layer gives; nothing when all is as it says.
std::optional<std::string> fault_of(Layer& layer, const std::vector<at::Tensor>& inputs,
                                    std::span<const Spec> specs) {
  std::vector<at::Tensor> outputs(specs.size());
  const c10::AutoGradMode no_grad(false);
  try {
    layer(inputs, outputs);
  } catch (const Error& error) {
    return error.message();
  }
  for (size_t k = 0; k < specs.size(); ++k)
    if (has_one_size(specs[k]) && outputs[k].sizes().slice(1) != at::IntArrayRef(specs[k].shape))
      return layer.path() + ": gives " + shape_text(outputs[k].sizes().slice(1)) + " instead of " +
             shape_text(specs[k].shape) + ".";
  return std::nullopt;
}

}  // namespace

void require_fitting_children(Layer& layer, std::span<const Spec> inputs,
                              std::span<const Spec> outputs, at::Device device) {
  if (!std::all_of(inputs.begin(), inputs.end(), has_one_size)) return;
  const std::vector<const Layer*> changed = changed_children(layer);
  if (changed.empty()) return;
  const bool was_training = layer.is_training();
  layer.set_training(false);
  const std::optional<std::string> fault = fault_of(layer, one_sample(inputs, device), outputs);
  layer.set_training(was_training);
  if (!fault) return;
  std::vector<std::string> given;
  for (const Layer* child : changed)
    given.push_back(quote(child->path()) + ", by now " + child->choice().name() + ", gives " +
                    child->output_spec().text());
  at_place(changed.front()->choice().options().mark(), [&] {
    throw GraphError(layer.path() + " " + layer.choice().name() +
                     ": cannot compute with what the edits made of it: " + join(given, "; ") +
                     ". A layer that it holds must give what the one before the edit gave. (" +
                     *fault + ")");
  });
}

}  // namespace hearth
