// Text as tokens of any kind; the numbers below `first` are free, 0 for padding.
#include "hearth/data/ops/text/tokenize.h"

#include <memory>
#include <mutex>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/tokenizer.h"

namespace hearth::sample_ops {

namespace {

class Tokenize : public SampleOp {
 public:
  using Options = TokenizeOptions;
  explicit Tokenize(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.out}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& spec = inputs.at(0);
    if (spec.role != Role::kText)
      throw GraphError("tokenize: key " + quote(options_.in) + " must hold text, but is " +
                       spec.text() + " and " + std::string(name(spec.role)) + ".");
    const Tokenizer& tokenizer = tokenizer_of(spec.class_names);
    Spec tokens{.dtype = DType::kInt64, .shape = {kAnyLength}};
    tokens.role = Role::kTokens;
    for (int64_t i = 0; i < options_.first; ++i) tokens.class_names.push_back(free_name(i));
    tokens.class_names.insert(tokens.class_names.end(), tokenizer.names().begin(),
                              tokenizer.names().end());
    tokens.classes = static_cast<int64_t>(tokens.class_names.size());
    return {tokens};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    thread_local std::vector<int32_t> found;
    found.clear();
    const auto text = inputs[0].as<char>();
    tokenizer_->encode({text.data(), text.size()}, found);
    const size_t before = options_.begin ? 1 : 0;
    const size_t count = before + found.size() + (options_.end ? 1 : 0);
    const auto tokens = outputs[0].take({static_cast<int64_t>(count)}).as<int64_t>();
    if (options_.begin) tokens[0] = *options_.begin;
    for (size_t i = 0; i < found.size(); ++i) tokens[before + i] = found[i] + options_.first;
    if (options_.end) tokens[count - 1] = *options_.end;
  }

 private:
  [[nodiscard]] std::string free_name(int64_t number) const {
    if (options_.begin == number) return "<begin>";
    return options_.end == number ? "<end>" : "<" + std::to_string(number) + ">";
  }

  // The vocabulary travels with the specs of the data. It is taken once: workers read it.
  [[nodiscard]] const Tokenizer& tokenizer_of(const std::vector<std::string>& names) const {
    const std::lock_guard lock(mutex_);
    if (tokenizer_ == nullptr) {
      tokenizer_ = open_tokenizer(options_.tokens, {.names = names});
      names_ = names;
    }
    if (names_ != names)
      throw GraphError("tokenize: the texts of key " + quote(options_.in) +
                       " have several vocabularies. Give all sources the same, `vocabulary: {" +
                       options_.tokens.name() + ": {file: train.txt}}`.");
    return *tokenizer_;
  }

  Options options_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Tokenizer> tokenizer_;
  mutable std::vector<std::string> names_;
};

}  // namespace

const Schema<TokenizeOptions>& TokenizeOptions::schema() {
  using O = TokenizeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key that holds text.", not_empty())
          .field(&O::out, "out", "The key of the tokens.", not_empty())
          .field(&O::tokens, "tokens",
                 "What the text is cut into: bytes, characters, words, bpe or sentencepiece. "
                 "Characters and words take the vocabulary of the text's source, if it has one.")
          .field(&O::first, "first",
                 "The number of the vocabulary's first token; those below it are free, for "
                 "padding and masks.",
                 at_least(0), at_most(65'536))
          .field(&O::begin, "begin", "A free number that stands before every text; left out: none.",
                 at_least(0))
          .field(&O::end, "end",
                 "A free number that stands behind every text, where one that is written later "
                 "ends; left out: none.",
                 at_least(0))
          .check("begin and end must be two numbers below first.", [](const O& options) {
            const auto is_free = [&](const std::optional<int64_t>& number) {
              return !number || *number < options.first;
            };
            return is_free(options.begin) && is_free(options.end) &&
                   !(options.begin && options.begin == options.end);
          });
  return schema;
}

Choice<SampleOp> tokenize(const TokenizeOptions& options) {
  return choose<SampleOp>("tokenize", options);
}

void register_tokenize(Registry<SampleOp>& registry) {
  registry.add<Tokenize>("tokenize", "Text as tokens: bytes, characters, words or pieces.");
}

}  // namespace hearth::sample_ops
