// Tests of the limits on memory.
#include "hearth/base/memory.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(Memory, IsLimitedByTheGroup) {
  EXPECT_EQ(bytes_in_memory_max("1073741824\n"), uint64_t{1} << 30U);
}

TEST(Memory, IsNotLimitedByMaxNorByAMissingOrBrokenFile) {
  for (const char* text : {"max\n", "", "a", "0", "-1", "1 2"})
    EXPECT_EQ(bytes_in_memory_max(text), std::nullopt) << text;
}

TEST(Memory, IsMoreThanThisTestNeeds) { EXPECT_GT(available_memory(), uint64_t{16} << 20U); }

}  // namespace
}  // namespace hearth
