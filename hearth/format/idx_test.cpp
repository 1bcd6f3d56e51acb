// Tests of IDX files.
#include "hearth/format/idx.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <span>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/format/gzip.h"

namespace hearth {

namespace {

const std::string kLabels("\0\0\x08\x01\0\0\0\x03\x05\x00\x04", 11);

class IdxTest : public testing::Test {
 protected:
  IdxTest() {
    std::string name = (fs::temp_directory_path() / "hearth_idx_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~IdxTest() override { fs::remove_all(folder_); }
  fs::path put(const std::string& name, std::string_view content) const {
    write_file_durably(folder_ / name, content);
    return folder_ / name;
  }
  fs::path folder_;
};

std::string idx_message(const std::string& bytes) {
  try {
    (void)parse_idx(bytes, "x");
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

template <class Value>
std::vector<std::byte> bytes_of(const std::vector<Value>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

TEST(Idx, ReadsLabelsAsTheyLieInTheFile) {
  const IdxFile file = parse_idx(kLabels, "x");
  EXPECT_EQ(file.header.type, IdxType::kUint8);
  EXPECT_EQ(file.header.dimensions, std::vector<int64_t>{3});
  EXPECT_EQ(file.data, bytes_of<uint8_t>({5, 0, 4}));
}

TEST(Idx, TurnsBigEndianNumbersAround) {
  const IdxFile file = parse_idx(std::string("\0\0\x0c\x02\0\0\0\x01\0\0\0\x02"
                                             "\0\0\x01\x02\xff\xff\xff\xfe",
                                             20),
                                 "x");
  EXPECT_EQ(file.header.dimensions, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(file.data, bytes_of<int32_t>({258, -2}));
}

TEST(Idx, EncodingIsTheInverseOfParsingForEveryType) {
  for (const int code : {0x08, 0x09, 0x0b, 0x0c, 0x0d, 0x0e}) {
    IdxFile file{{static_cast<IdxType>(code), {2, 0, 3}}, {}};
    EXPECT_EQ(parse_idx(encode_idx(file), "x").header.dimensions, file.header.dimensions);
    file.header.dimensions = {2, 3};
    file.data.resize(file.header.data_bytes());
    for (size_t i = 0; i < file.data.size(); ++i) file.data[i] = static_cast<std::byte>(i);
    EXPECT_EQ(parse_idx(encode_idx(file), "x").data, file.data);
  }
}

TEST(Idx, RefusesEveryOtherLength) {
  for (size_t length = 0; length < kLabels.size(); ++length)
    EXPECT_NE(idx_message(kLabels.substr(0, length)), "no DataError") << length;
  EXPECT_EQ(idx_message(kLabels.substr(0, 10)),
            "x: its header asks for 11 bytes, it has 10; it is truncated, get it again.");
  EXPECT_EQ(idx_message(kLabels + "!"),
            "x: its header asks for 11 bytes, it has 12; it is damaged, get it again.");
}

TEST(Idx, RefusesOtherFilesAndImpossibleHeaders) {
  EXPECT_EQ(idx_message("<html>"),
            "x: not an IDX file: it does not start with 00 00 and a type from 08 to 0e.");
  EXPECT_NE(idx_message(std::string("\0\0\x0a\x01\0\0\0\0", 8)), "no DataError");
  EXPECT_EQ(idx_message(std::string("\0\0\x08\0", 4)), "x: has 0 dimensions, expected 1 to 8.");
  EXPECT_EQ(idx_message(std::string("\0\0\x08\x09", 4) + std::string(36, '\0')),
            "x: has 9 dimensions, expected 1 to 8.");
  EXPECT_EQ(idx_message(std::string("\0\0\x0e\x04", 4) + std::string(16, '\xff')),
            "x: the product of its dimensions is larger than any file.");
}

TEST_F(IdxTest, LoadsPlainAndPackedFilesAlike) {
  const IdxFile file = parse_idx(kLabels, "x");
  write_idx(folder_ / "labels", file);
  write_idx(folder_ / "labels.gz", file);
  EXPECT_TRUE(is_gzip(read_file(folder_ / "labels.gz")));
  EXPECT_EQ(load_idx(folder_ / "labels").data, file.data);
  EXPECT_EQ(load_idx(folder_ / "labels.gz").data, file.data);
  EXPECT_EQ(read_idx_header(folder_ / "labels").dimensions, std::vector<int64_t>{3});
  EXPECT_EQ(read_idx_header(folder_ / "labels.gz").dimensions, std::vector<int64_t>{3});
  EXPECT_THROW((void)load_idx(folder_ / "labels", 10), DataError);
}

TEST_F(IdxTest, HeaderIsReadWithoutUnpackingTheRest) {
  IdxFile file;
  file.header.dimensions = {1000, 1000};
  file.data.resize(1'000'000);
  for (size_t i = 0; i < file.data.size(); ++i)
    file.data[i] = static_cast<std::byte>((i * i * 2654435761U) >> 24);
  const std::string packed = gzip(encode_idx(file));
  const fs::path path = put("cut.gz", packed.substr(0, packed.size() / 2));
  EXPECT_EQ(read_idx_header(path).dimensions, (std::vector<int64_t>{1000, 1000}));
  EXPECT_THROW((void)load_idx(path), DataError);
}

TEST_F(IdxTest, HeaderOfAPlainFileMustFitItsLength) {
  EXPECT_THROW((void)read_idx_header(put("cut", kLabels.substr(0, 10))), DataError);
  EXPECT_THROW((void)read_idx_header(put("empty", "")), DataError);
  EXPECT_THROW((void)read_idx_header(put("empty.gz", gzip(""))), DataError);
}

TEST(Idx, RefusesToEncodeWhatDoesNotFit) {
  EXPECT_THROW((void)encode_idx({{IdxType::kUint8, {2}}, {}}), InternalError);
  EXPECT_THROW((void)encode_idx({{IdxType::kUint8, {}}, {}}), InternalError);
  EXPECT_THROW((void)encode_idx({{IdxType::kUint8, {0, 1LL << 32}}, {}}), InternalError);
}

}  // namespace

}  // namespace hearth
