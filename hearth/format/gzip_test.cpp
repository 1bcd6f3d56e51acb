// Tests of gzip.
#include "hearth/format/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"

namespace hearth {

namespace {

constexpr uint64_t kMuch = 1 << 30;

std::string gzip_message(std::string_view bytes, uint64_t limit = kMuch) {
  try {
    (void)gunzip(bytes, "x.gz", limit);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

std::string varied_text(size_t size) {
  std::string text(size, '\0');
  uint32_t state = 1;
  for (char& letter : text)
    letter = static_cast<char>("abcdefgh"[(state = state * 1664525 + 1013904223) >> 29]);
  return text;
}

TEST(Gzip, RoundTripsTextsOfManySizes) {
  for (const size_t size : {0, 1, 4095, 4096, 4097, 100'000, 400'000}) {
    const std::string text = varied_text(size);
    EXPECT_EQ(gunzip(gzip(text), "x", kMuch), text) << size;
  }
}

TEST(Gzip, ReadsSeveralMembersAsOne) {
  EXPECT_EQ(gunzip(gzip("one ") + gzip("") + gzip("two"), "x", kMuch), "one two");
}

TEST(Gzip, StopsAtTheOutputLimit) {
  const std::string bomb = gzip(std::string(10'000'000, 'x'));
  EXPECT_LT(bomb.size(), 20'000U);
  EXPECT_EQ(gunzip(bomb, "x", 10'000'000).size(), 10'000'000U);
  EXPECT_EQ(gzip_message(bomb, 9'999'999),
            "x.gz: unpacks to more than the limit of 9.5 MiB. Is it the right file?");
  EXPECT_EQ(gunzip(gzip(""), "x", 0), "");
  EXPECT_NE(gzip_message(gzip("a"), 0), "no DataError");
}

TEST(Gzip, NoticesTruncationAtEveryLength) {
  const std::string bytes = gzip(varied_text(300));
  for (size_t length = 2; length < bytes.size(); ++length) {
    EXPECT_EQ(gzip_message(bytes.substr(0, length)),
              "x.gz: byte " + std::to_string(length) +
                  ": the gzip data ends too early; it is truncated, get it again.");
  }
  EXPECT_EQ(gzip_message("\x1f"), "x.gz: byte 0: not gzip: it does not start with 1f 8b.");
  EXPECT_EQ(gzip_message(""), "x.gz: byte 0: not gzip: it does not start with 1f 8b.");
}

TEST(Gzip, NoticesForeignBytesAfterTheEnd) {
  const std::string bytes = gzip("text");
  EXPECT_EQ(gzip_message(bytes + "junk"), "x.gz: byte " + std::to_string(bytes.size()) +
                                              ": 4 bytes that are not gzip follow the gzip data.");
}

TEST(Gzip, NoChangedBitChangesTheTextUnnoticed) {
  const std::string bytes = gzip("some text to pack");
  for (size_t bit = 10 * 8; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    // The bits that fill up the last byte mean nothing.
    const bool is_noticed = gzip_message(changed) != "no DataError";
    EXPECT_TRUE(is_noticed || gunzip(changed, "x", kMuch) == "some text to pack") << bit;
  }
}

TEST(Gzip, UnpacksTheBeginningOfACutFile) {
  const std::string bytes = gzip(varied_text(100'000));
  EXPECT_EQ(gunzip_start(bytes.substr(0, 2000), "x", 10), varied_text(10));
  EXPECT_EQ(gunzip_start(gzip("abc"), "x", 10), "abc");
  EXPECT_THROW((void)gunzip_start(bytes.substr(0, 5), "x", 10), DataError);
}

TEST(Gzip, ReadsAFileInEitherForm) {
  const fs::path path = fs::temp_directory_path() / ("hearth_gzip_" + std::to_string(getpid()));
  write_file_durably(path, "plain");
  EXPECT_EQ(read_maybe_gzip(path, 5), "plain");
  write_file_durably(path, gzip("packed"));
  EXPECT_EQ(read_maybe_gzip(path, 100), "packed");
  EXPECT_THROW((void)read_maybe_gzip(path, 5), DataError);
  fs::remove(path);
}

}  // namespace

}  // namespace hearth
