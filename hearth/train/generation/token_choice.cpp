// The next token, drawn from the scores that a model gives all tokens.
#include "hearth/train/generation/token_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "hearth/base/error.h"
#include "hearth/core/random.h"
#include "hearth/data/keyed_seed.h"

namespace hearth {
namespace {

float checked_largest(std::span<const float> scores) {
  float largest = -std::numeric_limits<float>::infinity();
  for (const float score : scores) {
    if (std::isnan(score) || score == std::numeric_limits<float>::infinity())
      throw DataError(
          "the model gives scores that are no finite numbers, so that no token can be chosen. Its "
          "training may have diverged; try another checkpoint.");
    largest = std::max(largest, score);
  }
  if (std::isinf(largest)) throw DataError("there is no token that may be chosen.");
  return largest;
}

bool is_likelier(const TokenShare& left, const TokenShare& right) {
  return left.share != right.share ? left.share > right.share : left.token < right.token;
}
bool is_less_likely(const TokenShare& left, const TokenShare& right) {
  return is_likelier(right, left);
}

void normalize(std::vector<TokenShare>& shares) {
  double sum = 0;
  for (const TokenShare& each : shares) sum += each.share;
  for (TokenShare& each : shares) each.share /= sum;
}

void keep_most_likely(std::vector<TokenShare>& shares, int64_t count) {
  const auto kept = std::min(static_cast<size_t>(count), shares.size());
  std::partial_sort(shares.begin(), shares.begin() + static_cast<int64_t>(kept), shares.end(),
                    is_likelier);
  shares.resize(kept);
}

// Most need only a few of many tokens, so they are not sorted as a whole.
void keep_probability(std::vector<TokenShare>& shares, double probability) {
  std::make_heap(shares.begin(), shares.end(), is_less_likely);
  std::vector<TokenShare> kept;
  double sum = 0;
  for (auto end = shares.end(); end != shares.begin() && (kept.empty() || sum < probability);
       --end) {
    std::pop_heap(shares.begin(), end, is_less_likely);
    kept.push_back(*(end - 1));
    sum += kept.back().share;
  }
  shares = std::move(kept);
}

uint64_t digest_of(std::span<const int64_t> tokens) {
  uint64_t digest = 0xCBF29CE484222325U;
  for (const int64_t token : tokens)
    for (int shift = 0; shift < 64; shift += 8)
      digest = (digest ^ ((static_cast<uint64_t>(token) >> shift) & 0xFFU)) * 0x100000001B3U;
  return digest;
}

}  // namespace

std::vector<TokenShare> token_shares(std::span<const float> scores, const ChoiceRules& rules) {
  const float largest = checked_largest(scores);
  if (rules.temperature == 0)
    return {{std::find(scores.begin(), scores.end(), largest) - scores.begin(), 1}};
  std::vector<TokenShare> shares;
  for (size_t i = 0; i < scores.size(); ++i)
    if (!std::isinf(scores[i]))
      shares.push_back({static_cast<int64_t>(i),
                        std::exp((static_cast<double>(scores[i]) - largest) / rules.temperature)});
  if (rules.top_k) keep_most_likely(shares, *rules.top_k);
  normalize(shares);
  if (rules.top_p) {
    keep_probability(shares, *rules.top_p);
    normalize(shares);
  }
  return shares;
}

int64_t drawn_token(std::span<const TokenShare> shares, double number) {
  double sum = 0;
  for (const TokenShare& each : shares) {
    sum += each.share;
    if (number < sum) return each.token;
  }
  // The shares' sum may be a little less than 1.
  return shares.back().token;
}

std::vector<double> log_probabilities(std::span<const float> scores) {
  const double largest = checked_largest(scores);
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - largest);
  const double all = largest + std::log(sum);
  std::vector<double> logarithms;
  for (const float score : scores) logarithms.push_back(score - all);
  return logarithms;
}

double log_probability(std::span<const float> scores, int64_t token) {
  const double largest = checked_largest(scores);
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - largest);
  return scores[static_cast<size_t>(token)] - largest - std::log(sum);
}

void penalize(std::span<float> scores, std::span<const int64_t> tokens, double penalty) {
  for (const int64_t token : std::set<int64_t>(tokens.begin(), tokens.end())) {
    float& score = scores[static_cast<size_t>(token)];
    score = static_cast<float>(score > 0 ? score / penalty : score * penalty);
  }
}

TokenDraw::TokenDraw(const DrawKey& key)
    : seed_(seed_of({.seed = static_cast<uint64_t>(key.seed),
                     .purpose = "generate",
                     .piece = digest_of(key.prompt)})),
      sample_(key.sample) {}

double TokenDraw::at(int64_t place) const {
  Random random({.seed = seed_,
                 .epoch = static_cast<uint32_t>(place),
                 .sample = sample_,
                 .op = op_number("token")});
  const uint64_t upper = random.bits();
  return std::ldexp(static_cast<double>((upper << 21U) | (random.bits() >> 11U)), -53);
}

}  // namespace hearth
