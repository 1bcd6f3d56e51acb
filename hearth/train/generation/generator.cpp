// Continues texts with a trained model that scores the next token.
#include "hearth/train/generation/generator.h"

#include <algorithm>
#include <limits>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/train/generation/beam_search.h"
#include "hearth/train/generation/model_scorer.h"
#include "hearth/train/generation/token_choice.h"

namespace hearth {
namespace {

// What is the same for all texts of a call.
class Rules {
 public:
  Rules(const RunTokenizer& tokenizer, const GenerateOptions& options)
      : tokenizer_(tokenizer),
        options_(options),
        choice_{options.temperature.value_or(1), options.top_k, options.top_p} {
    const std::vector<std::string>& names = tokenizer.tokenizer->names();
    for (const std::string& stop : options.stop)
      for (size_t i = 0; i < names.size(); ++i)
        if (names[i] == stop) stop_tokens_.insert(static_cast<int64_t>(i) + tokenizer.first);
  }

  [[nodiscard]] const GenerateOptions& options() const { return options_; }
  [[nodiscard]] const RunTokenizer& tokenizer() const { return tokenizer_; }
  [[nodiscard]] const ChoiceRules& choice() const { return choice_; }
  [[nodiscard]] bool is_stop(int64_t token) const { return stop_tokens_.contains(token); }

  // Tokens that stand for no text are never written, unless they end it.
  void change(std::span<const int64_t> prompt, std::span<const int64_t> written,
              std::span<float> scores) const {
    for (size_t i = 0; i < scores.size(); ++i) {
      const auto token = static_cast<int64_t>(i);
      if (!tokenizer_.has_text(token) && !is_stop(token))
        scores[i] = -std::numeric_limits<float>::infinity();
    }
    if (options_.repetition_penalty == 1) return;
    std::vector<int64_t> all(prompt.begin(), prompt.end());
    all.insert(all.end(), written.begin(), written.end());
    penalize(scores, all, options_.repetition_penalty);
  }

 private:
  const RunTokenizer& tokenizer_;
  const GenerateOptions& options_;
  ChoiceRules choice_;
  std::set<int64_t> stop_tokens_;
};

// One text while it is written.
class Writing {
 public:
  Writing(const Rules& rules, const Tokens& prompt, int64_t sample)
      : rules_(rules),
        prompt_(prompt),
        draw_({rules.options().seed, static_cast<uint64_t>(sample), prompt}),
        text_(rules.tokenizer(), prompt),
        stops_(rules.options().stop) {}

  [[nodiscard]] bool is_done() const {
    return done_.is_ended ||
           static_cast<int64_t>(done_.tokens.size()) == rules_.options().max_tokens;
  }

  // Draws from scores of the next token.
  [[nodiscard]] int64_t drawn(std::vector<float>& scores) const {
    rules_.change(prompt_, done_.tokens, scores);
    return drawn_token(token_shares(scores, rules_.choice()),
                       draw_.at(static_cast<int64_t>(done_.tokens.size())));
  }

  // What is new in the text.
  std::string add(int64_t token, double log_probability) {
    done_.log_probability += log_probability;
    done_.is_ended = rules_.is_stop(token);
    std::string piece;
    if (!done_.is_ended) {
      done_.tokens.push_back(token);
      piece = stops_.add(text_.add(token));
      done_.is_ended = stops_.has_stopped();
    }
    if (is_done()) piece += rest();
    done_.text += piece;
    return piece;
  }

  [[nodiscard]] Continuation take() { return std::move(done_); }

 private:
  std::string rest() {
    const std::string last = stops_.add(text_.rest());
    return last + stops_.rest();
  }

