#include "hearth/format/sentencepiece.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

std::string stored_model(const std::string& name) {
  return read_file(std::string(HEARTH_SOURCE_DIR) + "/tests/corpus/sentencepiece/" + name +
                   ".model");
}

std::string pieces_fault(const std::string& file) {
  return message_of<DataError>([&] { (void)parse_sentencepiece(file, "x.model"); });
}

std::string field_of(char tag, const std::string& bytes) {
  return std::string{tag, static_cast<char>(bytes.size())} + bytes;
}

// A piece with its kind, and a score when it is not 0.
std::string piece_of(const std::string& text, char kind, float score = 0) {
  std::string message = field_of(0x0A, text) + '\x15';
  const auto bits = std::bit_cast<uint32_t>(score);
  for (int i = 0; i < 4; ++i) message += static_cast<char>(bits >> 8 * i);
  return field_of(0x0A, message + '\x18' + kind);
}

TEST(SentencePieceFile, HoldsPiecesAndRules) {
  const SentencePieceModel model = parse_sentencepiece(stored_model("unigram"), "x.model");
  EXPECT_EQ(model.type, SentencePieceModel::Type::kUnigram);
  EXPECT_EQ(model.pieces[0].kind, SentencePiece::Kind::kUnknown);
  EXPECT_EQ(model.pieces[1].text, "<s>");
  EXPECT_TRUE(model.of_byte.empty());
  const DoubleArray::Match match = model.rules.map.longest_prefix("\xEF\xAC\x81ne");
  EXPECT_EQ(match.bytes, 3U);
  EXPECT_EQ(model.rules.replacement(match.value), "fi");
  EXPECT_EQ(model.rules.map.longest_prefix("xyz").bytes, 0U);
  EXPECT_EQ(parse_sentencepiece(stored_model("bpe_bytes"), "x.model").of_byte.size(), 256U);
}

TEST(SentencePieceFile, SaysWhatIsWrong) {
  const std::string unknown = piece_of("<unk>", 2);
  const std::string ending = ". Is it a SentencePiece model?";
  EXPECT_EQ(pieces_fault(""), "x.model: holds no pieces" + ending);
  EXPECT_EQ(pieces_fault(piece_of("a", 1)), "x.model: holds no piece for what is unknown" + ending);
  EXPECT_EQ(pieces_fault(unknown + piece_of("b", 2)),
            "x.model: holds two pieces for what is unknown" + ending);
  EXPECT_EQ(pieces_fault(unknown + unknown), "x.model: holds the piece '<unk>' twice" + ending);
  EXPECT_EQ(pieces_fault(unknown + piece_of("", 1)), "x.model: piece 1 is empty" + ending);
  EXPECT_EQ(pieces_fault(unknown + piece_of("a", 7)), "x.model: a piece has the kind 7" + ending);
  EXPECT_EQ(pieces_fault(unknown + piece_of("a", 1, std::numeric_limits<float>::quiet_NaN())),
            "x.model: the score of piece 1 is no number" + ending);
  const std::string bytes = field_of(0x12, "\x98\x02\x01");  // byte_fallback
  EXPECT_EQ(pieces_fault(unknown + bytes), "x.model: has no piece <0x00>" + ending);
  const std::string map = field_of(0x1A, field_of(0x12,
                                                  "\xFF\xFF\xFF\xFF"
                                                  "ab"));
  EXPECT_EQ(pieces_fault(unknown + map),
            "x.model: the normalizer's map ends before its tree does" + ending);
}

TEST(SentencePieceFile, CutAnywhereIsAnErrorOrAModelOfFewerPieces) {
  const std::string file = stored_model("bpe");
  const size_t all = parse_sentencepiece(file, "x.model").pieces.size();
  for (size_t length = 0; length < file.size(); ++length) {
    try {
      EXPECT_LE(parse_sentencepiece(file.substr(0, length), "x.model").pieces.size(), all);
    } catch (const DataError& error) {
      EXPECT_EQ(std::string(error.what()).find("x.model: "), 0U);
    }
  }
}

}  // namespace
}  // namespace hearth
