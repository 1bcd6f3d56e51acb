// Darts' double array: a tree of texts with a number each, as SentencePiece's files hold it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hearth {

class DoubleArray {
 public:
  struct Match {
    size_t bytes = 0;  // none when 0
    uint32_t value = 0;
  };

  DoubleArray() = default;
  // Four bytes for each unit, the lowest first; a rest of them is left out.
  explicit DoubleArray(std::string_view bytes);
  [[nodiscard]] bool is_empty() const { return units_.empty(); }
  // The longest text of the tree that `text` begins with. What leads out of a damaged array ends
  // the search.
  [[nodiscard]] Match longest_prefix(std::string_view text) const;

 private:
  std::vector<uint32_t> units_;
};

}  // namespace hearth
