// hearth predict --text, for models that score the next token: texts go on.
#include "cli/engine/continue_text.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/train/generation/generator.h"

namespace hearth::cli {
namespace {

constexpr const char* kStandardInput = "-";

// The key that a word names before its "=", when the model has it.
std::optional<KeySpec> named_key(const std::string& word, const std::vector<KeySpec>& keys) {
  const size_t at = word.find('=');
  for (const KeySpec& key : keys)
    if (at != std::string::npos && key.key == word.substr(0, at)) return key;
  return std::nullopt;
}

std::string without_last_line_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

std::string standard_input() {
  return without_last_line_end(
      {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()});
}

// Tokens by themselves are no text; what is given for their key is one to continue.
std::optional<std::string> prompt_of(const std::string& word, const std::vector<KeySpec>& keys) {
  if (word == kStandardInput) return standard_input();
  const std::optional<KeySpec> key = named_key(word, keys);
  if (!key) return word;
  if (key->spec.role == Role::kTokens) return word.substr(key->key.size() + 1);
  return std::nullopt;
}

template <class T>
void take(const std::optional<T>& given, auto& option) {
  if (given) option = *given;
}

GenerateOptions options_of(const ContinueArguments& given) {
  GenerateOptions options;
  take(given.tokens, options.max_tokens);
  take(given.temperature, options.temperature);
  take(given.top_k, options.top_k);
  take(given.top_p, options.top_p);
  take(given.repetition_penalty, options.repetition_penalty);
  take(given.beams, options.beams);
  take(given.length_penalty, options.length_penalty);
  take(given.seed, options.seed);
  options.stop = given.stop;
  return options;
}

Json continuation_json(const std::string& prompt, const Continuation& made) {
  return {{"input", prompt},
          {"text", made.text},
          {"tokens", made.tokens},
          {"log_probability", made.log_probability},
          {"ended", made.is_ended}};
}

void say_cut(const std::vector<Continuation>& texts, const Generator& generator) {
  const bool is_cut =
      std::any_of(texts.begin(), texts.end(), [](const Continuation& each) { return each.is_cut; });
  if (is_cut)
    print_note("the model looks at " + std::to_string(generator.most_places()) +
               " tokens; a text that grew longer went on with the newer half of them.");
}

// A piece is seen at once, also where standard output is no terminal.
void show_piece(std::string_view piece) {
  print(piece);
  std::fflush(stdout);
}

// Nothing when every word may be meant for a key, whose name is then said to be wrong.
std::optional<Generator> generator_of(const PredictArguments& arguments,
                                      const Predictor& predictor) {
  try {
    return Generator(predictor);
  } catch (const ConfigError& error) {
    const bool may_name_keys =
        std::all_of(arguments.texts.begin(), arguments.texts.end(),
                    [](const std::string& word) { return word.find('=') != std::string::npos; });
    if (may_name_keys && !arguments.continuing.is_given()) return std::nullopt;
    throw ConfigError(std::string(error.what()) +
                      "\nFor what the model says of a text, write --text KEY=TEXT. It needs:\n" +
                      predictor.inputs_text());
  }
}

std::vector<std::string> prompts_of(const PredictArguments& arguments, const Predictor& predictor) {
  if (arguments.texts.empty()) return {};
  const std::vector<KeySpec> keys = predictor.inputs();
  std::vector<std::string> prompts;
  for (const std::string& word : arguments.texts)
    if (const std::optional<std::string> prompt = prompt_of(word, keys)) prompts.push_back(*prompt);
  if (prompts.empty() && arguments.continuing.is_given())
    throw ConfigError(
        "--tokens, --temperature and the like say how a text is continued, but --text gives values "
        "for keys alone. Leave out KEY=.");
  return prompts;
}

void check_alone(const std::vector<std::string>& prompts, const PredictArguments& arguments,
                 const Predictor& predictor) {
  const bool has_others = prompts.size() < arguments.texts.size() || !arguments.files.empty() ||
                          !arguments.inputs.empty() || !arguments.rows.empty() ||
                          !arguments.samples.empty();
  if (has_others)
    throw ConfigError("a text to continue, " + quote(prompts.front()) +
                      ", cannot stand beside other things to predict. Use two commands, or write "
                      "--text KEY=TEXT for a key that the model needs:\n" +
                      predictor.inputs_text());
}

std::vector<Continuation> made_and_shown(const std::vector<std::string>& prompts,
                                         const GenerateOptions& options, const Generator& generator,
                                         bool is_json) {
  std::vector<Prompt> given;
  for (const std::string& prompt : prompts) given.push_back({prompt});
  // The text itself is shown when nothing can be wrong with it any more.
  bool has_begun = false;
  const auto show = [&](size_t prompt, std::string_view piece) {
    if (!std::exchange(has_begun, true) && !generator.reads_source()) show_piece(prompts[prompt]);
    show_piece(piece);
  };
  if (is_json) return generator(given, options);
  const bool is_one = prompts.size() == 1;
  std::vector<Continuation> texts =
      generator(given, options, is_one ? Generator::OnText(show) : Generator::OnText());
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!has_begun) print((generator.reads_source() ? "" : prompts[i]) + texts[i].text);
    print(i + 1 < texts.size() && !generator.reads_source() ? "\n\n" : "\n");
  }
  return texts;
}

}  // namespace

std::optional<int> continue_texts(const PredictArguments& arguments, const Predictor& predictor) {
  const std::vector<std::string> prompts = prompts_of(arguments, predictor);
  if (prompts.empty()) return std::nullopt;
  const std::optional<Generator> generator = generator_of(arguments, predictor);
  if (!generator) return std::nullopt;
  check_alone(prompts, arguments, predictor);
  const std::vector<Continuation> texts =
      made_and_shown(prompts, options_of(arguments.continuing), *generator, arguments.is_json);
  if (arguments.is_json) {
    Json json = Json::array();
    for (size_t i = 0; i < texts.size(); ++i)
      json.push_back(continuation_json(prompts[i], texts[i]));
    print(json_line(json));
  } else {
    say_cut(texts, *generator);
  }
  return 0;
}

}  // namespace hearth::cli
