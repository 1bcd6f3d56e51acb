// What networks that score every point of an image have in common.
#include "hearth/nn/segmentation.h"

#include "hearth/nn/architectures/mobilenet_v3.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/shape/resize_like.h"

namespace hearth {
namespace {

constexpr const char* kResnet = "resnet";
constexpr const char* kMobilenet = "mobilenet_v3";

// Layers one after another, and the names of those whose values are wanted.
struct Features {
  NamedLayers layers;
  std::string early;
  std::string last;
};

Features resnet_backbone(const Choice<Layer>& classifier) {
  layers::ResnetOptions options = layers::ResnetOptions::schema().read(classifier.options());
  // Only bottleneck blocks can be spread.
  const bool can_spread = options.depth == 50 || options.depth == 101 || options.depth == 152;
  if (can_spread && options.replace_stride_with_dilation.empty())
    options.replace_stride_with_dilation = {false, true, true};
  Features features = {layers::resnet_features(options), "", ""};
  features.last = features.layers.back().first;
  features.early = features.layers[features.layers.size() - 2].first;
  return features;
}

// The earlier one is the last at an eighth of the image's sides.
Features mobilenet_backbone(const Choice<Layer>& classifier) {
  layers::MobilenetV3Options options =
      layers::MobilenetV3Options::schema().read(classifier.options());
  options.dilated = true;
  Features features = {layers::mobilenet_v3_features(options), "", ""};
  features.last = features.layers.back().first;
  features.early = options.variant == "large" ? "4" : "2";
  return features;
}

}  // namespace

bool is_backbone(const Choice<Layer>& classifier) {
  return classifier.name() == kResnet || classifier.name() == kMobilenet;
}

Choice<Layer> segmentation_backbone(const Choice<Layer>& classifier, bool with_early) {
  const Features features =
      classifier.name() == kResnet ? resnet_backbone(classifier) : mobilenet_backbone(classifier);
  layers::GraphOptions all;
  for (const auto& [name, layer] : features.layers) all.nodes.push_back(named(layer, name));
  all.outputs = {features.last};
  if (with_early) all.outputs.push_back(features.early);
  return layers::graph(all);
}

Description segmentation(const Segmentation& form) {
  std::vector<std::string> features = {"features"};
  if (form.aux_classifier) features.emplace_back("early");
  std::vector<Choice<Layer>> nodes = {wired(form.backbone, {"input"}, features, "backbone"),
                                      wired(form.classifier, {"features"}, {}, "classifier")};
  std::vector<std::string> outputs = {"out"};
  if (form.aux_classifier) {
    nodes.push_back(wired(*form.aux_classifier, {"early"}, {}, "aux_classifier"));
    nodes.push_back(wired(layers::resize_like(), {"aux_classifier", "input"}, {}, "aux"));
    outputs.emplace_back("aux");
  }
  nodes.push_back(wired(layers::resize_like(), {"classifier", "input"}, {}, "out"));
  Description description = described({"input"}, nodes, outputs);
  description.classes = form.classes;
  return description;
}

}  // namespace hearth
