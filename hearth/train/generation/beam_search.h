// The most likely continuation of a text, looked for with several beginnings at a time. Needs no
// LibTorch header.
#pragma once

#include <functional>
#include <vector>

#include "hearth/train/generation/token_scorer.h"

namespace hearth {

struct BeamOptions {
  int64_t beams = 4;
  int64_t max_tokens = 200;
  double length_penalty = 1;
};

struct Beam {
  Tokens tokens;  // after the prompt
  double log_probability = 0;
  bool is_ended = false;  // by what ends a text, not by max_tokens
};

// How beams of different lengths compare.
[[nodiscard]] double beam_score(const Beam& beam, double length_penalty);

// Best first, at least one. `may_follow` changes scores before they are used: minus infinity for
// tokens that must not come next; `ends` says whether tokens after the prompt make a whole text.
struct BeamRules {
  std::function<void(std::span<const int64_t> tokens, std::span<float> scores)> may_follow = {};
  std::function<bool(std::span<const int64_t> tokens)> ends = {};
};
[[nodiscard]] std::vector<Beam> beam_search(TokenScorer& scorer, const Tokens& prompt,
                                            const BeamOptions& options, const BeamRules& rules);

}  // namespace hearth
