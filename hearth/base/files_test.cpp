// Tests of reading, folders, drafts and locks.
#include "hearth/base/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "hearth/base/error.h"

namespace hearth {

namespace {

class FilesTest : public testing::Test {
 protected:
  FilesTest() {
    std::string name = (fs::temp_directory_path() / "hearth_files_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~FilesTest() override { fs::remove_all(folder_); }

  fs::path put(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  template <class Action>
  static std::string message(Action action) {
    try {
      action();
    } catch (const DataError& error) {
      return error.what();
    }
    return "no DataError";
  }
  fs::path folder_;
};

TEST_F(FilesTest, ReadsAWholeFileUpToTheLimit) {
  const fs::path path = put("a", std::string("x\0y", 3));
  EXPECT_EQ(read_file(path), std::string("x\0y", 3));
  EXPECT_EQ(read_file(path, 3).size(), 3U);
  EXPECT_EQ(message([&] { (void)read_file(path, 2); }),
            "'" + path.string() + "' is larger than the limit of 2 B. Is it the right file?");
  EXPECT_EQ(read_file(put("empty", "")), "");
}

TEST_F(FilesTest, ReadsFilesThatDoNotTellTheirSize) {
  EXPECT_THAT(read_file("/proc/self/status"), testing::HasSubstr("Pid:"));
  EXPECT_THAT(message([] { (void)read_file("/dev/zero", 1000); }),
              testing::HasSubstr("larger than the limit of 1000 B"));
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string content(200'000, 'p');
  std::jthread writer([&] { std::ofstream(pipe) << content; });
  EXPECT_EQ(read_file(pipe), content);
}

TEST_F(FilesTest, NamesTheFileAndTheReasonWhenItCannotBeRead) {
  EXPECT_EQ(message([&] { (void)read_file(folder_ / "no"); }),
            "Cannot open '" + (folder_ / "no").string() + "': No such file or directory.");
  EXPECT_EQ(message([&] { (void)read_file(folder_); }),
            "Cannot read '" + folder_.string() + "': Is a directory.");
}

TEST_F(FilesTest, ReadAtTakesExactlyTheBytesAskedFor) {
  const fs::path path = put("a", "0123456789");
  const FileHandle file = open_to_read(path);
  EXPECT_EQ(file_size(file, path), 10U);
  std::string into(4, ' ');
  read_at(file, 6, std::as_writable_bytes(std::span(into)), path);
  EXPECT_EQ(into, "6789");
  EXPECT_EQ(message([&] { read_at(file, 7, std::as_writable_bytes(std::span(into)), path); }),
            "'" + path.string() +
                "' ends too early: wanted 4 bytes at byte 7, found 3. "
                "It is probably truncated; get it again.");
}

TEST_F(FilesTest, HandlesCloseOnceAndMove) {
  FileHandle first(open("/dev/null", O_RDONLY));
  const int number = first.descriptor();
  FileHandle second = std::move(first);
  EXPECT_FALSE(first.is_open());  // NOLINT: what a moved-from handle is, is the point
  EXPECT_EQ(second.descriptor(), number);
  second = FileHandle();
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
}

TEST_F(FilesTest, MakesAFolderWithItsParentsAndIsContentWhenItIsThere) {
  make_folder(folder_ / "a/b/c/");
  make_folder(folder_ / "a/b/c");
  EXPECT_TRUE(fs::is_directory(folder_ / "a/b/c"));
  put("file", "");
  EXPECT_EQ(message([&] { make_folder(folder_ / "file"); }),
            "Cannot make the folder '" + (folder_ / "file").string() + "': File exists.");
}

TEST_F(FilesTest, RemovesDraftsOfDeadProcessesOnly) {
  put(".draft-model-1-2", "left by a process that reused a living process's number");
  put("model", "kept");
  DurableFile alive(folder_ / "model");
  EXPECT_EQ(remove_stale_drafts(folder_), 1);
  EXPECT_FALSE(fs::exists(folder_ / ".draft-model-1-2"));
  alive.write("new");
  alive.commit();
  EXPECT_EQ(read_file(folder_ / "model"), "new");
  EXPECT_EQ(remove_stale_drafts(folder_), 0);
}

TEST_F(FilesTest, ListsByNameAndFindsNothingInAFolderThatIsNotThere) {
  put("b", "");
  put("a", "");
  EXPECT_EQ(list_folder(folder_), (std::vector<fs::path>{folder_ / "a", folder_ / "b"}));
  EXPECT_TRUE(list_folder(folder_ / "no").empty());
  EXPECT_EQ(remove_stale_drafts(folder_ / "no"), 0);
  EXPECT_EQ(message([&] { (void)list_folder(folder_ / "a"); }),
            "Cannot list the folder '" + (folder_ / "a").string() + "': Not a directory.");
  EXPECT_TRUE(is_there(folder_ / "a"));
  EXPECT_FALSE(is_there(folder_ / "a" / "below"));
}

TEST_F(FilesTest, AnOpenFileIsReadAsItWasOpenedAndItsStampTellsOfAChange) {
  const fs::path path = put("a", "old");
  const FileHandle file = open_to_read(path);
  const FileStamp stamp = stamp_of(file, path);
  put("b", "new!");
  fs::rename(folder_ / "b", path);
  EXPECT_EQ(read_file(file, path), "old");
  EXPECT_EQ(read_file(file, path), "old");
  EXPECT_EQ(stamp_of(file, path), stamp);
  EXPECT_NE(stamp_of(open_to_read(path), path), stamp);
}

TEST_F(FilesTest, LockRefusesASecondHolderAndEndsWithItsOwner) {
  {
    const FolderLock lock(folder_);
    EXPECT_EQ(message([&] { FolderLock second(folder_); }),
              "The folder '" + folder_.string() + "' is in use by process " +
                  std::to_string(getpid()) + ". Wait until it ends, or work in another folder.");
  }
  EXPECT_NO_THROW(FolderLock{folder_});
}

TEST_F(FilesTest, LockIsSeenByWhoOnlyLooks) {
  EXPECT_FALSE(FolderLock::is_held(folder_));
  {
    const FolderLock lock(folder_);
    EXPECT_TRUE(FolderLock::is_held(folder_));
  }
  EXPECT_FALSE(FolderLock::is_held(folder_));
  EXPECT_FALSE(FolderLock::is_held(folder_ / "no"));
}

TEST_F(FilesTest, LockOfAMissingFolderIsAnError) {
  EXPECT_THAT(message([&] { FolderLock lock(folder_ / "no"); }),
              testing::EndsWith("No such file or directory."));
}

}  // namespace

}  // namespace hearth
