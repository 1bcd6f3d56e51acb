// Tests of ZIP archives.
#include "hearth/format/zip.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

std::string zip_corpus_file(const std::string& name) {
  return read_file(fs::path(HEARTH_SOURCE_DIR) / "tests/corpus/zip" / name);
}

// The archive as a file in memory, then every entry of it.
std::vector<std::string> unpacked(const std::string& archive, uint64_t limit = 1 << 20) {
  const FileHandle file(memfd_create("zip", 0));
  EXPECT_EQ(write(file.descriptor(), archive.data(), archive.size()),
            static_cast<ssize_t>(archive.size()));
  std::vector<std::string> entries;
  for (const ZipEntry& entry : read_zip_directory(file, "x.zip"))
    entries.push_back(read_zip_entry(file, "x.zip", entry, limit));
  return entries;
}

std::string zip_fault(const std::string& archive, uint64_t limit = 1 << 20) {
  return message_of<DataError>([&] { (void)unpacked(archive, limit); });
}

TEST(Zip, ReadsStoredAndPackedEntriesAlike) {
  const auto stored = unpacked(zip_corpus_file("stored.npz"));
  const auto packed = unpacked(zip_corpus_file("packed.npz"));
  ASSERT_EQ(stored.size(), 2U);
  ASSERT_EQ(packed.size(), 2U);
  EXPECT_EQ(stored[0], packed[0]);
  EXPECT_EQ(stored[0].size(), 128U + 24 * 3 * 4);
}

TEST(Zip, RefusesEveryTruncation) {
  for (const char* name : {"stored.npz", "packed.npz"}) {
    const std::string archive = zip_corpus_file(name);
    for (size_t length = 0; length < archive.size(); ++length)
      EXPECT_THROW((void)unpacked(archive.substr(0, length)), DataError) << length;
  }
}

TEST(Zip, NeverGivesBytesThatAreNotWhatWasPacked) {
  const std::string archive = zip_corpus_file("packed.npz");
  const auto expected = unpacked(archive);
  for (size_t at = 0; at < archive.size(); ++at) {
    std::string changed = archive;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    try {
      for (const std::string& entry : unpacked(changed))
        EXPECT_TRUE(entry == expected[0] || entry == expected[1]) << at;
    } catch (const DataError&) {
    }
  }
}

TEST(Zip, SaysWhatIsWrong) {
  EXPECT_EQ(zip_fault("PK"), "x.zip: is no ZIP archive: it is too short.");
  EXPECT_EQ(zip_fault(std::string(100, 'x')),
            "x.zip: is no ZIP archive, or is cut off: its directory is missing.");
  EXPECT_EQ(zip_fault(zip_corpus_file("packed.npz"), 100),
            "x.zip: entry 'features.npy' unpacks to 416 B, more than the limit of 100 B.");
}

}  // namespace
}  // namespace hearth
