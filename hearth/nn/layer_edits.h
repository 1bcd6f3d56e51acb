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

  // Changes the description of the layer at `path`, edit by edit from `first` on: each sees what
  // those before it made, and never what it makes itself. GraphError at one that cannot be made.
  void apply(Description& description, const std::string& path, size_t first);
  // For a child that the layer at `path` makes by itself, from where its place says. There is no
  // node to take away or to put another one behind: in the place of what is removed stands an
  // `identity`, and what is inserted is put around what it follows.
  void apply(LayerNode& node, const std::string& path);
  // The node's layer with what edits put around it.
  [[nodiscard]] Choice<Layer> wrapped(const LayerNode& node) const;
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
    std::string used = "";  // whose layer is called by a node that it fits and cannot change
  };
  [[nodiscard]] std::string relative(const std::string& path) const;
  void apply_one(size_t edit, Description& description, const std::string& below);
  [[nodiscard]] bool fits(size_t edit, const LayerNode& node, const std::string& below) const;
  void change(size_t edit, LayerNode& node);
  void put_around(size_t edit, LayerNode& node) const;
  // Of what is around the node, how many were put there by `wrap`; what was inserted comes outside.
  [[nodiscard]] size_t count_wraps(const LayerNode& node) const;
  [[nodiscard]] Choice<Layer> around(size_t edit, const LayerNode& node) const;
  // The kind of what stands there by now, wraps and all.
  [[nodiscard]] const std::string& kind_of(const LayerNode& node) const;
  [[noreturn]] void throw_unmet(size_t edit, const Layer& model) const;

  std::vector<Entry> entries_;
  std::string root_;
  const LayerPlaces* places_ = nullptr;
};

}  // namespace hearth
