// Viterbi's algorithm: of all ways to cut a text, the one whose pieces' scores have the greatest
// sum.
#include <algorithm>
#include <limits>
#include <vector>

#include "hearth/data/sentencepiece/piece_cutter.h"

namespace hearth {

namespace {

constexpr float kUnknownPenalty = 10;
// Beyond this sum a float loses digits that decide; a new one begins at the next border.
constexpr float kLongestSum = -10'000;

// The best way to a place of the text.
struct Way {
  float score = 0;
  int32_t token = -1;  // of its last piece; below 0 where none leads yet
  size_t from = 0;     // where that piece begins
};

class UnigramCutter : public PieceCutter {
 public:
  explicit UnigramCutter(const PieceTable& table) : table_(table) {
    float least = std::numeric_limits<float>::max();
    for (const SentencePiece& piece : table.model.pieces) {
      if (piece.kind != SentencePiece::Kind::kNormal) continue;
      least = std::min(least, piece.score);
      greatest_ = std::max(greatest_, piece.score);
    }
    unknown_score_ = least - kUnknownPenalty;
  }

  // No piece leads over a border: the way to it is final, and memory is that of a word.
  void cut(std::string_view text, const TakePiece& take) const override {
    thread_local std::vector<Way> ways;
    ways.assign(1, {});
    size_t border = 0;
    size_t reach = 0;
    for (size_t begin = 0; begin < text.size(); begin += first_letter_bytes(text.substr(begin))) {
      if (begin == reach && begin > border) {
        const float score = ways.back().score;
        take_ways(text, border, ways, take);
        ways.assign(1, {.score = score < kLongestSum ? 0 : score});
        border = begin;
      }
      reach = std::max(reach, add_ways(text, begin, border, ways));
    }
    take_ways(text, border, ways, take);
  }

 private:
  // A piece that the user defined has a score that every way around it falls short of.
  [[nodiscard]] double score_of(int32_t token, size_t bytes) const {
    const SentencePiece& piece = table_.piece(token);
    if (piece.kind == SentencePiece::Kind::kUserDefined)
      return static_cast<double>(static_cast<float>(bytes) * greatest_) - 0.1;
    return piece.score;
  }

  // Adds all pieces that begin at a place; gives how far they reach.
  size_t add_ways(std::string_view text, size_t begin, size_t border,
                  std::vector<Way>& ways) const {
    const float so_far = ways[begin - border].score;
    const std::string_view rest = text.substr(begin);
    const size_t letter = first_letter_bytes(rest);
    size_t reach = begin + letter;
    bool has_letter = false;
    const auto offer = [&](size_t bytes, int32_t token, double score) {
      const size_t place = begin + bytes - border;
      if (ways.size() <= place) ways.resize(place + 1);
      const double sum = score + so_far;
      if (ways[place].token < 0 || sum > ways[place].score)
        ways[place] = {static_cast<float>(sum), token, begin};
      reach = std::max(reach, begin + bytes);
    };
    table_.tree.for_each_prefix(rest, [&](size_t bytes, int32_t token) {
      if (table_.piece(token).kind == SentencePiece::Kind::kUnused) return;
      offer(bytes, token, score_of(token, bytes));
      has_letter = has_letter || bytes == letter;
    });
    if (!has_letter) offer(letter, table_.model.unknown, unknown_score_);
    return reach;
  }

  static void take_ways(std::string_view text, size_t border, const std::vector<Way>& ways,
                        const TakePiece& take) {
    thread_local std::vector<size_t> ends;
    ends.clear();
    for (size_t end = border + ways.size() - 1; end > border; end = ways[end - border].from)
      ends.push_back(end);
    for (size_t i = ends.size(); i-- > 0;) {
      const Way& way = ways[ends[i] - border];
      take(text.substr(way.from, ends[i] - way.from), way.token);
    }
  }

  const PieceTable& table_;
  float greatest_ = std::numeric_limits<float>::min();
  float unknown_score_ = 0;
};

}  // namespace

std::unique_ptr<PieceCutter> unigram_cutter(const PieceTable& table) {
  return std::make_unique<UnigramCutter>(table);
}

}  // namespace hearth
