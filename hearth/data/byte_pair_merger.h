// Merges the bytes of a piece of text into tokens, by rules with ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hearth/format/byte_pairs.h"

namespace hearth {

// Working memory; one of each thread's own serves all pieces.
class BytePairMerger {
 public:
  // Adds the tokens of `piece`: of all pairs side by side the one of the lowest rank is merged, the
  // leftmost first, until no rule is left. Takes n log n steps for n bytes.
  void merge(const BytePairs& pairs, std::string_view piece, std::vector<int32_t>& tokens);

 private:
  struct Symbol {
    int32_t token = 0;
    int32_t previous = 0;
    int32_t next = 0;  // below 0 at the end
  };
  struct Candidate {
    int32_t rank = 0;
    int32_t place = 0;
    int32_t left = 0;  // the tokens it was made for; others stand there once one was merged
    int32_t right = 0;
    [[nodiscard]] bool operator<(const Candidate& other) const {  // the least rank on the top
      return rank != other.rank ? rank > other.rank : place > other.place;
    }
  };

  void offer(const BytePairs& pairs, int32_t place);
  [[nodiscard]] bool is_current(const Candidate& candidate) const;

  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
};

}  // namespace hearth
