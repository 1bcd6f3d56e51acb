// Beam search against trying every text, on models small enough for it.
#include "hearth/train/generation/beam_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hearth/core/random.h"
#include "hearth/train/generation/token_choice.h"

namespace hearth {
namespace {

constexpr int64_t kLetters = 4;
constexpr int64_t kEnd = 3;

// Scores that depend on the whole sequence.
class TinyModel : public TokenScorer {
 public:
  explicit TinyModel(uint64_t seed) : seed_(seed) {}

  [[nodiscard]] std::vector<float> scores(const Tokens& tokens) const {
    uint64_t state = 1;
    for (const int64_t token : tokens) state = state * 31 + static_cast<uint64_t>(token) + 1;
    Random random({.seed = seed_, .sample = state});
    std::vector<float> found;
    for (int64_t i = 0; i < kLetters; ++i) found.push_back(2 * random.normal());
    return found;
  }

  TokenScores begin(const std::vector<Tokens>& sequences) override {
    sequences_ = sequences;
    return all();
  }
  TokenScores extend(std::span<const Extension> extensions) override {
    std::vector<Tokens> next;
    for (const Extension& each : extensions) {
      next.push_back(sequences_.at(each.sequence));
      next.back().push_back(each.token);
    }
    sequences_ = next;
    return all();
  }

 private:
  [[nodiscard]] TokenScores all() const {
    TokenScores found;
    for (const Tokens& tokens : sequences_) found.push_back(scores(tokens));
    return found;
  }
  uint64_t seed_;
  std::vector<Tokens> sequences_;
};

// Every text of up to so many tokens that ends, or is that long.
void try_all(const TinyModel& model, const Tokens& prompt, const Beam& so_far,
             const BeamOptions& options, bool has_end, Beam& best) {
  Tokens all = prompt;
  all.insert(all.end(), so_far.tokens.begin(), so_far.tokens.end());
  const std::vector<double> logarithms = log_probabilities(model.scores(all));
  for (int64_t token = 0; token < kLetters; ++token) {
    Beam beam = so_far;
    beam.tokens.push_back(token);
    beam.log_probability += logarithms[static_cast<size_t>(token)];
    beam.is_ended = has_end && token == kEnd;
    if (!beam.is_ended && static_cast<int64_t>(beam.tokens.size()) < options.max_tokens)
      try_all(model, prompt, beam, options, has_end, best);
    else if (best.tokens.empty() ||
             beam_score(beam, options.length_penalty) > beam_score(best, options.length_penalty))
      best = beam;
  }
}

void expect_the_best(bool has_end, double length_penalty) {
  const Tokens prompt = {1, 0};
  // Wide enough for all beginnings.
  const BeamOptions options{64, 4, length_penalty};
  BeamRules rules;
  if (has_end) rules.ends = [](std::span<const int64_t> tokens) { return tokens.back() == kEnd; };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    TinyModel model(seed);
    Beam best;
    try_all(model, prompt, {}, options, has_end, best);
    const Beam found = beam_search(model, prompt, options, rules).front();
    EXPECT_EQ(found.tokens, best.tokens) << "seed " << seed;
    EXPECT_NEAR(found.log_probability, best.log_probability, 1e-9);
    EXPECT_EQ(found.is_ended, best.is_ended);
  }
}

TEST(BeamSearch, FindsTheMostLikelyTextOfAll) { expect_the_best(false, 1); }

TEST(BeamSearch, FindsTheBestOfTextsThatEnd) {
  expect_the_best(true, 0);
  expect_the_best(true, 1);
  expect_the_best(true, 2);
}

TEST(BeamSearch, OfOneBeamTakesTheMostLikelyTokenEachTime) {
  TinyModel model(3);
  Tokens tokens = {2};
  for (int i = 0; i < 5; ++i)
    tokens.push_back(token_shares(model.scores(tokens), {.temperature = 0}).front().token);
  const Beam found = beam_search(model, {2}, {1, 5, 1}, {}).front();
  EXPECT_EQ(found.tokens, Tokens(tokens.begin() + 1, tokens.end()));
}

TEST(BeamSearch, NeverTakesWhatMustNotFollow) {
  TinyModel model(5);
  BeamRules rules;
  rules.may_follow = [](std::span<const int64_t> tokens, std::span<float> scores) {
    scores[0] = -INFINITY;
    if (!tokens.empty()) scores[static_cast<size_t>(tokens.back())] = -INFINITY;
  };
  for (const Beam& beam : beam_search(model, {1}, {3, 6, 1}, rules))
    for (size_t i = 0; i < beam.tokens.size(); ++i) {
      EXPECT_NE(beam.tokens[i], 0);
      if (i > 0) {
        EXPECT_NE(beam.tokens[i], beam.tokens[i - 1]);
      }
    }
}

TEST(BeamSearch, GivesTheBestFirst) {
  TinyModel model(8);
  const std::vector<Beam> beams = beam_search(model, {1}, {5, 4, 1}, {});
  ASSERT_EQ(beams.size(), 5U);
  for (size_t i = 1; i < beams.size(); ++i)
    EXPECT_GE(beam_score(beams[i - 1], 1), beam_score(beams[i], 1));
}

}  // namespace
}  // namespace hearth
