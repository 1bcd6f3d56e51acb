// What classifiers of images have in common: scores at the end, and how many.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/nn/description.h"
#include "hearth/nn/requirements.h"

namespace hearth {

// A linear layer that starts as torchvision's newer classifiers do: small normal weights, no bias.
[[nodiscard]] Choice<Layer> small_linear(int64_t out_features);

// How many scores come out, for options with `classes` and `classes_of`; GraphError unless an image
// goes in.
template <class Options>
[[nodiscard]] int64_t classes_of_image(const BuildContext& context, const std::string& layer,
                                       const Spec& input, const Options& options) {
  require_image(context, layer, input);
  return require_classes(context, {layer, "classes", options.classes, options.classes_of});
}

}  // namespace hearth
