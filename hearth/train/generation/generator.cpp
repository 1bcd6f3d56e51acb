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
    if (tokenizer.end) stop_tokens_.insert(*tokenizer.end);
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

// What a text begins with, and what was asked: another text, where the model reads one.
struct Beginning {
  Tokens tokens;
  Tokens asked;
};

// One text while it is written.
class Writing {
 public:
  Writing(const Rules& rules, const Beginning& beginning, int64_t sample)
      : rules_(rules),
        prompt_(beginning.tokens),
        draw_({rules.options().seed, static_cast<uint64_t>(sample), beginning.asked}),
        text_(rules.tokenizer(), beginning.tokens),
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
  const RunTokenizer& reader = model.reads_source() ? model.source_tokenizer() : model.tokenizer();
  for (const Prompt& prompt : prompts) {
    if (prompt.text.empty())
      throw DataError("the text is empty; a text to continue has one character and more.");
    const std::string what = "the text " + quote(prompt.text.substr(0, 40));
    try {
      all.push_back(model.reads_source() ? reader.encode_whole(prompt.text)
                                         : reader.encode(prompt.text));
    } catch (const DataError& error) {
      throw DataError(what +
                      (model.reads_source() ? " cannot be read: " : " cannot be continued: ") +
                      error.what());
    }
    const auto count = static_cast<int64_t>(all.back().size());
    if (count == 0) throw DataError(what + " has no tokens, so that nothing can follow them.");
    if (!model.reads_source() && model.most_places() && count > *model.most_places())
      throw DataError(what + "... has " + std::to_string(count) +
                      " tokens, but the model looks at " + std::to_string(*model.most_places()) +
                      " at most. Give only the end of it.");
  }
  return all;
}

std::vector<Continuation> drawn_texts(const NextTokenModel& model, const Rules& rules,
                                      std::span<const Prompt> prompts,
                                      const std::vector<Beginning>& beginnings,
                                      const SourceText& source, const Generator::OnText& on_text) {
  ModelScorer scorer(
      model,
      {static_cast<int64_t>(beginnings.size()), rules.options().max_tokens, rules.options().cache},
      source);
  std::vector<Writing> writings;
  std::vector<size_t> writing;  // texts that go on, in the order of the scorer's sequences
  std::vector<Tokens> tokens;
  for (size_t i = 0; i < beginnings.size(); ++i) {
    writings.emplace_back(rules, beginnings[i], prompts[i].sample);
    writing.push_back(i);
    tokens.push_back(beginnings[i].tokens);
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
Continuation text_of(const Beam& beam, const Rules& rules, const Beginning& beginning) {
  Writing writing(rules, beginning, 0);
  for (const int64_t token : beam.tokens) {
    (void)writing.add(token, 0);
    if (writing.is_done()) break;
  }
  Continuation text = writing.take();
  text.log_probability = beam.log_probability;
  return text;
}

Continuation likeliest_text(const NextTokenModel& model, const Rules& rules,
                            const Beginning& beginning, const SourceText& source) {
  const GenerateOptions& options = rules.options();
  ModelScorer scorer(model, {options.beams, options.max_tokens, options.cache}, source);
  BeamRules own;
  own.may_follow = [&](std::span<const int64_t> written, std::span<float> scores) {
    rules.change(beginning.tokens, written, scores);
  };
  own.ends = [&](std::span<const int64_t> written) {
    if (rules.is_stop(written.back())) return true;
    if (options.stop.empty()) return false;
    return text_of({{written.begin(), written.end()}}, rules, beginning).is_ended;
  };
  const std::vector<Beam> beams = beam_search(
      scorer, beginning.tokens, {options.beams, options.max_tokens, options.length_penalty}, own);
  Continuation text = text_of(beams.front(), rules, beginning);
  text.is_cut = scorer.has_forgotten();
  return text;
}

// A model that reads a text writes about one at a time; others go on with all at once.
std::vector<Continuation> written_texts(const NextTokenModel& model, const Rules& rules,
                                        std::span<const Prompt> prompts,
                                        const Generator::OnText& on_text) {
  const std::vector<Tokens> tokens = tokens_of(prompts, model);
  std::vector<Beginning> beginnings;
  for (const Tokens& asked : tokens)
    beginnings.push_back({model.reads_source() ? Tokens{*model.tokenizer().begin} : asked, asked});
  const bool is_drawn = rules.options().beams == 1;
  if (is_drawn && !model.reads_source())
    return drawn_texts(model, rules, prompts, beginnings, {}, on_text);
  std::vector<Continuation> texts;
  for (size_t i = 0; i < prompts.size(); ++i) {
    const SourceText source = model.reads_source() ? model.source_of(tokens[i]) : SourceText();
    if (is_drawn) {
      const auto on_piece = [&](size_t, std::string_view piece) { on_text(i, piece); };
      texts.push_back(drawn_texts(model, rules, prompts.subspan(i, 1), {beginnings[i]}, source,
                                  on_text ? Generator::OnText(on_piece) : Generator::OnText())
                          .front());
    } else {
      texts.push_back(likeliest_text(model, rules, beginnings[i], source));
      if (on_text) on_text(i, texts.back().text);
    }
  }
  return texts;
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
  if (prompts.empty()) return {};
  return written_texts(*model_, rules, prompts, on_text);
}

Continuation Generator::operator()(const std::string& prompt,
                                   const GenerateOptions& options) const {
  const Prompt only{prompt};
  return (*this)(std::span(&only, 1), options).front();
}

int64_t Generator::most_places() const { return model_->most_places().value_or(0); }
bool Generator::reads_source() const { return model_->reads_source(); }
bool Generator::can_remember() const { return model_->can_remember(); }

}  // namespace hearth
