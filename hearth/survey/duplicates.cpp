// Equal samples by their digests; similar pictures by prints that share one of four parts: three
// differing bits leave at least one part as it is.
#include "hearth/survey/duplicates.h"

#include <array>
#include <bit>
#include <map>
#include <unordered_map>

namespace hearth {
namespace {

constexpr int kMostDifferentBits = 3;
constexpr size_t kParts = 4;
constexpr unsigned kPartBits = 16;
// Prints that thousands of pictures share say nothing: drawings on white, say.
constexpr size_t kMostCompared = 512;

class SimilarPictures {
 public:
  // An earlier picture that looks like this one, or none; then this one is known too.
  [[nodiscard]] std::optional<size_t> find_and_add(uint64_t print, size_t index) {
    std::optional<size_t> found;
    for (size_t part = 0; part < kParts; ++part) {
      const uint64_t word = print >> (part * kPartBits) & ((1U << kPartBits) - 1);
      std::vector<Known>& known = known_[part][word];
      for (size_t i = 0; i < known.size() && i < kMostCompared; ++i)
        if (std::popcount(known[i].print ^ print) <= kMostDifferentBits &&
            (!found || known[i].index < *found))
          found = known[i].index;
      if (known.size() < kMostCompared) known.push_back({print, index});
    }
    return found;
  }

 private:
  struct Known {
    uint64_t print = 0;
    size_t index = 0;
  };
  std::array<std::unordered_map<uint64_t, std::vector<Known>>, kParts> known_;
};

}  // namespace

Duplicates find_duplicates(const std::vector<PrintedSample>& samples, size_t most_pairs) {
  Duplicates found;
  std::map<ExactPrint, size_t> seen;
  SimilarPictures pictures;
  const auto note = [&](size_t first, size_t second, bool is_exact) {
    const bool is_across = samples[first].set != samples[second].set;
    int64_t& count = is_exact ? (is_across ? found.exact_across : found.exact_within)
                              : (is_across ? found.near_across : found.near_within);
    ++count;
    if (found.pairs.size() < most_pairs)
      found.pairs.push_back({samples[first], samples[second], is_exact});
  };
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto [entry, is_new] = seen.emplace(samples[i].exact, i);
    if (!is_new) {
      note(entry->second, i, true);
      continue;
    }
    if (!samples[i].picture) continue;
    if (const auto similar = pictures.find_and_add(*samples[i].picture, i))
      note(*similar, i, false);
  }
  return found;
}

}  // namespace hearth
