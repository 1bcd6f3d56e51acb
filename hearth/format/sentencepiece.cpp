// ModelProto { pieces = 1, trainer_spec = 2, normalizer_spec = 3, denormalizer_spec = 5 }, and of
// these messages the fields that reading a text needs.
#include "hearth/format/sentencepiece.h"

#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/protobuf.h"

namespace hearth {

namespace {

using FieldKind = ProtobufField::Kind;
using PieceKind = SentencePiece::Kind;

std::string byte_piece(size_t byte) {
  constexpr const char* kHex = "0123456789ABCDEF";
  return {'<', '0', 'x', kHex[byte >> 4], kHex[byte & 15], '>'};
}

class SentencePieceReader {
 public:
  explicit SentencePieceReader(const std::string& what) : what_(what) {}

  SentencePieceModel read(std::string_view file) {
    for_each_field(file, [&](const ProtobufField& field) {
      if (field.number == 1) add_piece(bytes_of(field, "a piece"));
      if (field.number == 2) read_training(bytes_of(field, "the trainer's options"));
      if (field.number == 3) read_rules(bytes_of(field, "the normalizer"), model_.rules);
      if (field.number == 5) read_rules(bytes_of(field, "the denormalizer"), model_.back);
    });
    check_pieces();
    if (falls_back_to_bytes_) find_bytes();
    return std::move(model_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(what_ + ": " + reason + ". Is it a SentencePiece model?");
  }

  template <class Visit>
  void for_each_field(std::string_view message, const Visit& visit) const {
    ProtobufReader reader(message, what_);
    while (const auto field = reader.next()) visit(*field);
  }

  [[nodiscard]] std::string_view bytes_of(const ProtobufField& field,
                                          const std::string& name) const {
    if (field.kind != FieldKind::kBytes) fail(name + " is a number, but bytes were expected");
    return field.bytes;
  }
  [[nodiscard]] uint64_t number_of(const ProtobufField& field, const std::string& name) const {
    if (field.kind != FieldKind::kVarint) fail(name + " is no whole number");
    return field.value;
  }

  void add_piece(std::string_view message) {
    SentencePiece piece;
    for_each_field(message, [&](const ProtobufField& field) {
      if (field.number == 1) piece.text = bytes_of(field, "a piece's text");
      if (field.number == 2) {
        if (field.kind != FieldKind::kFixed32) fail("a piece's score is no float");
        piece.score = std::bit_cast<float>(static_cast<uint32_t>(field.value));
      }
      if (field.number == 3) {
        const uint64_t kind = number_of(field, "a piece's kind");
        if (kind < 1 || kind > 6) fail("a piece has the kind " + std::to_string(kind));
        piece.kind = static_cast<PieceKind>(kind);
      }
    });
    const std::string number = std::to_string(model_.pieces.size());
    if (piece.text.empty()) fail("piece " + number + " is empty");
    if (!std::isfinite(piece.score)) fail("the score of piece " + number + " is no number");
    model_.pieces.push_back(std::move(piece));
  }

  void read_training(std::string_view message) {
    for_each_field(message, [&](const ProtobufField& field) {
      if (field.number == 3) {
        const uint64_t type = number_of(field, "the type of the model");
        if (type < 1 || type > 4) fail("a model of the type " + std::to_string(type));
        model_.type = static_cast<SentencePieceModel::Type>(type);
      }
      if (field.number == 24) model_.blank_is_suffix = number_of(field, "an option") != 0;
      if (field.number == 35) falls_back_to_bytes_ = number_of(field, "an option") != 0;
      if (field.number == 44) model_.unknown_surface = bytes_of(field, "an option");
      if (field.number == 46) model_.begin_piece = bytes_of(field, "an option");
      if (field.number == 47) model_.end_piece = bytes_of(field, "an option");
    });
  }

  void read_rules(std::string_view message, SentencePieceRules& rules) const {
    for_each_field(message, [&](const ProtobufField& field) {
      if (field.number == 2) read_map(bytes_of(field, "the normalizer's map"), rules);
      if (field.number == 3) rules.add_dummy_prefix = number_of(field, "an option") != 0;
      if (field.number == 4) rules.remove_extra_whitespaces = number_of(field, "an option") != 0;
      if (field.number == 5) rules.escape_whitespaces = number_of(field, "an option") != 0;
    });
  }

  // The length of the tree, the tree, and what its numbers point into.
  void read_map(std::string_view map, SentencePieceRules& rules) const {
    if (map.empty()) return;
    uint64_t tree_bytes = 0;
    for (size_t i = 0; i < 4 && i < map.size(); ++i)
      tree_bytes |= static_cast<uint64_t>(static_cast<unsigned char>(map[i])) << 8 * i;
    if (map.size() < 4 || tree_bytes >= map.size() - 4)
      fail("the normalizer's map ends before its tree does");
    rules.map = DoubleArray(map.substr(4, static_cast<size_t>(tree_bytes)));
    rules.replacements = map.substr(4 + static_cast<size_t>(tree_bytes));
  }

  void check_pieces() {
    if (model_.pieces.empty()) fail("holds no pieces");
    if (model_.pieces.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
      fail("holds more than 2147483647 pieces");
    std::unordered_set<std::string_view> known;
    model_.unknown = -1;
    for (size_t i = 0; i < model_.pieces.size(); ++i) {
      const SentencePiece& piece = model_.pieces[i];
      if (!known.insert(piece.text).second) fail("holds the piece " + quote(piece.text) + " twice");
      if (piece.kind != PieceKind::kUnknown) continue;
      if (model_.unknown >= 0) fail("holds two pieces for what is unknown");
      model_.unknown = static_cast<int32_t>(i);
    }
    if (model_.unknown < 0) fail("holds no piece for what is unknown");
  }

  void find_bytes() {
    model_.of_byte.assign(256, -1);
    for (size_t i = 0; i < model_.pieces.size(); ++i) {
      const std::string& text = model_.pieces[i].text;
      if (model_.pieces[i].kind != PieceKind::kByte) continue;
      size_t byte = 0;
      while (byte < 256 && byte_piece(byte) != text) ++byte;
      if (byte == 256) fail("holds " + quote(text) + " as a byte, which is none");
      model_.of_byte[byte] = static_cast<int32_t>(i);
    }
    for (size_t byte = 0; byte < 256; ++byte)
      if (model_.of_byte[byte] < 0) fail("has no piece " + byte_piece(byte));
  }

  const std::string& what_;
  SentencePieceModel model_;
  bool falls_back_to_bytes_ = false;
};

}  // namespace

std::string_view SentencePieceRules::replacement(uint32_t place) const {
  if (place >= replacements.size()) return {};
  const std::string_view rest = std::string_view(replacements).substr(place);
  return rest.substr(0, rest.find('\0'));
}

SentencePieceModel parse_sentencepiece(std::string_view file, const std::string& what) {
  return SentencePieceReader(what).read(file);
}

}  // namespace hearth
