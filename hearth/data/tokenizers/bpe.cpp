// Byte pairs merged as GPT-2 does, from its vocab.json and merges.txt.
#include "hearth/data/tokenizers/bpe.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/byte_pair_merger.h"
#include "hearth/data/gpt2_pieces.h"

namespace hearth::tokenizers {

namespace {

class BpeTokenizer : public Tokenizer {
 public:
  using Options = BpeOptions;
  explicit BpeTokenizer(Options options) : options_(std::move(options)) {}

  void open() override {
    const std::string vocab = read_token_file(options_.vocab, options_.vocab_digest);
    const std::string merges = read_token_file(options_.merges, options_.merges_digest);
    pairs_ = parse_byte_pairs({vocab, options_.vocab}, {merges, options_.merges});
    names_.clear();
    for (const std::string& token : pairs_.tokens) names_.push_back(token_name(token));
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    thread_local BytePairMerger merger;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = gpt2_piece_end(text, begin);
      merger.merge(pairs_, text.substr(begin, end - begin), tokens);
      begin = end;
    }
  }

  std::string decode(std::span<const int32_t> tokens) const override {
    std::string text;
    for (const int32_t token : tokens) {
      check_token(token, pairs_.tokens.size());
      text += pairs_.tokens[static_cast<size_t>(token)];
    }
    return text;
  }

 private:
  Options options_;
  BytePairs pairs_;
  std::vector<std::string> names_;
};

}  // namespace

const Schema<BpeOptions>& BpeOptions::schema() {
  using O = BpeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::vocab, "vocab", "The tokens with their numbers: vocab.json.", is_path(),
                 required(), not_empty())
          .field(&O::merges, "merges", "The rules, first ones first: merges.txt.", is_path(),
                 required(), not_empty())
          .field(&O::vocab_digest, "vocab_digest",
                 "SHA-256 of the vocabulary. Left out, a run fills it in when it starts.",
                 digest_of("vocab"))
          .field(&O::merges_digest, "merges_digest",
                 "SHA-256 of the rules. Left out, a run fills it in when it starts.",
                 digest_of("merges"));
  return schema;
}

Choice<Tokenizer> bpe(BpeOptions options) { return choose<Tokenizer>("bpe", options); }

void register_bpe(Registry<Tokenizer>& registry) {
  registry.add<BpeTokenizer>("bpe", "Byte pairs merged as GPT-2 does, from its two files.");
}

}  // namespace hearth::tokenizers
