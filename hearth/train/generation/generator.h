// Continues texts with a trained model that scores the next token, or writes those that a model
// with an encoder makes of them. Needs no LibTorch header.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/train/generation/generate_options.h"
#include "hearth/train/predictor.h"

namespace hearth {

class NextTokenModel;

struct Prompt {
  std::string text;
  // Several continuations of one prompt are drawn with several numbers.
  int64_t sample = 0;
};

struct Continuation {
  std::string text = {};             // what comes after the prompt, or what is made of it
  std::vector<int64_t> tokens = {};  // its tokens
  double log_probability = 0;        // of these tokens, as the model says it
  bool is_ended = false;             // by one of the texts that stop it, not by max_tokens
  bool is_cut = false;               // it outgrew what the model can look at: see most_places
};

// Made once, called often, from several threads at once as a Predictor. What a prompt is continued
// with follows from the model, the prompt, its sample and the options, whatever else is in the
// call; on other processors, numbers of threads or kernels, rounding may turn a close choice.
class Generator {
 public:
  // ConfigError says why a run cannot continue texts.
  explicit Generator(const Predictor& predictor);
  explicit Generator(const std::filesystem::path& folder, const PredictorSettings& settings = {});
  explicit Generator(Estimator& estimator);

  // What comes new to the text of a prompt, in whole characters.
  using OnText = std::function<void(size_t prompt, std::string_view piece)>;
  // In the order of the prompts. DataError for a prompt that is empty, too long, or has text that
  // the vocabulary does not know. With beams, `on_text` is told of whole texts.
  [[nodiscard]] std::vector<Continuation> operator()(std::span<const Prompt> prompts,
                                                     const GenerateOptions& options = {},
                                                     const OnText& on_text = {}) const;
  [[nodiscard]] Continuation operator()(const std::string& prompt,
                                        const GenerateOptions& options = {}) const;

  // Tokens of the text that the model looks at; 0 for no limit. A text that grows longer goes on
  // with the newer half of them.
  [[nodiscard]] int64_t most_places() const;
  // Whether a prompt is read and another text written, as a translator does, rather than continued.
  [[nodiscard]] bool reads_source() const;
  // Whether the model can compute new tokens alone, so that the cache is used.
  [[nodiscard]] bool can_remember() const;

 private:
  Predictor predictor_;
  std::shared_ptr<const NextTokenModel> model_;
};

}  // namespace hearth
