// The pieces of a SentencePiece model, from its .model file; the same tokens as the library's.
#include "hearth/data/tokenizers/sentencepiece.h"

#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/sentencepiece/piece_cutter.h"
#include "hearth/data/sentencepiece/piece_decoder.h"
#include "hearth/data/sentencepiece/piece_normalizer.h"

namespace hearth::tokenizers {

namespace {

// A model and all that is made of it.
struct OpenedModel {
  explicit OpenedModel(SentencePieceModel read)
      : model(std::move(read)),
        table(model),
        normalizer(model.rules, table.whole, model.blank_is_suffix),
        cutter(make_piece_cutter(table)) {}
  OpenedModel(const OpenedModel&) = delete;
  OpenedModel& operator=(const OpenedModel&) = delete;

  SentencePieceModel model;
  PieceTable table;
  PieceNormalizer normalizer;
  std::unique_ptr<PieceCutter> cutter;
};

class SentencepieceTokenizer : public Tokenizer {
 public:
  using Options = SentencepieceOptions;
  explicit SentencepieceTokenizer(Options options) : options_(std::move(options)) {}

  void open() override {
    const std::string content = read_token_file(options_.file, options_.digest);
    opened_ = std::make_unique<OpenedModel>(parse_sentencepiece(content, options_.file));
    names_.clear();
    for (const SentencePiece& piece : opened_->model.pieces)
      names_.push_back(token_name(piece.text));
    if (options_.begin) begin_ = control_token("begin", opened_->model.begin_piece);
    if (options_.end) end_ = control_token("end", opened_->model.end_piece);
  }

  bool encodes_parts() const override { return false; }
  const std::vector<std::string>& names() const override { return names_; }

  void encode(std::string_view text, std::vector<int32_t>& tokens) const override {
    if (begin_) tokens.push_back(*begin_);
    encode_pieces(text, tokens);
    if (end_) tokens.push_back(*end_);
  }

  std::string decode(std::span<const int32_t> tokens) const override {
    for (const int32_t token : tokens) check_token(token, names_.size());
    return decode_pieces(opened_->model, tokens);
  }

 private:
  // Unknown letters are their bytes where the model has them, else one token for all in a row.
  void encode_pieces(std::string_view text, std::vector<int32_t>& tokens) const {
    const SentencePieceModel& model = opened_->model;
    bool follows_unknown = false;
    opened_->cutter->cut(opened_->normalizer.normalized(text),
                         [&](std::string_view piece, int32_t token) {
                           const bool is_unknown = token == model.unknown;
                           if (!is_unknown || (model.of_byte.empty() && !follows_unknown))
                             tokens.push_back(token);
                           else if (!model.of_byte.empty())
                             for (const char byte : piece)
                               tokens.push_back(model.of_byte[static_cast<unsigned char>(byte)]);
                           follows_unknown = is_unknown;
                         });
  }

  [[nodiscard]] int32_t control_token(const std::string& option, const std::string& piece) const {
    const auto& others = opened_->table.others;
    const auto found = others.find(piece);
    if (found == others.end())
      throw ConfigError(option + ": the model " + options_.file + " has no piece " + quote(piece) +
                        ". Set '" + option + "' to false.");
    return found->second;
  }

  Options options_;
  std::unique_ptr<OpenedModel> opened_;
  std::vector<std::string> names_;
  std::optional<int32_t> begin_;
  std::optional<int32_t> end_;
};

}  // namespace

const Schema<SentencepieceOptions>& SentencepieceOptions::schema() {
  using O = SentencepieceOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file", "The model that SentencePiece trained, a .model file.",
                 is_path(), required(), not_empty())
          .field(&O::digest, "digest",
                 "SHA-256 of the file. Left out, a run fills it in when it starts.",
                 digest_of("file"))
          .field(&O::begin, "begin", "Whether every text begins with the model's token for that.")
          .field(&O::end, "end", "Whether every text ends with the model's token for that.");
  return schema;
}

Choice<Tokenizer> sentencepiece(SentencepieceOptions options) {
  return choose<Tokenizer>("sentencepiece", options);
}

void register_sentencepiece(Registry<Tokenizer>& registry) {
  registry.add<SentencepieceTokenizer>(
      "sentencepiece",
      "Pieces of a SentencePiece model (unigram, byte pairs, words or characters), with the "
      "library's tokens.");
}

}  // namespace hearth::tokenizers
