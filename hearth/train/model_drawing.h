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
  ModelDrawing(const std::string& name, const Layer& layer, int64_t depth);
  // For Graphviz.
  [[nodiscard]] std::string dot() const;
  [[nodiscard]] std::string svg() const;

 private:
  struct Box {
    std::string label;
    std::string shape;   // of what it gives
    std::string choice;  // what it was made from, to find equal ones
    size_t repeats = 1;
    size_t rank = 0;  // its row: one below the lowest that it reads
  };
  using Ends = std::vector<size_t>;  // boxes that a value comes from
  [[nodiscard]] Ends add(const std::string& path, const Layer& layer, int64_t depth,
                         const Ends& from);
  [[nodiscard]] Ends add_described(const std::string& path, const Layer& layer, int64_t depth,
                                   const Ends& from);
  [[nodiscard]] Ends add_box(Box box, const Ends& from);

  std::vector<Box> boxes_;
  std::vector<std::pair<size_t, size_t>> lines_;
};

}  // namespace hearth
