// Tests of CSV in blocks.
#include "hearth/format/csv_blocks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

FileHandle file_in_memory(const std::string& text) {
  FileHandle file(memfd_create("csv", 0));
  EXPECT_EQ(write(file.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  return file;
}

TEST(CsvBlocks, EndWithRowsAndKnowTheirLines) {
  const FileHandle file = file_in_memory("a,b\n\"x\ny\",c\nlong row,d\ne");
  CsvBlocks blocks(file, "x.csv", 6);
  CsvBlock block;
  std::vector<std::pair<int64_t, std::string>> found;
  while (blocks.next(block)) found.emplace_back(block.first_line, block.text);
  EXPECT_EQ(found, (std::vector<std::pair<int64_t, std::string>>{
                       {1, "a,b\n"}, {2, "\"x\ny\",c\n"}, {4, "long row,d\ne"}}));
}

TEST(CsvBlocks, RefuseARowWithoutAnEnd) {
  const FileHandle file = file_in_memory("a\n\"" + std::string(1000, '\n'));
  CsvBlocks blocks(file, "x.csv", 8, 64);
  CsvBlock block;
  ASSERT_TRUE(blocks.next(block));
  EXPECT_EQ(message_of<DataError>([&] { (void)blocks.next(block); }),
            "x.csv: has a row of more than 64 B, or a quote that is never closed, after byte 2.");
}

}  // namespace
}  // namespace hearth
