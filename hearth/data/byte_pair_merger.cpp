// A list of symbols with links, and a heap of the pairs that may be merged.
#include "hearth/data/byte_pair_merger.h"

#include <algorithm>
#include <limits>

#include "hearth/base/error.h"

namespace hearth {

void BytePairMerger::offer(const BytePairs& pairs, int32_t place) {
  if (place < 0) return;
  const Symbol& left = symbols_[static_cast<size_t>(place)];
  if (left.next < 0) return;
  const int32_t right = symbols_[static_cast<size_t>(left.next)].token;
  const auto found = pairs.merges.find(pair_key(left.token, right));
  if (found == pairs.merges.end()) return;
  heap_.push_back({found->second.rank, place, left.token, right});
  std::push_heap(heap_.begin(), heap_.end());
}

bool BytePairMerger::is_current(const Candidate& candidate) const {
  const Symbol& left = symbols_[static_cast<size_t>(candidate.place)];
  return left.token == candidate.left && left.next >= 0 &&
         symbols_[static_cast<size_t>(left.next)].token == candidate.right;
}

void BytePairMerger::merge(const BytePairs& pairs, std::string_view piece,
                           std::vector<int32_t>& tokens) {
  if (piece.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    throw DataError("a word of more than 2 GiB cannot be made of byte pairs.");
  const auto count = static_cast<int32_t>(piece.size());
  symbols_.clear();
  heap_.clear();
  for (int32_t i = 0; i < count; ++i)
    symbols_.push_back({pairs.of_byte[static_cast<unsigned char>(piece[static_cast<size_t>(i)])],
                        i - 1, i + 1 < count ? i + 1 : -1});
  for (int32_t i = 0; i < count; ++i) offer(pairs, i);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Candidate best = heap_.back();
    heap_.pop_back();
    if (!is_current(best)) continue;
    Symbol& left = symbols_[static_cast<size_t>(best.place)];
    Symbol& right = symbols_[static_cast<size_t>(left.next)];
    left.token = pairs.merges.at(pair_key(best.left, best.right)).token;
    left.next = right.next;
    right.token = -1;  // no longer there
    if (left.next >= 0) symbols_[static_cast<size_t>(left.next)].previous = best.place;
    offer(pairs, left.previous);
    offer(pairs, best.place);
  }
  for (int32_t i = count == 0 ? -1 : 0; i >= 0; i = symbols_[static_cast<size_t>(i)].next)
    tokens.push_back(symbols_[static_cast<size_t>(i)].token);
}

}  // namespace hearth
