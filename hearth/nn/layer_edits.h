// Surgery on a model while it is built: changes of descriptions, and parameters that do not learn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/core/layer_edit.h"
#include "hearth/nn/description.h"

namespace hearth {

class Layer;
class LayerPlaces;

class LayerEdits {
 public:
  // Paths in the edits are relative to `root`, the model's own.
  LayerEdits(std::vector<LayerEdit> edits, std::string root);

  // Changes the description of the layer at `path`; GraphError at an edit that cannot be made.
  void apply(Description& description, const std::string& path);
  // For children that a layer makes by itself.
  [[nodiscard]] Choice<Layer> replaced(const Choice<Layer>& choice, const std::string& path);
  // The low-rank part that an edit wraps around the linear layer at `path`, for a layer that keeps
  // its weight itself; nothing where none does.
  [[nodiscard]] std::optional<Choice<Layer>> low_rank_part(const std::string& path);
  // Where the parts of the model lie; null for all in one place.
  void set_places(const LayerPlaces* places) { places_ = places; }
  [[nodiscard]] const LayerPlaces* places() const { return places_; }
  // Once all is built: freezes. GraphError with the nearest path for an edit that met nothing.
  void finish(Layer& model);

 private:
  struct Entry {
    LayerEdit edit;
    bool is_met = false;
  };
  [[nodiscard]] std::string relative(const std::string& path) const;
  void apply(Entry& entry, Description& description, const std::string& path) const;

  std::vector<Entry> entries_;
  std::string root_;
  const LayerPlaces* places_ = nullptr;
};

}  // namespace hearth
