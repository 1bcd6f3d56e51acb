// Tests that a write is durable or did not happen, on full disks that are really full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"

namespace hearth {

namespace {

class DurableFileTest : public testing::Test {
 protected:
  DurableFileTest() {
    std::string name = (fs::temp_directory_path() / "hearth_durable_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    target_ = folder_ / "model";
    write_file_durably(target_, "old");
  }
  ~DurableFileTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_))
      found.push_back(entry.path().filename().string());
    return found;
  }
  fs::path folder_, target_;
};

// The message of `action` in a child process, where limits and mounts may be changed.
std::string message_in_child(const std::function<void()>& action) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = message_of<DataError>(action);
    [[maybe_unused]] const auto count = write(ends[1], text.data(), text.size());
    _exit(0);
  }
  close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t count = read(ends[0], text.data(), text.size());
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text.substr(0, count > 0 ? static_cast<size_t>(count) : 0);
}

void limit_file_size(rlim_t bytes) {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(DurableFileTest, ShowsTheOldContentUntilCommitAndTheNewAfter) {
  DurableFile file(target_);
  file.write("ne");
  file.write("w");
  EXPECT_EQ(read_file(target_), "old");
  file.commit();
  EXPECT_EQ(read_file(target_), "new");
  EXPECT_THAT(names(), testing::ElementsAre("model"));
}

TEST_F(DurableFileTest, DraftCarriesNameAndProcessAndVanishesWithoutCommit) {
  {
    DurableFile file(target_);
    file.write("new");
    EXPECT_THAT(names(), testing::UnorderedElementsAre(
                             "model", testing::StartsWith(".draft-model-" +
                                                          std::to_string(getpid()) + "-")));
  }
  EXPECT_EQ(read_file(target_), "old");
  EXPECT_THAT(names(), testing::ElementsAre("model"));
}

TEST_F(DurableFileTest, WritingLessThanExpectedLeavesNoZerosBehind) {
  DurableFile file(target_, 100'000);
  file.write("short");
  file.commit();
  EXPECT_EQ(read_file(target_), "short");
}

TEST_F(DurableFileTest, GivesTheModeThatTheUserAskedForWithUmask) {
  const mode_t before = umask(027);
  write_file_durably(folder_ / "new", "x");
  umask(before);
  EXPECT_EQ(static_cast<int>(fs::status(folder_ / "new").permissions()), 0640);
}

TEST_F(DurableFileTest, TakesNamesAsLongAsTheFileSystemDoes) {
  const fs::path path = folder_ / std::string(255, 'n');
  write_file_durably(path, "x");
  EXPECT_EQ(read_file(path), "x");
}

TEST_F(DurableFileTest, RefusesUseAfterCommit) {
  DurableFile file(target_);
  file.commit();
  EXPECT_THROW(file.write("x"), InternalError);
  EXPECT_THROW(file.commit(), InternalError);
}

TEST_F(DurableFileTest, SaysWhatToDoAboutAMissingFolder) {
  const fs::path path = folder_ / "no" / "x";
  EXPECT_EQ(
      message_of<DataError>([&] { write_file_durably(path, "x"); }),
      "Cannot write '" + path.string() + "': No such file or directory. Make the folder first.");
}

TEST_F(DurableFileTest, CannotReplaceAFolderAndRemovesItsDraft) {
  EXPECT_EQ(message_of<DataError>([&] { write_file_durably(folder_ / "sub" / "..", "x"); }),
            "Cannot write '" + (folder_ / "sub/..").string() +
                "': No such file or directory. Make the folder first.");
  fs::create_directory(folder_ / "sub");
  EXPECT_THAT(message_of<DataError>([&] { write_file_durably(folder_ / "sub", "x"); }),
              testing::HasSubstr("Is a directory."));
  EXPECT_THAT(names(), testing::UnorderedElementsAre("model", "sub"));
}

TEST_F(DurableFileTest, KeepsTheOldContentWhenTheFileMayNotGrow) {
  const std::string text = message_in_child([&] {
    limit_file_size(1 << 16);
    DurableFile file(target_);
    file.write(std::string(100'000, 'x'));
    file.commit();
  });
  EXPECT_EQ(text, "Cannot write '" + target_.string() +
                      "': File too large. It needs 33.7 KiB more. Raise the limit on file sizes "
                      "(ulimit -f).");
  EXPECT_EQ(read_file(target_), "old");
  EXPECT_THAT(names(), testing::ElementsAre("model"));
}

TEST_F(DurableFileTest, KnowsBeforeTheFirstByteThatTheSpaceIsNotThere) {
  const std::string text = message_in_child([&] {
    limit_file_size(1 << 16);
    DurableFile file(target_, 1 << 20);
  });
  EXPECT_THAT(text, testing::HasSubstr("File too large. It needs 1.0 MiB more."));
  EXPECT_THAT(names(), testing::ElementsAre("model"));
}

// A real disk of 1 MiB; needs the right to mount.
class FullDiskTest : public DurableFileTest {
 protected:
  void SetUp() override {
    disk_ = folder_ / "disk";
    fs::create_directory(disk_);
    if (mount("none", disk_.c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "cannot mount";
    is_mounted_ = true;
    write_file_durably(disk_ / "model", "old");
  }
  void TearDown() override {
    if (is_mounted_) umount2(disk_.c_str(), MNT_DETACH);
  }
  void expect_untouched() const {
    EXPECT_EQ(read_file(disk_ / "model"), "old");
    EXPECT_EQ(std::distance(fs::directory_iterator(disk_), fs::directory_iterator()), 1);
  }
  fs::path disk_;
  bool is_mounted_ = false;
};

TEST_F(FullDiskTest, IsNoticedBeforeWritingWhenTheSizeIsKnown) {
  const std::string content(2 << 20, 'x');
  EXPECT_EQ(message_of<DataError>([&] { write_file_durably(disk_ / "model", content); }),
            "Cannot write '" + (disk_ / "model").string() +
                "': No space left on device. It needs 2.0 MiB more, 1020.0 KiB are available. "
                "Free some space, or write to a folder on another disk.");
  expect_untouched();
}

TEST_F(FullDiskTest, IsReportedInTheMiddleOfAWriteAndLeavesTheOldContent) {
  const std::string text = message_of<DataError>([&] {
    DurableFile file(disk_ / "model");
    for (int i = 0; i < 20; ++i) file.write(std::string(1 << 16, 'x'));
    file.commit();
  });
  EXPECT_THAT(text, testing::HasSubstr("No space left on device. It needs 4.0 KiB more, 0 B are"));
  expect_untouched();
}

}  // namespace

}  // namespace hearth
