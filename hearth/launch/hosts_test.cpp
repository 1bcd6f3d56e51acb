// Lists of hosts as Slurm writes them.
#include "hearth/launch/hosts.h"

#include <gmock/gmock.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

using testing::ElementsAre;

TEST(Hosts, AreListedFromRanges) {
  EXPECT_THAT(hosts_in("node1"), ElementsAre("node1"));
  EXPECT_THAT(hosts_in("node[08-10,12],login"),
              ElementsAre("node08", "node09", "node10", "node12", "login"));
  EXPECT_THAT(hosts_in("r[1-2]n[3-4]x"), ElementsAre("r1n3x", "r1n4x", "r2n3x", "r2n4x"));
}

TEST(Hosts, RefuseWhatIsNoList) {
  for (const char* list : {"", "a,", "a[", "a]", "a[1-2", "a[[1]]", "a[2-1]", "a[x]", "a[1-2-3]",
                           "a[]", "a[0-999999999]", "a[1-1000][1-1000]", "a[-3]"})
    EXPECT_THROW((void)hosts_in(list), DataError) << list;
}

TEST(Hosts, HaveTasks) {
  EXPECT_THAT(tasks_in("2(x3),1"), ElementsAre(2, 2, 2, 1));
  for (const char* list : {"", "2(x", "x", "2(x0)", "2(x999999999)", "-1", ")"})
    EXPECT_THROW((void)tasks_in(list), DataError) << list;
}

}  // namespace
}  // namespace hearth
