// Pictures that look like earlier ones, found by their prints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hearth {

// Prints that differ in at most three of their 64 bits are of similar pictures.
class SimilarPictures {
 public:
  // The earliest picture that was added and looks like this one, or none.
  [[nodiscard]] std::optional<size_t> find(uint64_t print) const;
  void add(uint64_t print, size_t index);

 private:
  struct Known {
    uint64_t print = 0;
    size_t index = 0;
  };
  static constexpr size_t kParts = 4;
  // By each quarter of the print: three differing bits leave at least one of them as it is.
  std::array<std::unordered_map<uint64_t, std::vector<Known>>, kParts> known_;
};

}  // namespace hearth
