// Whatever a power loss leaves of a run at any boundary of its writes: no checkpoint that counted
// is lost, none is damaged, and going on ends in the same bits.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/fast_digest.h"
#include "hearth/base/files.h"
#include "hearth/config/yaml.h"
#include "hearth/core/checkpoint_facts.h"
#include "hearth/format/checkpoint_names.h"
#include "power_loss.h"
#include "small_run.h"

namespace hearth {
namespace {

// Of the states, so many are trained on from, evenly spread; HEARTH_POWER_LOSS=all: from each.
constexpr size_t kResumed = 40;

uint64_t digest_of_state(const Disk::State& state) {
  FastDigest digest;
  for (const auto& [path, content] : state) {
    digest.add(path);
    digest.add(content);
  }
  return digest.value();
}

class PowerLoss : public testing::Test {
 protected:
  PowerLoss() {
    const fs::path parent = fs::is_directory("/dev/shm") ? "/dev/shm" : testing::TempDir();
    std::string name = (parent / "hearth_power_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    truth_ = run_journaled(folder_ / "truth", folder_ / "journal");
    root_ = (folder_ / "truth" / "runs").string();
  }
  ~PowerLoss() override { fs::remove_all(folder_); }

  // The state as real files below `at`.
  void lay_out(const Disk::State& state, const fs::path& at) const {
    fs::create_directories(at / "runs");
    for (const auto& [path, content] : state) {
      const fs::path target = at / "runs" / fs::path(path).lexically_relative(root_);
      if (content == "/")
        fs::create_directories(target);
      else
        std::ofstream(target, std::ios::binary) << content;
    }
  }

  static std::optional<fs::path> run_in(const fs::path& folder) {
    for (const fs::path& path : list_folder(folder / "runs"))
      if (is_there(path / "config.yaml")) return path;
    return std::nullopt;
  }

  // The newest step whose name and bytes a power loss cannot take any more; -1 for none.
  static int64_t promised_step(const Disk& disk) {
    int64_t newest = -1;
    for (const auto& [path, name] : disk.safe_names())
      newest = std::max(newest, step_in_name(path).value_or(-1));
    return newest;
  }

  // What is wrong with what was left; nothing when all that counted is there.
  static std::string fault_of(const fs::path& folder, int64_t promised) {
    const auto run = run_in(folder);
    if (!run) return promised < 0 ? "" : "there is no run any more";
    try {
      (void)load_yaml(*run / "config.yaml");
    } catch (const Error& error) {
      return error.what();
    }
    int64_t newest = -1;
    for (const fs::path& path : step_checkpoints(*run / "checkpoints")) {
      if (const std::string fault = checkpoint_fault(path); !fault.empty()) return fault;
      newest = std::max(newest, step_in_name(path).value_or(-1));
    }
    for (const fs::path& path : named_checkpoints(*run / "checkpoints"))
      if (const std::string fault = checkpoint_fault(path); !fault.empty()) return fault;
    return newest >= promised ? ""
                              : "step " + std::to_string(promised) + " was promised, but " +
                                    std::to_string(newest) + " is the newest";
  }

  // What the first power loss among the calls that costs something costs; and every state that may
  // be left, with where.
  using LeftStates = std::vector<std::pair<std::string, Disk::State>>;
  [[nodiscard]] std::string first_fault(const std::vector<DiskCall>& calls,
                                        LeftStates& states) const {
    Disk disk(root_);
    int64_t promised = -1;
    std::set<uint64_t> seen;
    std::string fault;
    const fs::path at = folder_ / "state";
    for (size_t i = 0; i < calls.size() && fault.empty(); ++i) {
      disk.apply(calls[i]);
      promised = std::max(promised, promised_step(disk));
      const std::string where = "after call " + std::to_string(i) + ", " + calls[i].call + " " +
                                calls[i].path + " " + calls[i].to;
      disk.for_each_state([&](const Disk::State& state) {
        const uint64_t digest = digest_of_state(state) ^ static_cast<uint64_t>(promised + 1);
        if (!fault.empty() || !seen.insert(digest).second) return;
        lay_out(state, at);
        if (const std::string found = fault_of(at, promised); !found.empty())
          fault = where + ": " + found;
        fs::remove_all(at);
        states.emplace_back(where, state);
      });
    }
    return fault;
  }

  void expect_same_end(const fs::path& folder, const std::string& where) const {
    const RunEnd end = run_with(folder, "");
    EXPECT_EQ(end.exit_code, 0) << where << ": " << end.message;
    EXPECT_EQ(end.digest, truth_.digest) << where;
    EXPECT_EQ(end.events, truth_.events) << where;
    EXPECT_EQ(end.faults, "") << where;
  }

  fs::path folder_;
  std::string root_;
  RunEnd truth_;
};

TEST_F(PowerLoss, AtEveryBoundaryOfTheWritesCostsNoCheckpointAndNoBits) {
  ASSERT_EQ(truth_.exit_code, 0) << truth_.message;
  const std::vector<DiskCall> calls = read_journal(folder_ / "journal");
  ASSERT_GT(calls.size(), 100U);
  LeftStates states;
  ASSERT_EQ(first_fault(calls, states), "");
  const bool is_campaign = std::getenv("HEARTH_POWER_LOSS") != nullptr;
  const size_t stride = is_campaign ? 1 : std::max<size_t>(states.size() / kResumed, 1);
  size_t resumed = 0;
  for (size_t i = 0; i < states.size() && !HasFailure(); i += stride, ++resumed) {
    const fs::path at = folder_ / "resumed";
    lay_out(states[i].second, at);
    expect_same_end(at, states[i].first);
    fs::remove_all(at);
  }
  std::printf("%zu calls, %zu states, %zu of them trained on from\n", calls.size(), states.size(),
              resumed);
}

TEST_F(PowerLoss, IsNoticedWhereAWriterForgetsToSync) {
  std::vector<DiskCall> calls = read_journal(folder_ / "journal");
  std::erase_if(calls, [](const DiskCall& call) { return call.call == "sync"; });
  LeftStates states;
  EXPECT_NE(first_fault(calls, states), "");
}

// The simulation itself: without it, a disk that forgets nothing would pass.
TEST(SimulatedDisk, ForgetsWhatWasNotSyncedAndKeepsWhatWas) {
  Disk disk("/r");
  disk.apply({.call = "mkdir", .path = "/r"});
  disk.apply({.call = "open", .descriptor = 3, .flags = O_CREAT, .path = "/r/a"});
  disk.apply({.call = "write", .descriptor = 3, .number = 0, .bytes = "abcd"});
  std::set<std::string> contents;
  bool can_be_missing = false;
  const auto look = [&](const Disk::State& state) {
    if (state.contains("/r/a"))
      contents.insert(state.at("/r/a"));
    else
      can_be_missing = true;
  };
  disk.for_each_state(look);
  EXPECT_EQ(contents,
            (std::set<std::string>{"", std::string("ab\0\0", 4), std::string(4, '\0'), "abcd"}));
  EXPECT_TRUE(can_be_missing);
  disk.apply({.call = "sync", .descriptor = 3});
  disk.apply({.call = "rename", .path = "/r/a", .to = "/r/b"});
  disk.apply({.call = "open", .descriptor = 4, .flags = O_DIRECTORY, .path = "/r"});
  disk.apply({.call = "sync", .descriptor = 4});
  contents.clear();
  disk.for_each_state([&](const Disk::State& state) {
    EXPECT_FALSE(state.contains("/r/a"));
    contents.insert(state.at("/r/b"));
  });
  EXPECT_EQ(contents, std::set<std::string>{"abcd"});
}

}  // namespace
}  // namespace hearth
