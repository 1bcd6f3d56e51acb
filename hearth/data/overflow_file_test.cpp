// Tests of memory on the disk.
#include "hearth/data/overflow_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/scratch_folder_test.h"

namespace hearth {
namespace {

TEST(OverflowFile, KeepsPiecesThatMayBeChangedAndLeavesNothing) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("below");
  OverflowFile file(folder);
  std::vector<std::span<std::byte>> kept;
  for (size_t i = 0; i < 5; ++i)
    kept.push_back(file.keep(std::vector<std::byte>(1 + i * 3000, std::byte(i))));
  std::fill(kept[2].begin(), kept[2].end(), std::byte{99});
  for (size_t i = 0; i < 5; ++i)
    EXPECT_TRUE(std::ranges::all_of(kept[i], [&](std::byte byte) {
      return byte == std::byte(i == 2 ? 99 : i);
    })) << i;
  EXPECT_TRUE(file.keep({}).empty());
  EXPECT_TRUE(list_folder(folder).empty());
}

TEST(OverflowFile, SaysWhereNoFileCanBeMade) {
  EXPECT_NE(message_of<DataError>([] { OverflowFile("/proc/nothing"); }), "no fault");
}

}  // namespace
}  // namespace hearth
