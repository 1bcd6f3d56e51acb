// How often each class was taken for which, as a picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/format/image.h"

namespace hearth {

struct ConfusionCounts {
  std::vector<std::string> classes;
  std::vector<int64_t> counts;  // a row for each true class

  [[nodiscard]] int64_t size() const { return static_cast<int64_t>(classes.size()); }
  [[nodiscard]] int64_t at(int64_t label, int64_t predicted) const {
    return counts[static_cast<size_t>(label * size() + predicted)];
  }
  [[nodiscard]] int64_t total(int64_t label) const;
  [[nodiscard]] double recall(int64_t label) const;  // 0 where the class does not occur
  [[nodiscard]] double right_share() const;
};

// Rows are true classes, columns predicted ones; how dark a cell is says its share of the row. With
// few classes the counts stand in the cells, and the classes beside them.
[[nodiscard]] Image drawn_confusion(const ConfusionCounts& counts, const std::string& title);

}  // namespace hearth
