// Mending a run log: whole lines, lost ends, what a checkpoint knew, and what is said of the rest.
#include "hearth/core/log_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "hearth/core/run_log.h"

namespace hearth {
namespace {

std::string line(const std::string& kind, int64_t step) {
  return to_line({kind, step, 0, 1.0, {}, {}});
}

fs::path log_with(const std::string& content) {
  const fs::path path = fs::path(testing::TempDir()) / "log_repair.jsonl";
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

const std::string kFirst = line("step", 1) + line("epoch", 1);
const std::string kSecond = line("step", 2) + line("epoch", 2);
const std::string kKnown = line("epoch", 1) + line("epoch", 2);

TEST(LogRepair, LeavesAWholeLogAsItIs) {
  const fs::path path = log_with(kFirst + kSecond);
  const MendedLog mended = mend_log(path, kFirst.size(), kKnown, 1);
  EXPECT_EQ(mended.bytes, kFirst.size());
  EXPECT_EQ(mended.missing, "");
  EXPECT_EQ(read_file(path), kFirst + kSecond);
}

TEST(LogRepair, PutsBackTheEpochsThatTheCheckpointKnewAndNamesTheStepsThatAreLost) {
  const std::string torn = (kFirst + kSecond).substr(0, kFirst.size() + 5);
  for (const std::string& left : {torn, torn + std::string(100, '\0')}) {
    const fs::path path = log_with(left);
    const MendedLog mended = mend_log(path, kFirst.size() + kSecond.size(), kKnown, 2);
    EXPECT_EQ(read_file(path), kFirst + line("epoch", 2));
    EXPECT_EQ(mended.bytes, fs::file_size(path));
    EXPECT_THAT(mended.missing, testing::HasSubstr("steps 2 to 2 are missing"));
    EXPECT_THAT(mended.missing, testing::HasSubstr("are back in the log: 1 of them."));
  }
}

TEST(LogRepair, BeginsALogThatIsGoneWithWhatIsKnown) {
  const fs::path path = log_with("");
  fs::remove(path);
  EXPECT_EQ(mend_log(path, 500, kKnown, 2).bytes, kKnown.size());
  EXPECT_EQ(read_file(path), kKnown);
}

TEST(LogRepair, FindsTheEndOfTheLastWholeLine) {
  EXPECT_EQ(whole_lines_bytes(log_with("")), 0u);
  EXPECT_EQ(whole_lines_bytes(log_with("torn")), 0u);
  EXPECT_EQ(whole_lines_bytes(log_with(kFirst)), kFirst.size());
  EXPECT_EQ(whole_lines_bytes(log_with(kFirst + "{\"eve")), kFirst.size());
  EXPECT_EQ(whole_lines_bytes(log_with("a\n" + std::string(200'000, 'x'))), 2u);
  EXPECT_EQ(whole_lines_bytes(fs::path(testing::TempDir()) / "no_such_log"), 0u);
}

}  // namespace
}  // namespace hearth
