// A trained model as one that says which token comes next. For internal use by Generator.
#pragma once

#include <memory>
#include <optional>

#include "hearth/train/generation/token_text.h"
#include "hearth/train/prediction_engine.h"

namespace hearth {

// Several threads may use one at once.
class NextTokenModel {
 public:
  // ConfigError says why a run's model cannot continue a text: it scores something else, looks
  // ahead, needs more than tokens, or its tokens do not come from a text.
  explicit NextTokenModel(PredictionEngine& engine);

  [[nodiscard]] const RunTokenizer& tokenizer() const { return tokenizer_; }
  // Places that it can look at, where there is a limit.
  [[nodiscard]] std::optional<int64_t> most_places() const { return most_places_; }
  // Whether new places may be computed alone, with a SequenceMemory.
  [[nodiscard]] bool can_remember() const { return can_remember_; }
  // Tokens [B, N] to scores of what comes after the last place: float32 [B, V] in this machine's
  // memory.
  [[nodiscard]] at::Tensor scores(const at::Tensor& tokens) const;

 private:
  void find_scores();
  void find_most_places();
  void find_tokens();
  // All that it scores: [B, V, N].
  [[nodiscard]] at::Tensor computed(const at::Tensor& tokens) const;
  [[nodiscard]] at::Tensor trial_tokens() const;
  [[nodiscard]] bool looks_ahead() const;
  [[nodiscard]] bool remembers_truly() const;

  PredictionEngine& engine_;
  CompiledPlan compiled_;
  size_t input_ = 0;  // values of the plan
  size_t output_ = 0;
  int64_t vocabulary_ = 0;
  RunTokenizer tokenizer_;
  std::optional<int64_t> most_places_;
  bool can_remember_ = false;
};

}  // namespace hearth
