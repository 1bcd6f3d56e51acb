// Tests of the limits on cores.
#include "hearth/base/cores.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(Cores, AreLimitedByTheQuotaRoundedDownButNeverToNone) {
  EXPECT_EQ(cores_in_cpu_max("400000 100000\n"), 4);
  EXPECT_EQ(cores_in_cpu_max("350000 100000\n"), 3);
  EXPECT_EQ(cores_in_cpu_max("50000 100000\n"), 1);
}

TEST(Cores, AreNotLimitedByMaxNorByAMissingOrBrokenFile) {
  for (const char* text : {"max 100000\n", "", "100000", "a b", "100000 0", "-1 100000"})
    EXPECT_EQ(cores_in_cpu_max(text), std::nullopt) << text;
}

TEST(Cores, AreAtLeastOne) { EXPECT_GE(available_cores(), 1); }

}  // namespace
}  // namespace hearth
