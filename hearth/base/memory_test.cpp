// Tests of the limits on memory.
#include "hearth/base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace hearth {
namespace {

TEST(Memory, IsLimitedByTheGroup) {
  EXPECT_EQ(bytes_in_memory_max("1073741824\n"), uint64_t{1} << 30U);
}

TEST(Memory, IsNotLimitedByMaxNorByAMissingOrBrokenFile) {
  for (const char* text : {"max\n", "", "a", "0", "-1", "1 2"})
    EXPECT_EQ(bytes_in_memory_max(text), std::nullopt) << text;
}

#ifndef __SANITIZE_THREAD__  // it takes memory of its own within every call, and ends the program
                             // where it gets none
TEST(Memory, IsLimitedByTheAddressesThatTheShellAllows) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit little = before;
  // All that a process can have: sanitizers take many terabytes of addresses.
  little.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t{1} << 47U);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  const uint64_t much = available_memory();
  little.rlim_cur = 1 << 20U;  // less than is taken already
  ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  const uint64_t none = available_memory();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_GT(much, uint64_t{16} << 20U);
  EXPECT_EQ(none, 0);
}
#endif

TEST(Memory, IsMoreThanThisTestNeeds) { EXPECT_GT(available_memory(), uint64_t{16} << 20U); }

}  // namespace
}  // namespace hearth
