// Byte-pair encoding by scores: of all neighbours that are a piece together, those of the greatest
// score are joined, the leftmost first, until none are left.
#include <algorithm>
#include <vector>

#include "hearth/data/sentencepiece/piece_cutter.h"

namespace hearth {

namespace {

// A part of the text in a list of them.
struct Part {
  std::string_view text = {};  // empty once it was joined to the one before
  int32_t previous = -1;
  int32_t next = -1;
  bool is_whole = false;  // never joined
};

struct Pair {
  float score = 0;
  int32_t left = 0;
  int32_t right = 0;
  size_t bytes = 0;  // of both when it was found; it is out of date when they have others
  [[nodiscard]] bool operator<(const Pair& other) const {  // the greatest score on the top
    return score != other.score ? score < other.score : left > other.left;
  }
};

// How an unused piece was joined, so that it can be taken apart.
using Halves = std::unordered_map<std::string_view, std::pair<std::string_view, std::string_view>>;

class PairJoiner {
 public:
  void cut(const PieceTable& table, std::string_view text, const TakePiece& take) {
    parts_.clear();
    pairs_.clear();
    halves_.clear();
    split(table, text);
    for (size_t i = 1; i < parts_.size(); ++i)
      offer(table, static_cast<int32_t>(i) - 1, static_cast<int32_t>(i));
    while (!pairs_.empty()) join_best(table);
    for (int32_t i = 0; i >= 0; i = part(i).next) give(table, part(i).text, take);
  }

 private:
  [[nodiscard]] Part& part(int32_t place) { return parts_[static_cast<size_t>(place)]; }

  void split(const PieceTable& table, std::string_view text) {
    while (!text.empty()) {
      Part letter;
      const size_t bytes = table.letter_bytes(text, letter.is_whole);
      letter.text = text.substr(0, bytes);
      text.remove_prefix(bytes);
      letter.previous = static_cast<int32_t>(parts_.size()) - 1;
      letter.next = text.empty() ? -1 : static_cast<int32_t>(parts_.size()) + 1;
      parts_.push_back(letter);
    }
  }

  void offer(const PieceTable& table, int32_t left, int32_t right) {
    if (left < 0 || right < 0 || part(left).is_whole || part(right).is_whole) return;
    const std::string_view both(part(left).text.data(),
                                part(left).text.size() + part(right).text.size());
    const int32_t token = table.find(both);
    if (token < 0) return;
    pairs_.push_back({table.piece(token).score, left, right, both.size()});
    std::push_heap(pairs_.begin(), pairs_.end());
    if (table.piece(token).kind == SentencePiece::Kind::kUnused)
      halves_[both] = {part(left).text, part(right).text};
  }

  void join_best(const PieceTable& table) {
    std::pop_heap(pairs_.begin(), pairs_.end());
    const Pair best = pairs_.back();
    pairs_.pop_back();
    Part& left = part(best.left);
    Part& right = part(best.right);
    if (left.text.empty() || right.text.empty() ||
        left.text.size() + right.text.size() != best.bytes)
      return;
    left.text = {left.text.data(), best.bytes};
    left.next = right.next;
    if (right.next >= 0) part(right.next).previous = best.left;
    right.text = {};
    offer(table, left.previous, best.left);
    offer(table, best.left, left.next);
  }

  void give(const PieceTable& table, std::string_view text, const TakePiece& take) const {
    const int32_t token = table.token_of(text);
    const auto found = halves_.find(text);
    if (table.piece(token).kind != SentencePiece::Kind::kUnused || found == halves_.end())
      return take(text, token);
    give(table, found->second.first, take);
    give(table, found->second.second, take);
  }

  std::vector<Part> parts_;
  std::vector<Pair> pairs_;
  Halves halves_;
};

class PairCutter : public PieceCutter {
 public:
  explicit PairCutter(const PieceTable& table) : table_(table) {}

  // Word by word where no piece reaches into the next one: the same pieces with less memory.
  void cut(std::string_view text, const TakePiece& take) const override {
    thread_local PairJoiner joiner;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = table_.ends_at_blanks ? blank_word_end(text, begin) : text.size();
      joiner.cut(table_, text.substr(begin, end - begin), take);
      begin = end;
    }
  }

 private:
  const PieceTable& table_;
};

}  // namespace

std::unique_ptr<PieceCutter> pair_cutter(const PieceTable& table) {
  return std::make_unique<PairCutter>(table);
}

}  // namespace hearth
