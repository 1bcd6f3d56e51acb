#include "hearth/format/byte_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

nlohmann::json stored_pairs() {
  return nlohmann::json::parse(
      read_file(std::string(HEARTH_SOURCE_DIR) + "/tests/parity/text.json"));
}

std::string pairs_fault(const std::string& vocab, const std::string& merges) {
  return message_of<DataError>([&] {
    (void)parse_byte_pairs({vocab, "vocab.json"}, {merges, "merges.txt"});
  });
}

TEST(BytePairs, ReadsTokensAndRules) {
  const auto stored = stored_pairs();
  const std::string merges = stored["merges"];
  const BytePairs pairs =
      parse_byte_pairs({stored["vocab"].dump(), "vocab.json"}, {merges, "merges.txt"});
  EXPECT_EQ(pairs.tokens.size(), stored["vocab"].size());
  EXPECT_EQ(pairs.tokens[static_cast<size_t>(pairs.of_byte[' '])], " ");
  EXPECT_EQ(pairs.merges.size(),
            static_cast<size_t>(std::count(merges.begin(), merges.end(), '\n')) - 1);
}

TEST(BytePairs, SaysWhatIsWrongAndWhere) {
  const std::string vocab = stored_pairs()["vocab"].dump();
  EXPECT_NE(pairs_fault("[]", "").find("vocab.json: expected a JSON object"), std::string::npos);
  EXPECT_NE(pairs_fault(R"({"a": 0, "b": 2})", "").find("the token 'b' has the number 2"),
            std::string::npos);
  EXPECT_NE(pairs_fault(R"({"a": 0, "b": 0})", "").find("each one its own"), std::string::npos);
  EXPECT_NE(pairs_fault(R"({"a": -1})", "").find("has the number -1"), std::string::npos);
  EXPECT_NE(pairs_fault(R"({"a": 0})", "").find("has no token for the byte 0"), std::string::npos);
  EXPECT_EQ(pairs_fault(vocab, "#version\nt h\na"),
            "merges.txt:3: expected two tokens with a blank between them, but got 'a'.");
  EXPECT_EQ(pairs_fault(vocab, "x q\n"), "merges.txt:1: 'xq' is not a token of vocab.json.");
}

TEST(BytePairs, RefusesEveryCutVocabulary) {
  const std::string vocab = stored_pairs()["vocab"].dump();
  for (size_t length = 0; length + 1 < vocab.size(); length += 11)
    EXPECT_NE(pairs_fault(vocab.substr(0, length), ""), "no fault");
}

}  // namespace
}  // namespace hearth
