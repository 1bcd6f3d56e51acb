// Some tokens hidden, to be predicted from the others, as BERT is trained: of those chosen, 80 %
// become the mask, 10 % any token, and 10 % stay.
#include "hearth/data/ops/text/mask_tokens.h"

#include <algorithm>
#include <atomic>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

// By the marks of the usual vocabularies: "##" goes on with a word; a blank, or the sign that
// SentencePiece writes for one, begins it. A blank of its own parts words.
bool goes_on(const std::string& name) { return name.size() > 2 && name.starts_with("##"); }

bool begins_with_blank(const std::string& name) {
  return name.starts_with(' ') || name.starts_with("\xE2\x96\x81") || name == "\\n" ||
         name == "\\t";
}

class MaskTokens : public SampleOp {
 public:
  using Options = MaskTokensOptions;
  explicit MaskTokens(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  std::vector<std::string> writes() const override { return {options_.key, options_.targets}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& tokens = inputs.at(0);
    if (tokens.role != Role::kTokens || tokens.shape.size() != 1 || tokens.dtype != DType::kInt64)
      throw GraphError("mask_tokens: key " + quote(options_.key) + " must hold tokens, but is " +
                       tokens.text() + " and " + std::string(name(tokens.role)) + ".");
    if (options_.first >= tokens.classes || options_.mask >= tokens.classes)
      throw GraphError("mask_tokens: key " + quote(options_.key) + " has " +
                       std::to_string(tokens.classes) + " tokens, but first is " +
                       std::to_string(options_.first) + " and mask " +
                       std::to_string(options_.mask) + ". Both must be below.");
    if (options_.whole_words && tokens.class_names.empty())
      throw GraphError("mask_tokens: whole_words needs names of the tokens, but key " +
                       quote(options_.key) + " has none. Make them with tokenize.");
    marks_the_rest_ = std::any_of(tokens.class_names.begin(), tokens.class_names.end(), goes_on);
    Spec targets = tokens;
    targets.role = Role::kClass;
    return {tokens, targets};
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const auto in = inputs[0].as<int64_t>();
    const auto tokens = outputs[0].take(inputs[0].shape).as<int64_t>();
    const auto targets = outputs[1].take(inputs[0].shape).as<int64_t>();
    std::copy(in.begin(), in.end(), tokens.begin());
    std::fill(targets.begin(), targets.end(), options_.ignored);
    thread_local std::vector<size_t> begins;
    find_units(*inputs[0].spec, in, begins);
    if (begins.empty()) return;
    bool is_any = false;
    for (const size_t begin : begins) {
      if (random.uniform() >= options_.share) continue;
      hide_unit(random, *inputs[0].spec, begin, tokens, targets);
      is_any = true;
    }
    // A sample without a target would teach nothing, and a batch of them has no loss.
    if (is_any) return;
    const size_t chosen = begins[random.below(static_cast<uint32_t>(begins.size()))];
    hide_unit(random, *inputs[0].spec, chosen, tokens, targets);
  }

 private:
  // Padding and other tokens that stand for no text are left alone.
  [[nodiscard]] bool is_text(int64_t token) const { return token >= options_.first; }

  // Where tokens or whole words begin. Within a word the first token alone has a begin.
  void find_units(const Spec& spec, std::span<const int64_t> tokens,
                  std::vector<size_t>& begins) const {
    begins.clear();
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (!is_text(tokens[i])) continue;
      if (options_.whole_words && i > 0 && is_text(tokens[i - 1]) && !begins_word(spec, tokens[i]))
        continue;
      begins.push_back(i);
    }
  }

  [[nodiscard]] bool begins_word(const Spec& spec, int64_t token) const {
    const std::string& name = spec.class_names[static_cast<size_t>(token)];
    return marks_the_rest_ ? !goes_on(name) : begins_with_blank(name);
  }

  void hide_unit(Random& random, const Spec& spec, size_t begin, std::span<int64_t> tokens,
                 std::span<int64_t> targets) const {
    size_t end = begin + 1;
    if (options_.whole_words)
      while (end < tokens.size() && is_text(tokens[end]) && !begins_word(spec, tokens[end])) ++end;
    for (size_t i = begin; i < end; ++i) {
      targets[i] = tokens[i];
      tokens[i] = hidden(random, tokens[i], spec.classes);
    }
  }

  [[nodiscard]] int64_t hidden(Random& random, int64_t token, int64_t classes) const {
    const double draw = random.uniform();
    if (draw < options_.masked_share) return options_.mask;
    if (draw < options_.masked_share + options_.random_share)
      return random.between(options_.first, classes - 1);
    return token;
  }

  Options options_;
  mutable std::atomic<bool> marks_the_rest_ = false;  // found as specs are
};

}  // namespace

const Schema<MaskTokensOptions>& MaskTokensOptions::schema() {
  using O = MaskTokensOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key of the tokens.", not_empty())
          .field(&O::targets, "targets",
                 "The key of what is to be predicted: the token where one was chosen, `ignored` "
                 "elsewhere.",
                 not_empty())
          .field(&O::share, "share", "How many tokens, or words, are chosen; one at least.",
                 above(0), at_most(1))
          .field(&O::mask, "mask", "The token that hides others; `first` of tokenize leaves room.",
                 at_least(0))
          .field(&O::first, "first",
                 "The first token of text; those below it, such as padding, are never chosen.",
                 at_least(0))
          .field(&O::masked_share, "masked_share", "How many of the chosen become the mask.",
                 at_least(0), at_most(1))
          .field(&O::random_share, "random_share",
                 "How many of the chosen become any token; the rest stay as they are.", at_least(0),
                 at_most(1))
          .field(&O::whole_words, "whole_words",
                 "Whether all tokens of a word are chosen together, by the names of the tokens: a "
                 "blank begins a word, ## goes on with it.")
          .field(&O::ignored, "ignored",
                 "The target where nothing was chosen; losses leave -100 out.")
          .check("'masked_share' and 'random_share' must not be above 1 together.",
                 [](const O& options) { return options.masked_share + options.random_share <= 1; })
          .check("'key' and 'targets' must differ.",
                 [](const O& options) { return options.key != options.targets; });
  return schema;
}

Choice<SampleOp> mask_tokens(MaskTokensOptions options) {
  return choose<SampleOp>("mask_tokens", options);
}

void register_mask_tokens(Registry<SampleOp>& registry) {
  registry.add<MaskTokens>("mask_tokens",
                           "Hides some tokens, to be predicted from the others, as BERT does.");
}

}  // namespace hearth::sample_ops
