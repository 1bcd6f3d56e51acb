// A trained model as the scorer of sequences.
#include "hearth/train/generation/model_scorer.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <set>

namespace hearth {
namespace {

// More in one batch might be multiplied in another way (kernels/product/linear.cpp), and a text's
// last bits would depend on its neighbours.
constexpr size_t kMostTogether = 32;

void take_rows(const at::Tensor& found, std::span<const size_t> sequences, TokenScores& scores) {
  const float* row = found.data_ptr<float>();
  for (const size_t sequence : sequences) {
    scores[sequence].assign(row, row + found.size(1));
    row += found.size(1);
  }
}

}  // namespace

ModelScorer::ModelScorer(const NextTokenModel& model, const Limits& limits, SourceText source)
    : model_(model), limits_(limits), source_(std::move(source)) {
  limits_.cache = limits.cache && model.can_remember();
}

TokenScores ModelScorer::begin(const std::vector<Tokens>& sequences) {
  sequences_.clear();
  size_t longest = 0;
  for (const Tokens& tokens : sequences) {
    longest = std::max(longest, tokens.size());
    sequences_.push_back({tokens, static_cast<int64_t>(sequences_.size())});
  }
  const int64_t all = static_cast<int64_t>(longest) + limits_.new_tokens;
  if (limits_.cache) {
    memory_ = std::make_unique<SequenceMemory>(limits_.sequences,
                                               std::min(all, model_.most_places().value_or(all)));
    give(source_, *memory_);
  }
  TokenScores scores(sequences_.size());
  for (size_t i = 0; i < sequences_.size(); ++i) score_whole(i, scores);
  return scores;
}

TokenScores ModelScorer::extend(std::span<const Extension> extensions) {
  take(extensions);
  TokenScores scores(sequences_.size());
  std::vector<size_t> grown;
  for (size_t i = 0; i < sequences_.size(); ++i) {
    if (cut(sequences_[i]) || !limits_.cache)
      score_whole(i, scores);
    else
      grown.push_back(i);
  }
  for (size_t first = 0; first < grown.size(); first += kMostTogether)
    score_last(std::span(grown).subspan(first, std::min(kMostTogether, grown.size() - first)),
               scores);
  return scores;
}

std::vector<int64_t> ModelScorer::free_rows(std::span<const Extension> extensions) const {
  std::set<int64_t> used;
  for (const Extension& each : extensions) used.insert(sequences_[each.sequence].row);
  std::vector<int64_t> free;
  for (int64_t row = 0; row < limits_.sequences; ++row)
    if (!used.contains(row)) free.push_back(row);
  return free;
}

// The first that goes on from a sequence keeps its place in the memory, others get a copy.
void ModelScorer::take(std::span<const Extension> extensions) {
  std::vector<int64_t> free = free_rows(extensions);
  std::set<size_t> taken;
  std::vector<Sequence> next;
  for (const Extension& each : extensions) {
    Sequence sequence = sequences_[each.sequence];
    if (!taken.insert(each.sequence).second && memory_ != nullptr) {
      memory_->copy(sequence.row, free.back());
      sequence.row = free.back();
      free.pop_back();
    }
    sequence.tokens.push_back(each.token);
    next.push_back(std::move(sequence));
  }
  sequences_ = std::move(next);
}

bool ModelScorer::cut(Sequence& sequence) {
  const auto length = static_cast<int64_t>(sequence.tokens.size());
  if (!model_.most_places() || length <= *model_.most_places()) return false;
  const int64_t kept = std::max<int64_t>(1, *model_.most_places() / 2);
  sequence.tokens.erase(sequence.tokens.begin(), sequence.tokens.end() - kept);
  if (memory_ != nullptr) memory_->forget(sequence.row);
  has_forgotten_ = true;
  return true;
}

void ModelScorer::score_whole(size_t sequence, TokenScores& scores) {
  const Sequence& own = sequences_[sequence];
  const at::Tensor tokens = at::empty({1, static_cast<int64_t>(own.tokens.size())}, at::kLong);
  std::copy(own.tokens.begin(), own.tokens.end(), tokens.data_ptr<int64_t>());
  at::Tensor found;
  if (memory_ == nullptr)
    found = model_.scores(tokens, source_);
  else
    memory_->remember({own.row}, tokens.size(1), [&] { found = model_.scores(tokens, source_); });
  take_rows(found, std::span(&sequence, 1), scores);
}

void ModelScorer::score_last(std::span<const size_t> sequences, TokenScores& scores) {
  const at::Tensor tokens = at::empty({static_cast<int64_t>(sequences.size()), 1}, at::kLong);
  std::vector<int64_t> rows;
  for (const size_t sequence : sequences) {
    tokens.data_ptr<int64_t>()[rows.size()] = sequences_[sequence].tokens.back();
    rows.push_back(sequences_[sequence].row);
  }
  at::Tensor found;
  memory_->remember(rows, 1, [&] { found = model_.scores(tokens, source_); });
  take_rows(found, sequences, scores);
}

}  // namespace hearth
