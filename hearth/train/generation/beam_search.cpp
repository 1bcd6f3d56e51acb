// The most likely continuation of a text, looked for with several beginnings at a time.
#include "hearth/train/generation/beam_search.h"

#include <algorithm>
#include <cmath>

#include "hearth/train/generation/token_choice.h"

namespace hearth {
namespace {

struct Candidate {
  size_t beam = 0;
  int64_t token = 0;
  double log_probability = 0;
};

bool is_better(const Candidate& left, const Candidate& right) {
  if (left.log_probability != right.log_probability)
    return left.log_probability > right.log_probability;
  return left.beam != right.beam ? left.beam < right.beam : left.token < right.token;
}

class BeamSearch {
 public:
  BeamSearch(TokenScorer& scorer, const BeamOptions& options, const BeamRules& rules)
      : scorer_(scorer), options_(options), rules_(rules) {}

  std::vector<Beam> run(const Tokens& prompt) {
    live_ = {Beam()};
    TokenScores scores = scorer_.begin({prompt});
    for (int64_t step = 0; step < options_.max_tokens && !is_decided(); ++step) {
      const std::vector<Extension> extensions = advance(candidates(scores));
      if (step + 1 < options_.max_tokens && !live_.empty() && !is_decided())
        scores = scorer_.extend(extensions);
    }
    ended_.insert(ended_.end(), live_.begin(), live_.end());
    std::stable_sort(ended_.begin(), ended_.end(), [&](const Beam& left, const Beam& right) {
      return score(left) > score(right);
    });
    return std::move(ended_);
  }

 private:
  [[nodiscard]] double score(const Beam& beam) const {
    return beam_score(beam, options_.length_penalty);
  }

  // Best first. Those of one beam that can matter: each may end a text, and as many more go on.
  [[nodiscard]] std::vector<Candidate> candidates(TokenScores& scores) const {
    const auto most = static_cast<size_t>(2 * options_.beams);
    std::vector<Candidate> all;
    for (size_t i = 0; i < live_.size(); ++i) {
      if (rules_.may_follow) rules_.may_follow(live_[i].tokens, scores[i]);
      const std::vector<double> logarithms = log_probabilities(scores[i]);
      std::vector<Candidate> own;
      for (size_t token = 0; token < logarithms.size(); ++token)
        if (!std::isinf(logarithms[token]))
          own.push_back(
              {i, static_cast<int64_t>(token), live_[i].log_probability + logarithms[token]});
      const size_t kept = std::min(most, own.size());
      std::partial_sort(own.begin(), own.begin() + static_cast<int64_t>(kept), own.end(),
                        is_better);
      all.insert(all.end(), own.begin(), own.begin() + static_cast<int64_t>(kept));
    }
    std::sort(all.begin(), all.end(), is_better);
    return all;
  }

  // The best that go on become the live ones; those that end on the way are kept aside.
  [[nodiscard]] std::vector<Extension> advance(const std::vector<Candidate>& found) {
    std::vector<Beam> next;
    std::vector<Extension> extensions;
    for (const Candidate& each : found) {
      if (next.size() == static_cast<size_t>(options_.beams)) break;
      Beam beam = live_[each.beam];
      beam.tokens.push_back(each.token);
      beam.log_probability = each.log_probability;
      beam.is_ended = rules_.ends && rules_.ends(beam.tokens);
      if (!beam.is_ended) extensions.push_back({each.beam, each.token});
      (beam.is_ended ? ended_ : next).push_back(std::move(beam));
    }
    live_ = std::move(next);
    return extensions;
  }

  // Whether none of the live ones can become better than the best that ended: they only become
  // less likely, and longer.
  [[nodiscard]] bool is_decided() const {
    if (live_.empty()) return true;
    if (ended_.empty()) return false;
    double best = score(ended_.front());
    for (const Beam& beam : ended_) best = std::max(best, score(beam));
    const double longest =
        std::pow(static_cast<double>(options_.max_tokens), options_.length_penalty);
    return std::all_of(live_.begin(), live_.end(),
                       [&](const Beam& beam) { return best >= beam.log_probability / longest; });
  }

  TokenScorer& scorer_;
  BeamOptions options_;
  const BeamRules& rules_;
  std::vector<Beam> live_;
  std::vector<Beam> ended_;
};

}  // namespace

double beam_score(const Beam& beam, double length_penalty) {
  return beam.log_probability / std::pow(static_cast<double>(beam.tokens.size()), length_penalty);
}

std::vector<Beam> beam_search(TokenScorer& scorer, const Tokens& prompt, const BeamOptions& options,
                              const BeamRules& rules) {
  return BeamSearch(scorer, options, rules).run(prompt);
}

}  // namespace hearth
