// Hostile and ordinary headers of safetensors files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/format/safetensors.h"

namespace hearth {

namespace {

SafetensorsHeader parse_header(std::string_view json, uint64_t data_bytes) {
  return parse_safetensors_header(std::as_bytes(std::span(json)), 8 + json.size() + data_bytes,
                                  "x");
}

std::string header_message(std::string_view json, uint64_t data_bytes = 0) {
  try {
    (void)parse_header(json, data_bytes);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

std::string length_message(uint64_t length, uint64_t file_bytes) {
  std::array<std::byte, 8> first{};
  for (size_t i = 0; i < 8; ++i) first[i] = static_cast<std::byte>(length >> (8 * i));
  try {
    (void)safetensors_header_length(first, file_bytes, "x");
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

// A header with one tensor "a".
std::string one_tensor(const std::string& dtype, const std::string& shape,
                       const std::string& offsets) {
  return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

TEST(SafetensorsHeader, ReadsEntriesInTheOrderOfTheirBytes) {
  const auto header = parse_header(
      R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[1,9]},)"
      R"("b":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]},)"
      R"("c":{"dtype":"I64","shape":[0],"data_offsets":[9,9]}}  )",
      9);
  ASSERT_EQ(header.entries.size(), 3U);
  EXPECT_EQ(header.entries[0].name, "b");
  EXPECT_EQ(header.entries[1].shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(header.entries[1].dtype, "F32");
  EXPECT_EQ(header.entries[2].bytes(), 0U);
  EXPECT_EQ(header.metadata, (std::map<std::string, std::string>{{"k", "v"}}));
}

TEST(SafetensorsHeader, MayBeEmptyAndPaddedLikeTheReferenceAllows) {
  EXPECT_TRUE(parse_header("{}", 0).entries.empty());
  EXPECT_TRUE(parse_header(" \n\t{} \r\n ", 0).entries.empty());
}

TEST(SafetensorsHeader, KnowsEveryDtypeOfTheFormat) {
  for (const char* dtype :
       {"BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"})
    EXPECT_EQ(safetensors_bytes(dtype, {3}), 3U) << dtype;
  for (const char* dtype : {"I16", "U16", "F16", "BF16"})
    EXPECT_EQ(safetensors_bytes(dtype, {3}), 6U) << dtype;
  for (const char* dtype : {"I32", "U32", "F32"})
    EXPECT_EQ(safetensors_bytes(dtype, {3}), 12U) << dtype;
  for (const char* dtype : {"I64", "U64", "F64", "C64"})
    EXPECT_EQ(safetensors_bytes(dtype, {3}), 24U) << dtype;
  EXPECT_EQ(safetensors_bytes("F4", {4}), 2U);
  EXPECT_EQ(safetensors_bytes("F4", {3}), std::nullopt);
  EXPECT_EQ(safetensors_bytes("F6_E2M3", {4}), 3U);
  EXPECT_EQ(safetensors_bytes("F6_E3M2", {3}), std::nullopt);
}

TEST(SafetensorsHeader, RefusesLengthsThatCannotBe) {
  EXPECT_EQ(length_message(2, 10), "no DataError");
  EXPECT_EQ(length_message(100'000'000, 100'000'008), "no DataError");
  EXPECT_EQ(length_message(3, 10),
            "x: its header should have 3 bytes, but the file has only 10; "
            "it is truncated, get it again.");
  EXPECT_EQ(length_message(0, 7).substr(0, 23), "x: its header should ha");
  EXPECT_EQ(length_message(100'000'001, 1ULL << 40),
            "x: not a safetensors file: its header would have 100,000,001 bytes, at most "
            "100,000,000 are allowed.");
  for (const uint64_t length : {1ULL << 31, 1ULL << 63, ~0ULL})
    EXPECT_NE(length_message(length, 1ULL << 40), "no DataError");
}

TEST(SafetensorsHeader, RefusesWhatIsNotOneStrictJsonObject) {
  using std::string_literals::operator""s;
  for (const std::string& json :
       {""s, "{"s, "[]"s, "null"s, "1"s, "{}{}"s, "{}\0"s, "{}\xff"s, "\xef\xbb\xbf{}"s,
        "{\"\xff\":1}"s, "{\"\\ud800\":1}"s, "{} x"s, "PK{}"s})
    EXPECT_NE(header_message(json), "no DataError") << json;
  EXPECT_EQ(header_message("[]"), "x: the header is not a JSON object.");
}

TEST(SafetensorsHeader, RefusesDuplicateKeys) {
  const std::string entry = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  EXPECT_EQ(header_message("{" + entry + "," + entry + "}", 1),
            "x: header: byte 56: the key 'a' is there twice.");
  EXPECT_THAT(
      header_message(R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1),
      testing::HasSubstr("the key 'dtype' is there twice."));
  EXPECT_THAT(header_message(R"({"__metadata__":{"a":"","a":""}})"),
              testing::HasSubstr("the key 'a' is there twice."));
}

TEST(SafetensorsHeader, RefusesMetadataThatIsNotTextToText) {
  EXPECT_EQ(header_message(R"({"__metadata__":{"a":1}})"),
            "x: __metadata__: the value of 'a' is not a text.");
  EXPECT_NE(header_message(R"({"__metadata__":{"a":{"b":"c"}}})"), "no DataError");
  EXPECT_EQ(header_message(R"({"__metadata__":null})"), "x: __metadata__ is not an object.");
  EXPECT_NE(
      header_message(R"({"__metadata__":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1),
      "no DataError");
}

TEST(SafetensorsHeader, RefusesOffsetsThatAreNoPairOfWholeNumbers) {
  for (const char* offsets :
       {"[1,0]", "[-1,0]", "[-0,1]", "[0,1.0]", "[0,1e0]", "[0,\"1\"]", "[1]", "[0,1,1]", "1",
        "[0,9007199254740993]", "[0,18446744073709551616]", "[0,null]", "null", "{}", "[[0],1]"})
    EXPECT_NE(header_message(one_tensor("\"U8\"", "[1]", offsets), 1), "no DataError") << offsets;
  EXPECT_EQ(header_message(one_tensor("\"U8\"", "[1]", "[0,1.0]"), 1),
            "x: tensor 'a': data_offsets must hold whole numbers from 0 to 2^53.");
  EXPECT_EQ(header_message(one_tensor("\"U8\"", "[1]", "[1,0]"), 1),
            "x: tensor 'a': its data_offsets end before they begin.");
}

TEST(SafetensorsHeader, RefusesShapesWhoseProductOverflows) {
  EXPECT_EQ(header_message(one_tensor("\"U8\"", "[4503599627370496,8192]", "[0,0]")),
            "x: tensor 'a': dtype and shape give no whole number of bytes below 2^64.");
  for (const char* shape : {"[8589934592,8589934592]", "[9007199254740992,4096,0]",
                            "[9223372036854775808,2]", "[9223372036854775808,4,0]"})
    EXPECT_NE(header_message(one_tensor("\"F32\"", shape, "[0,0]")), "no DataError") << shape;
}

TEST(SafetensorsHeader, RefusesShapesThatAreNoListOfWholeNumbers) {
  for (const char* shape : {"[-1]", "[1.0]", "[1e0]", "[\"1\"]", "1", "null", "[[1]]", "[true]"})
    EXPECT_NE(header_message(one_tensor("\"U8\"", shape, "[0,1]"), 1), "no DataError") << shape;
  std::string ones = "[1";
  for (int i = 0; i < 64; ++i) ones += ",1";
  EXPECT_EQ(header_message(one_tensor("\"U8\"", ones + "]", "[0,1]"), 1),
            "x: tensor 'a': has 65 dimensions, at most 64 are read.");
}

TEST(SafetensorsHeader, RefusesSizesThatDisagree) {
  EXPECT_EQ(header_message(one_tensor("\"F32\"", "[2]", "[0,4]"), 4),
            "x: tensor 'a': dtype and shape need 8 bytes, data_offsets give 4.");
  EXPECT_NE(header_message(one_tensor("\"F4\"", "[3]", "[0,2]"), 2), "no DataError");
}

TEST(SafetensorsHeader, RefusesUnknownDtypes) {
  EXPECT_EQ(header_message(one_tensor("\"f32\"", "[1]", "[0,4]"), 4),
            "x: tensor 'a': its dtype 'f32' is unknown.");
  for (const char* dtype : {"\"\"", "\"F128\"", "32", "null", "[\"F32\"]"})
    EXPECT_NE(header_message(one_tensor(dtype, "[1]", "[0,4]"), 4), "no DataError") << dtype;
}

TEST(SafetensorsHeader, RefusesMissingAndUnknownFields) {
  EXPECT_EQ(header_message(R"({"a":{"dtype":"U8","shape":[1]}})", 1),
            "x: tensor 'a': has no data_offsets.");
  EXPECT_EQ(header_message(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"b":1}})"),
            "x: tensor 'a': has an unknown field 'b'.");
  EXPECT_EQ(header_message(R"({"a":[]})"),
            "x: tensor 'a': expected an object with dtype, shape and data_offsets.");
}

TEST(SafetensorsHeader, RefusesNamesThatHideSomething) {
  const std::string rest = R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})";
  EXPECT_EQ(header_message("{\"" + rest), "x: tensor '': its name has 0 bytes, expected 1 to 512.");
  EXPECT_EQ(header_message("{\"a\\n" + rest), "x: tensor 'a\\n': its name has control characters.");
  EXPECT_NE(header_message("{\"a\\u0000" + rest), "no DataError");
  EXPECT_NE(header_message("{\"" + std::string(513, 'n') + rest), "no DataError");
  EXPECT_EQ(header_message("{\"" + std::string(512, 'n') + rest), "no DataError");
  EXPECT_EQ(header_message("{\"../x" + rest), "no DataError");  // a name, never a path
}

TEST(SafetensorsHeader, RefusesGapsOverlapsAndForeignBytes) {
  const auto two = [](const std::string& first, const std::string& second) {
    return R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + first +
           R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}";
  };
  EXPECT_EQ(header_message(two("[0,2]", "[2,4]"), 4), "no DataError");
  EXPECT_EQ(header_message(two("[0,2]", "[3,5]"), 5),
            "x: tensor 'b': begins at data byte 3, expected 2: tensors leave gaps or overlap.");
  EXPECT_NE(header_message(two("[0,2]", "[1,3]"), 3), "no DataError");
  EXPECT_NE(header_message(two("[0,2]", "[0,2]"), 2), "no DataError");
  EXPECT_NE(header_message(two("[1,3]", "[3,5]"), 5), "no DataError");
  EXPECT_THAT(header_message(two("[0,2]", "[2,4]"), 3), testing::HasSubstr("it is truncated"));
  EXPECT_THAT(header_message(two("[0,2]", "[2,4]"), 5),
              testing::EndsWith("foreign bytes follow the tensors."));
  EXPECT_NE(header_message("{}", 1), "no DataError");
}

TEST(SafetensorsHeader, RefusesDeepNesting) {
  EXPECT_THAT(header_message(R"({"a":{"b":[[[[1]]]]}})"),
              testing::HasSubstr("nested deeper than 4 levels"));
}

}  // namespace

}  // namespace hearth
