// Texts with a number each, found by what they begin with.
#include "hearth/data/sentencepiece/piece_tree.h"

#include <algorithm>

namespace hearth {

// Breadth first: the children of a branch are those of a range of the sorted texts.
PieceTree::PieceTree(std::vector<Entry> entries) {
  struct Range {
    size_t begin = 0;
    size_t end = 0;
    size_t depth = 0;
  };
  if (entries.empty()) return;
  std::sort(entries.begin(), entries.end());
  const auto byte_at = [&](size_t entry, size_t depth) {
    return static_cast<unsigned char>(entries[entry].first[depth]);
  };
  std::vector<Range> ranges = {{0, entries.size(), 0}};
  branches_.push_back({});
  for (size_t i = 0; i < branches_.size(); ++i) {
    Range range = ranges[i];
    if (entries[range.begin].first.size() == range.depth)
      branches_[i].number = entries[range.begin++].second;
    branches_[i].first = static_cast<uint32_t>(branches_.size());
    while (range.begin < range.end) {
      const unsigned char byte = byte_at(range.begin, range.depth);
      size_t end = range.begin + 1;
      while (end < range.end && byte_at(end, range.depth) == byte) ++end;
      ranges.push_back({range.begin, end, range.depth + 1});
      branches_.push_back({.byte = byte});
      ++branches_[i].count;
      range.begin = end;
    }
  }
}

const PieceTree::Branch* PieceTree::child(const Branch& branch, unsigned char byte) const {
  const Branch* begin = branches_.data() + branch.first;
  const Branch* end = begin + branch.count;
  const Branch* found = std::lower_bound(
      begin, end, byte, [](const Branch& one, unsigned char value) { return one.byte < value; });
  return found != end && found->byte == byte ? found : nullptr;
}

size_t PieceTree::longest_prefix(std::string_view text) const {
  size_t longest = 0;
  for_each_prefix(text, [&](size_t bytes, int32_t) { longest = bytes; });
  return longest;
}

}  // namespace hearth
