// Every file call of a run, made to fail or to kill it: no checkpoint is lost, nothing ends as a
// defect, and going on ends in the same bits.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "small_run.h"

namespace hearth {
namespace {

struct Call {
  std::string call;
  std::string file;
  int number = 0;  // the how manieth of its kind
  [[nodiscard]] std::string text() const {
    return call + " " + file + " " + std::to_string(number);
  }
};

std::vector<Call> read_calls(const fs::path& record) {
  std::vector<Call> calls;
  std::map<std::string, int> counts;
  std::ifstream stream(record);
  for (Call call; stream >> call.call >> call.file;) {
    call.number = ++counts[call.call + " " + call.file];
    calls.push_back(call);
  }
  return calls;
}

const std::vector<int> kErrors = {EIO, ENOSPC, EACCES, EDQUOT, EROFS, EINTR, EMFILE};

// Being killed where nothing is changed is being killed at the next change.
bool changes_something(const std::string& call) {
  static const std::set<std::string> kReads = {"read", "readdir", "stat", "fstat", "opendir"};
  return !kReads.contains(call);
}

// One way to end the process or to cut a write short, and one error, in rotation: every call meets
// some, and each is met.
std::vector<std::string> actions_in_turn(const Call& call, size_t index) {
  static const std::vector<std::string> kOfWrites = {"kill", "torn", "short"};
  std::vector<std::string> actions = {std::to_string(kErrors[index % kErrors.size()])};
  if (call.call == "write")
    actions.push_back(kOfWrites[index % kOfWrites.size()]);
  else if (changes_something(call.call))
    actions.emplace_back("kill");
  return actions;
}

// In a campaign: all of them, errors once and for good.
std::vector<std::string> all_actions(const Call& call) {
  std::vector<std::string> actions = {"kill"};
  if (call.call == "write") actions.insert(actions.end(), {"torn", "short"});
  for (int error : kErrors) {
    actions.push_back(std::to_string(error));
    // A call that is interrupted for ever is no call.
    if (error != EINTR) actions.push_back("+" + std::to_string(error));
  }
  return actions;
}

// HEARTH_FAULTS asks for a campaign: "all", or some actions such as "kill torn +28".
std::vector<std::string> actions_for(const Call& call, size_t index) {
  const char* asked = std::getenv("HEARTH_FAULTS");
  if (asked == nullptr) return actions_in_turn(call, index);
  std::vector<std::string> actions = all_actions(call);
  const std::vector<std::string> wanted = split(asked, ' ');
  if (wanted.front() != "all")
    std::erase_if(actions, [&](const std::string& action) {
      return std::find(wanted.begin(), wanted.end(), action) == wanted.end();
    });
  return actions;
}

class Faults : public testing::Test {
 protected:
  Faults() {
    // In memory where there is such a place: the disk's own speed is no matter here.
    const fs::path parent = fs::is_directory("/dev/shm") ? "/dev/shm" : testing::TempDir();
    std::string name = (parent / "hearth_faults_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    truth_ = run_with(folder_ / "truth", "");
  }
  ~Faults() override { fs::remove_all(folder_); }

  void expect_truth(const RunEnd& end, const std::string& what) const {
    EXPECT_EQ(end.exit_code, 0) << what << ": " << end.message;
    EXPECT_EQ(end.digest, truth_.digest) << what;
    if (!ends_the_log(what)) {
      EXPECT_EQ(end.events, truth_.events) << what;
    }
    EXPECT_EQ(end.faults, "") << what;
  }

  // Lines that a disk refuses to the end of the process are nowhere else.
  static bool ends_the_log(const std::string& what) {
    return what.find("write log.jsonl") != std::string::npos && what.find('+') != std::string::npos;
  }

  // `begin` makes the folder in which the fault strikes.
  void try_every_call(const std::function<void(const fs::path&)>& begin) {
    const fs::path recorded = folder_ / "recorded";
    begin(recorded);
    expect_truth(run_with(recorded, "", (folder_ / "calls").string()), "without a fault");
    const std::vector<Call> calls = read_calls(folder_ / "calls");
    ASSERT_GT(calls.size(), 30U);
    size_t cases = 0;
    size_t struck = 0;
    for (size_t i = 0; i < calls.size(); ++i)
      for (const std::string& action : actions_for(calls[i], i)) {
        const fs::path folder = folder_ / ("case" + std::to_string(cases++));
        begin(folder);
        struck += try_one(folder, calls[i].text() + " " + action) ? 1 : 0;
        fs::remove_all(folder);
        if (HasFailure() && std::getenv("HEARTH_FAULTS") == nullptr) return;
      }
    std::printf("%zu calls, %zu faults, %zu struck\n", calls.size(), cases, struck);
    EXPECT_GT(struck, cases * 9 / 10);
  }

  bool try_one(const fs::path& folder, const std::string& fault) const {
    const RunEnd end = run_with(folder, fault);
    // 2 and 3 are errors with words: a config or a file that cannot be read or written.
    const bool is_killed = end.exit_code == 128 + SIGKILL;
    EXPECT_TRUE(is_killed || end.exit_code == 0 || end.exit_code == 2 || end.exit_code == 3)
        << fault << " ended with " << end.exit_code << ": " << end.message;
    EXPECT_EQ(end.faults, "") << fault;
    if (end.exit_code == 0) expect_truth(end, fault);
    expect_truth(run_with(folder, ""), "going on after " + fault);
    return end.has_struck;
  }

  fs::path folder_;
  RunEnd truth_;
};

TEST_F(Faults, OfANewRunCostNoCheckpointAndNoBits) {
  try_every_call([](const fs::path& folder) { fs::create_directories(folder); });
}

TEST_F(Faults, OfAResumedRunCostNoCheckpointAndNoBits) {
  const fs::path half = folder_ / "half";
  ASSERT_EQ(run_half(half).exit_code, 0);
  try_every_call(
      [&](const fs::path& folder) { fs::copy(half, folder, fs::copy_options::recursive); });
}

}  // namespace
}  // namespace hearth
