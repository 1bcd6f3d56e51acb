// Which changes of a file its digest notices.
#include "hearth/data/content_digest.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>

namespace hearth {
namespace {

constexpr uint64_t kMost = 16 << 10;

std::string digest_of(const std::string& content) {
  Sha256 digest;
  add_content(digest, content.size(), kMost, [&](uint64_t offset, std::span<std::byte> into) {
    ASSERT_LE(offset + into.size(), content.size());
    std::memcpy(into.data(), content.data() + offset, into.size());
  });
  return digest.finish_hex();
}

std::string changed_at(std::string content, size_t place) {
  content[place] ^= 1;
  return content;
}

TEST(ContentDigest, NoticesEveryByteOfWhatIsReadWhole) {
  for (const size_t size : {size_t{1}, size_t{4096}, size_t{4097}, size_t{kMost}}) {
    const std::string content(size, 'x');
    const std::string before = digest_of(content);
    EXPECT_EQ(digest_of(content), before);
    for (const size_t place : {size_t{0}, size / 2, size - 1})
      EXPECT_NE(digest_of(changed_at(content, place)), before) << size << " at " << place;
  }
  EXPECT_NE(digest_of(""), digest_of("x"));
}

TEST(ContentDigest, NoticesAnotherSizeBeginningMiddlePartAndEndOfWhatIsLarge) {
  const std::string content(100'000, 'x');
  const std::string before = digest_of(content);
  EXPECT_NE(digest_of(content + "x"), before);
  // Four blocks of 4 KiB: the second begins at a third of what lies before the last one.
  for (const size_t place : {size_t{0}, (content.size() - 4096) / 3, content.size() - 1})
    EXPECT_NE(digest_of(changed_at(content, place)), before) << place;
}

TEST(ContentDigest, LooksAtLessOfEachWhereThereAreMany) {
  EXPECT_EQ(looked_at_of_each(0), uint64_t{256} << 20);
  EXPECT_EQ(looked_at_of_each(256), uint64_t{1} << 20);
  EXPECT_EQ(looked_at_of_each(1'000'000'000), uint64_t{16} << 10);
}

}  // namespace
}  // namespace hearth
