// What networks that score every point of an image have in common: the features of a classifier,
// heads, and scores as large as the image.
#pragma once

#include <optional>
#include <string>

#include "hearth/nn/description.h"

namespace hearth {

// Whether `segmentation_backbone` knows it.
[[nodiscard]] bool is_backbone(const Choice<Layer>& classifier);
inline constexpr const char* kBackboneFault = "backbone must be resnet or mobilenet_v3.";
inline constexpr const char* kBackboneHelp =
    "The classifier whose layers before the scores make the features, resnet or mobilenet_v3. Its "
    "last stages spread their windows instead of halving the sides.";

// The layers of such a classifier before its scores, as one: it gives its last features and, when
// asked for, those of an earlier stage.
[[nodiscard]] Choice<Layer> segmentation_backbone(const Choice<Layer>& classifier, bool with_early);

struct Segmentation {
  Choice<Layer> backbone;
  Choice<Layer> classifier;                                    // of the last features
  std::optional<Choice<Layer>> aux_classifier = std::nullopt;  // of the earlier ones
  int64_t classes = 0;
};
// Children are named as in torchvision: backbone, classifier, aux_classifier. Gives the scores,
// brought to the image's sides, and with an auxiliary head those of it too.
[[nodiscard]] Description segmentation(const Segmentation& form);

}  // namespace hearth
