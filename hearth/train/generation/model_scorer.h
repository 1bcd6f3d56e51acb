// A trained model as the scorer of sequences. For internal use by Generator.
#pragma once

#include <memory>

#include "hearth/nn/sequence_memory.h"
#include "hearth/train/generation/next_token_model.h"
#include "hearth/train/generation/token_scorer.h"

namespace hearth {

// A sequence that has grown longer than the model can look at goes on with its newer half.
class ModelScorer : public TokenScorer {
 public:
  struct Limits {
    int64_t sequences = 1;  // at a time
    int64_t new_tokens = 1;
    bool cache = true;
  };
  ModelScorer(const NextTokenModel& model, const Limits& limits, SourceText source = {});

  [[nodiscard]] TokenScores begin(const std::vector<Tokens>& sequences) override;
  [[nodiscard]] TokenScores extend(std::span<const Extension> extensions) override;
  // Whether some sequence was cut.
  [[nodiscard]] bool has_forgotten() const { return has_forgotten_; }

 private:
  struct Sequence {
    Tokens tokens;    // that the model looks at
    int64_t row = 0;  // in the memory
  };
  [[nodiscard]] std::vector<int64_t> free_rows(std::span<const Extension> extensions) const;
  void take(std::span<const Extension> extensions);
  [[nodiscard]] bool cut(Sequence& sequence);
  // Everything of one sequence, or the last place of several.
  void score_whole(size_t sequence, TokenScores& scores);
  void score_last(std::span<const size_t> sequences, TokenScores& scores);

  const NextTokenModel& model_;
  Limits limits_;
  SourceText source_;
  std::unique_ptr<SequenceMemory> memory_;  // null without cache
  std::vector<Sequence> sequences_;
  bool has_forgotten_ = false;
};

}  // namespace hearth
