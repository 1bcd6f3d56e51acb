// A model as a drawing: boxes for layers, lines for values, repeated blocks folded into one box.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/nn/layer.h"

namespace hearth {

class ModelDrawing {
 public:
  // Layers down to `depth` below the model are boxes of their own, where it is described that far.
  // `folds`: equal ones in a row are one box.
  ModelDrawing(const std::string& name, const Layer& layer, int64_t depth, bool folds = true);
  // For Graphviz.
  [[nodiscard]] std::string dot() const;
  [[nodiscard]] std::string svg() const;
  // A list of boxes, each {"name", "kind", "output", "shape", "inputs": names}.
  [[nodiscard]] Json to_json() const;

 private:
  struct Box {
    std::string label;
    std::string shape;   // of what it gives
    std::string choice;  // what it was made from, to find equal ones
    std::string path;
    std::string kind = {};              // empty for the input
    std::vector<int64_t> lengths = {};  // of what it gives
    size_t repeats = 1;
    size_t rank = 0;  // its row: one below the lowest that it reads
  };
  using Ends = std::vector<size_t>;  // boxes that a value comes from
  [[nodiscard]] Ends add(const std::string& path, const Layer& layer, int64_t depth,
                         const Ends& from);
  [[nodiscard]] Ends add_described(const std::string& path, const Layer& layer, int64_t depth,
                                   const Ends& from);
  [[nodiscard]] Ends add_box(Box box, const Ends& from);

  bool folds_;
  std::vector<Box> boxes_;
  std::vector<std::pair<size_t, size_t>> lines_;
};

}  // namespace hearth