  const Rules& rules_;
  const Tokens& prompt_;
  TokenDraw draw_;
  TokenText text_;
  StopWatch stops_;
  Continuation done_;
};

std::vector<Tokens> tokens_of(std::span<const Prompt> prompts, const NextTokenModel& model) {
  std::vector<Tokens> all;
  for (const Prompt& prompt : prompts) {
    if (prompt.text.empty())
      throw DataError("the text is empty; a text to continue has one character and more.");
    const std::string what = "the text " + quote(prompt.text.substr(0, 40));
    try {
      all.push_back(model.tokenizer().encode(prompt.text));
    } catch (const DataError& error) {
      throw DataError(what + " cannot be continued: " + error.what());
    }
    const auto count = static_cast<int64_t>(all.back().size());
    if (count == 0) throw DataError(what + " has no tokens, so that nothing can follow them.");
    if (model.most_places() && count > *model.most_places())
      throw DataError(what + "... has " + std::to_string(count) +
                      " tokens, but the model looks at " + std::to_string(*model.most_places()) +
                      " at most. Give only the end of it.");
  }
  return all;
}

std::vector<Continuation> drawn_texts(const NextTokenModel& model, const Rules& rules,
                                      std::span<const Prompt> prompts,
                                      const std::vector<Tokens>& tokens,
                                      const Generator::OnText& on_text) {
  ModelScorer scorer(model, {static_cast<int64_t>(tokens.size()), rules.options().max_tokens,
                             rules.options().cache});
  std::vector<Writing> writings;
  std::vector<size_t> writing;  // texts that go on, in the order of the scorer's sequences
  for (size_t i = 0; i < tokens.size(); ++i) {
    writings.emplace_back(rules, tokens[i], prompts[i].sample);
    writing.push_back(i);
  }
  TokenScores scores = scorer.begin(tokens);
  while (!writing.empty()) {
    std::vector<Extension> extensions;
    std::vector<size_t> next;
    for (size_t at = 0; at < writing.size(); ++at) {
      Writing& own = writings[writing[at]];
      const std::vector<float> plain = scores[at];
      const int64_t token = own.drawn(scores[at]);
      const std::string piece = own.add(token, log_probability(plain, token));
      if (on_text && !piece.empty()) on_text(writing[at], piece);
      if (own.is_done()) continue;
      extensions.push_back({at, token});
      next.push_back(writing[at]);
    }
    writing = std::move(next);
    if (!writing.empty()) scores = scorer.extend(extensions);
  }
  std::vector<Continuation> texts;
  for (Writing& own : writings) {
    texts.push_back(own.take());
    texts.back().is_cut = model.most_places() &&
                          static_cast<int64_t>(tokens[texts.size() - 1].size() +
                                               texts.back().tokens.size()) > *model.most_places();
  }
  return texts;
}

// The text of a beam, written as one that is drawn.
Continuation text_of(const Beam& beam, const Rules& rules, const Tokens& prompt) {
  Writing writing(rules, prompt, 0);
  for (const int64_t token : beam.tokens) {
    (void)writing.add(token, 0);
    if (writing.is_done()) break;
  }
  Continuation text = writing.take();
  text.log_probability = beam.log_probability;
  return text;
}

Continuation likeliest_text(const NextTokenModel& model, const Rules& rules, const Tokens& prompt) {
  const GenerateOptions& options = rules.options();
  ModelScorer scorer(model, {options.beams, options.max_tokens, options.cache});
  BeamRules own;
  own.may_follow = [&](std::span<const int64_t> written, std::span<float> scores) {
    rules.change(prompt, written, scores);
  };
  own.ends = [&](std::span<const int64_t> written) {
    if (rules.is_stop(written.back())) return true;
    if (options.stop.empty()) return false;
    return text_of({{written.begin(), written.end()}}, rules, prompt).is_ended;
  };
  const std::vector<Beam> beams =
      beam_search(scorer, prompt, {options.beams, options.max_tokens, options.length_penalty}, own);
  Continuation text = text_of(beams.front(), rules, prompt);
  text.is_cut = scorer.has_forgotten();
  return text;
}

}  // namespace

Generator::Generator(const Predictor& predictor)
    : predictor_(predictor), model_(std::make_shared<const NextTokenModel>(predictor_.engine())) {}

Generator::Generator(const std::filesystem::path& folder, const PredictorSettings& settings)
    : Generator(Predictor(folder, settings)) {}

Generator::Generator(Estimator& estimator) : Generator(Predictor(estimator)) {}

std::vector<Continuation> Generator::operator()(std::span<const Prompt> prompts,
                                                const GenerateOptions& options,
                                                const OnText& on_text) const {
  check_generate_options(options);
  const Rules rules(model_->tokenizer(), options);
  const std::vector<Tokens> tokens = tokens_of(prompts, *model_);
  if (tokens.empty()) return {};
  if (options.beams == 1) return drawn_texts(*model_, rules, prompts, tokens, on_text);
  std::vector<Continuation> texts;
  for (size_t i = 0; i < tokens.size(); ++i) {
    texts.push_back(likeliest_text(*model_, rules, tokens[i]));
    if (on_text) on_text(i, texts.back().text);
  }
  return texts;
}

Continuation Generator::operator()(const std::string& prompt,
                                   const GenerateOptions& options) const {
  const Prompt only{prompt};
  return (*this)(std::span(&only, 1), options).front();
}

int64_t Generator::most_places() const { return model_->most_places().value_or(0); }
bool Generator::can_remember() const { return model_->can_remember(); }

}  // namespace hearth
