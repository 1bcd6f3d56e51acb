// Pictures that look like earlier ones, found by their prints.
#include "hearth/data/similar_pictures.h"

#include <bit>

namespace hearth {

namespace {

constexpr int kMostDifferentBits = 3;
constexpr unsigned kPartBits = 16;
// Prints that thousands of pictures share say nothing: drawings on white, say.
constexpr size_t kMostCompared = 512;

uint64_t part_of_print(uint64_t print, size_t part) {
  return print >> (part * kPartBits) & ((1U << kPartBits) - 1);
}

}  // namespace

std::optional<size_t> SimilarPictures::find(uint64_t print) const {
  std::optional<size_t> found;
  for (size_t part = 0; part < kParts; ++part) {
    const auto known = known_[part].find(part_of_print(print, part));
    if (known == known_[part].end()) continue;
    for (const Known& one : known->second)
      if (std::popcount(one.print ^ print) <= kMostDifferentBits && (!found || one.index < *found))
        found = one.index;
  }
  return found;
}

void SimilarPictures::add(uint64_t print, size_t index) {
  for (size_t part = 0; part < kParts; ++part) {
    std::vector<Known>& known = known_[part][part_of_print(print, part)];
    if (known.size() < kMostCompared) known.push_back({print, index});
  }
}

}  // namespace hearth
