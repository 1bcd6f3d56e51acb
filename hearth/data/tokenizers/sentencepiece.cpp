// The pieces of a SentencePiece model as tokens, by its own library.
#include "hearth/data/tokenizers/sentencepiece.h"

#include <sentencepiece_processor.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"

namespace hearth::tokenizers {

namespace {

class SentencepieceTokenizer : public Tokenizer {
 public:
  using Options = SentencepieceOptions;
  explicit SentencepieceTokenizer(Options options) : options_(std::move(options)) {}

  void open() override {
    const auto status =
        processor_.LoadFromSerializedProto(read_token_file(options_.file, options_.digest));
    if (!status.ok())
      throw DataError(options_.file + ": is no SentencePiece model: " + status.message());
    const int count = processor_.GetPieceSize();
    if (count < 1) throw DataError(options_.file + ": is a SentencePiece model without pieces.");
    names_.clear();
    for (int i = 0; i < count; ++i) names_.push_back(token_name(processor_.IdToPiece(i)));
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    thread_local std::vector<int> pieces;
    const auto status = processor_.Encode({text.data(), text.size()}, &pieces);
    if (!status.ok()) throw DataError(options_.file + ": cannot encode: " + status.message());
    tokens.insert(tokens.end(), pieces.begin(), pieces.end());
  }

  std::string decode(std::span<const int32_t> tokens) const override {
    for (const int32_t token : tokens) check_token(token, names_.size());
    std::string text;
    const auto status = processor_.Decode(std::vector<int>(tokens.begin(), tokens.end()), &text);
    if (!status.ok()) throw DataError(options_.file + ": cannot decode: " + status.message());
    return text;
  }

 private:
  Options options_;
  ::sentencepiece::SentencePieceProcessor processor_;
  std::vector<std::string> names_;
};

}  // namespace

const Schema<SentencepieceOptions>& SentencepieceOptions::schema() {
  using O = SentencepieceOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file", "The model, as SentencePiece's trainer writes it: x.model.",
                 is_path(), required(), not_empty())
          .field(&O::digest, "digest",
                 "SHA-256 of the file. Left out, a run fills it in when it starts.",
                 digest_of("file"));
  return schema;
}

Choice<Tokenizer> sentencepiece(SentencepieceOptions options) {
  return choose<Tokenizer>("sentencepiece", options);
}

void register_sentencepiece(Registry<Tokenizer>& registry) {
  registry.add<SentencepieceTokenizer>("sentencepiece", "The pieces of a SentencePiece model.");
}

}  // namespace hearth::tokenizers
