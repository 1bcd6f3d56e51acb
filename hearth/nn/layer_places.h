// Parts of a model on devices of their own: parameters are made there, and values are moved where
// they cross from one device to another.
#pragma once

#include <map>
#include <string>

#include <c10/core/Device.h>

namespace hearth {

class Layer;

class LayerPlaces {
 public:
  // Patterns of paths relative to `root`, the model's own: a layer means all below it too.
  LayerPlaces(std::map<std::string, at::Device> places, std::string root);

  // Of the layer at `path`, by the longest pattern that fits it; `rest` when none does.
  [[nodiscard]] at::Device device_of(const std::string& path, at::Device rest) const;
  // Once all is built: from here on layers get their inputs where they are, and what the model
  // gives is on `rest`. GraphError with the nearest path for a pattern that fits no layer.
  void finish(Layer& model, at::Device rest) const;

 private:
  // `outer` is where a layer that computes by itself, around this one, expects what it gives.
  void connect(Layer& layer, at::Device rest, const at::Device* outer) const;

  std::map<std::string, at::Device> places_;
  std::string root_;
};

}  // namespace hearth
