// A trained model as one that says which token comes next. For internal use by Generator.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hearth/train/generation/token_text.h"
#include "hearth/train/prediction_engine.h"

namespace hearth {

// A text that a model reads before it writes another one, as a translator does.
struct SourceText {
  at::Tensor tokens = {};  // int64 [1, S]; undefined for models that go on with a text
  at::Tensor mask = {};    // [1, S]: all of it is there; undefined where the model wants none
};

class SequenceMemory;
// For models that read one: it is the same at every place.
void give(const SourceText& source, SequenceMemory& memory);

// Several threads may use one at once.
class NextTokenModel {
 public:
  // ConfigError says why a run's model cannot continue a text: it scores something else, looks
  // ahead, needs more than tokens, or its tokens do not come from a text.
  explicit NextTokenModel(PredictionEngine& engine);

  // Of the text that is written.
  [[nodiscard]] const RunTokenizer& tokenizer() const { return tokenizer_; }
  // Whether it reads a text and writes another one, rather than go on with it.
  [[nodiscard]] bool reads_source() const { return source_.has_value(); }
  // Of the text that is read.
  [[nodiscard]] const RunTokenizer& source_tokenizer() const { return source_->tokenizer; }
  [[nodiscard]] SourceText source_of(const std::vector<int64_t>& tokens) const;
  // Places that it can look at, where there is a limit.
  [[nodiscard]] std::optional<int64_t> most_places() const { return most_places_; }
  // Whether new places may be computed alone, with a SequenceMemory.
  [[nodiscard]] bool can_remember() const { return can_remember_; }
  // Tokens [B, N] to scores of what comes after the last place: float32 [B, V] in this machine's
  // memory.
  [[nodiscard]] at::Tensor scores(const at::Tensor& tokens, const SourceText& source) const;

 private:
  // Where the text that is read goes in.
  struct SourceInput {
    size_t tokens = 0;  // values of the plan
    std::optional<size_t> mask = {};
    RunTokenizer tokenizer = {};
  };
  void find_scores();
  void find_inputs();
  void take_masks(const std::vector<size_t>& masks);
  [[nodiscard]] bool writes(size_t input, size_t source);
  void find_most_places();
  void find_tokens();
  [[nodiscard]] RunTokenizer tokenizer_of(size_t input) const;
  [[nodiscard]] const Spec& spec_of(size_t value) const;
  [[nodiscard]] const std::string& key_of(size_t value) const;
  // All that it scores: [B, V, N].
  [[nodiscard]] at::Tensor computed(const at::Tensor& tokens, const SourceText& source) const;
  [[nodiscard]] at::Tensor trial_tokens() const;
  [[nodiscard]] SourceText trial_source() const;
  [[nodiscard]] bool looks_ahead() const;
  [[nodiscard]] bool remembers_truly() const;

  PredictionEngine& engine_;
  CompiledPlan compiled_;
  size_t input_ = 0;  // values of the plan
  size_t output_ = 0;
  std::optional<size_t> mask_;  // of the input
  std::optional<SourceInput> source_;
  int64_t vocabulary_ = 0;
  RunTokenizer tokenizer_;
  std::optional<int64_t> most_places_;
  bool can_remember_ = false;
};

}  // namespace hearth
