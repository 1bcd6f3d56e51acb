// The run log: order, resuming at an offset, torn last lines, numbers that JSON does not know.
#include "hearth/core/run_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <fstream>

#include "hearth/base/error.h"
#include "hearth/core/log_reader.h"

namespace hearth {
namespace {

fs::path fresh_log(const std::string& name) {
  fs::path path = fs::path(testing::TempDir()) / (name + ".jsonl");
  fs::remove(path);
  return path;
}

TEST(RunLog, KeepsEventsInOrder) {
  const fs::path path = fresh_log("order");
  {
    RunLog log(path, 0);
    for (int step = 0; step < 100; ++step)
      log.write({"step", step, 0, 1.0, {{"loss", step * 0.5}}, {}});
  }
  const auto events = read_run_log(path);
  ASSERT_EQ(events.size(), 100u);
  EXPECT_EQ(events[7].step, 7);
  EXPECT_EQ(events[7].values.front().second, 3.5);
}

TEST(RunLog, CutsOffWhatCameAfterTheOffset) {
  const fs::path path = fresh_log("offset");
  uint64_t offset = 0;
  {
    RunLog log(path, 0);
    log.write({"step", 1, 0, 1.0, {}, {}});
    const auto mark = log.mark();
    log.write({"step", 2, 0, 1.0, {}, {}});
    EXPECT_EQ(log.flush(), "");
    offset = mark.get();
  }
  {
    RunLog log(path, offset);
    log.write({"step", 3, 0, 1.0, {}, {}});
  }
  const auto events = read_run_log(path);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].step, 3);
}

TEST(RunLog, IsNeverFilledUpToAnOffset) {
  const fs::path path = fresh_log("short");
  std::ofstream(path) << "{}\n";
  EXPECT_THROW(RunLog(path, 4), DataError);
  EXPECT_EQ(fs::file_size(path), 3u);
}

// The limit on file sizes stands for a full disk.
TEST(RunLog, KeepsWhatTheDiskRefusesAndWritesItLater) {
  const fs::path path = fresh_log("full");
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_IGN);
  {
    RunLog log(path, 0);
    log.write({"step", 1, 0, 1.0, {}, {}});
    EXPECT_EQ(log.flush(), "");
    const rlimit small{fs::file_size(path) + 5, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    log.write({"step", 2, 0, 1.0, {}, {}});
    const auto mark = log.mark();
    EXPECT_NE(log.flush().find("cannot write the run log"), std::string::npos);
    EXPECT_GT(mark.get(), fs::file_size(path));
    setrlimit(RLIMIT_FSIZE, &before);
    log.write({"step", 3, 0, 1.0, {}, {}});
    EXPECT_EQ(log.flush(), "");
  }
  ASSERT_EQ(read_run_log(path).size(), 3u);
  EXPECT_EQ(read_run_log(path)[1].step, 2);
}

TEST(RunLog, NoticesThatItsFileIsGone) {
  const fs::path path = fresh_log("gone");
  RunLog log(path, 0);
  (void)log.flush();
  EXPECT_FALSE(log.is_gone());
  fs::remove(path);
  (void)log.flush();
  EXPECT_TRUE(log.is_gone());
}

TEST(RunLog, LeavesOutALastLineTornByAKill) {
  const fs::path path = fresh_log("torn");
  std::ofstream(path) << to_line({"step", 1, 0, 1.0, {}, {}}) << R"({"event":"st)";
  EXPECT_EQ(read_run_log(path).size(), 1u);
}

TEST(RunLog, NamesTheLineThatIsNoEvent) {
  const fs::path path = fresh_log("broken");
  std::ofstream(path) << "{}\n";
  try {
    (void)read_run_log(path);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()), path.string() + ":1: not an event of a run log.");
  }
}

TEST(RunLog, TakesTextThatIsNoUtf8) {
  EXPECT_NE(to_line({"failed", 1, 0, 1.0, {}, {{"file", "\xff"}}}).find("failed"),
            std::string::npos);
}

TEST(RunLog, KeepsNumbersThatJsonDoesNotKnow) {
  const fs::path path = fresh_log("infinite");
  { RunLog(path, 0).write({"step", 1, 0, 1.0, {{"a", std::nan("")}, {"b", -INFINITY}}, {}}); }
  const auto values = read_run_log(path).front().values;
  EXPECT_TRUE(std::isnan(values[0].second));
  EXPECT_EQ(values[1].second, -INFINITY);
}

}  // namespace
}  // namespace hearth
