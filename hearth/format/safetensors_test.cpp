// Tests of writing, reading and verifying safetensors files.
#include "hearth/format/safetensors.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hearth/base/error.h"
#include "hearth/format/safetensors_writer.h"

namespace hearth {

namespace {

std::span<const std::byte> bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text));
}

class SafetensorsTest : public testing::Test {
 protected:
  SafetensorsTest() {
    std::string name = (fs::temp_directory_path() / "hearth_safetensors_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = folder_ / "x.safetensors";
  }
  ~SafetensorsTest() override { fs::remove_all(folder_); }

  void write_example(const SafetensorsOptions& options = {.metadata = {{"step", "7"}}}) const {
    write_safetensors(path_,
                      {{"mask", "BOOL", {3}, bytes_in(std::string_view("\1\0\1", 3))},
                       {"b", "F32", {1}, bytes_in("bbbb")},
                       {"a", "F32", {2}, bytes_in("aaaaAAAA")},
                       {"none", "I64", {0, 5}, {}},
                       {"step", "I64", {}, bytes_in("12345678")}},
                      options);
  }
  // Changes bytes in place: writing thousands of broken files anew takes a disk seconds.
  void patch(size_t offset, char byte) const {
    const FileHandle file(open(path_.c_str(), O_WRONLY));
    ASSERT_EQ(pwrite(file.descriptor(), &byte, 1, static_cast<off_t>(offset)), 1);
  }
  void put(std::string_view bytes) const {
    const FileHandle file(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600));
    ASSERT_EQ(write(file.descriptor(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  [[nodiscard]] std::string verify_message() const {
    try {
      SafetensorsFile(path_).verify_digest();
    } catch (const DataError& error) {
      return error.what();
    }
    return "no DataError";
  }
  [[nodiscard]] std::string text(const std::string& reason) const {
    return path_.string() + ": " + reason;
  }
  fs::path folder_, path_;
};

TEST_F(SafetensorsTest, ReadsBackWhatWasWritten) {
  write_example();
  const SafetensorsFile file(path_);
  EXPECT_EQ(file.metadata(), (std::map<std::string, std::string>{{"step", "7"}}));
  std::string into(8, ' ');
  file.read("a", std::as_writable_bytes(std::span(into)));
  EXPECT_EQ(into, "aaaaAAAA");
  ASSERT_NE(file.find("none"), nullptr);
  EXPECT_EQ(file.find("none")->shape, (std::vector<int64_t>{0, 5}));
  file.read("none", {});
  EXPECT_EQ(file.find("hearth.digest"), nullptr);
  EXPECT_TRUE(file.has_digest());
  EXPECT_NO_THROW(file.verify_digest());
}

TEST_F(SafetensorsTest, OrdersByWidthThenNameAndAligns) {
  write_example();
  const SafetensorsFile file(path_);
  std::vector<std::string> names;
  for (const TensorEntry& entry : file.entries()) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"none", "step", "a", "b", "mask"}));
  EXPECT_EQ(static_cast<unsigned char>(read_file(path_)[0]) % 8, 0);
}

TEST_F(SafetensorsTest, EqualContentGivesEqualBytesInAnyOrder) {
  write_safetensors(path_, {{"a", "U8", {1}, bytes_in("1")}, {"b", "U8", {1}, bytes_in("2")}});
  const std::string first = read_file(path_);
  write_safetensors(path_, {{"b", "U8", {1}, bytes_in("2")}, {"a", "U8", {1}, bytes_in("1")}});
  EXPECT_EQ(read_file(path_), first);
}

TEST_F(SafetensorsTest, PutsTheDigestLast) {
  write_example();
  const std::string bytes = read_file(path_);
  EXPECT_EQ(bytes.substr(bytes.size() - 72, 8), "HEARTH01");
  write_example({.has_digest = false});
  EXPECT_FALSE(SafetensorsFile(path_).has_digest());
  EXPECT_EQ(verify_message(), text("has no digest, so damage cannot be ruled out. It was not "
                                   "written by Hearth, or was changed by another tool."));
}

TEST_F(SafetensorsTest, WritesAFileWithoutTensors) {
  write_safetensors(path_, {}, {.has_digest = false});
  EXPECT_EQ(read_file(path_), std::string("\x08\0\0\0\0\0\0\0{}      ", 16));
  write_safetensors(path_, {});
  EXPECT_EQ(verify_message(), "no DataError");
}

TEST_F(SafetensorsTest, VerifiesManyBlocks) {
  const std::string data(3'000'001, 'x');
  write_safetensors(path_, {{"a", "U8", {3'000'001}, bytes_in(data)}});
  EXPECT_EQ(verify_message(), "no DataError");
  std::string bytes = read_file(path_);
  bytes[bytes.size() - 80] = 'y';
  put(bytes);
  EXPECT_EQ(verify_message(), text("its tensors were changed after they were written: the SHA-256 "
                                   "differs. Use another copy of the file."));
}

TEST_F(SafetensorsTest, NoticesEveryChangedBit) {
  write_example();
  const std::string bytes = read_file(path_);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    patch(bit / 8, static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8)));
    ASSERT_NE(verify_message(), "no DataError") << "byte " << bit / 8 << " bit " << bit % 8;
    patch(bit / 8, bytes[bit / 8]);
  }
  EXPECT_EQ(verify_message(), "no DataError");
}

TEST_F(SafetensorsTest, SaysWhichPartWasChanged) {
  write_example();
  const std::string bytes = read_file(path_);
  std::string changed = bytes;
  changed[bytes.find("\"7\"") + 1] = '8';
  put(changed);
  EXPECT_EQ(verify_message(), text("its header was changed after it was written: the SHA-256 "
                                   "differs. Use another copy of the file."));
  changed = bytes;
  changed[bytes.find("HEARTH01")] = 'h';
  put(changed);
  EXPECT_EQ(verify_message(), text("its digest is damaged: it does not start with HEARTH01. Use "
                                   "another copy of the file."));
}

TEST_F(SafetensorsTest, NoticesTruncationAtEveryLengthAndAppendedBytes) {
  write_example();
  const std::string bytes = read_file(path_);
  for (size_t length = bytes.size(); length-- > 0;) {
    ASSERT_EQ(truncate(path_.c_str(), static_cast<off_t>(length)), 0);
    EXPECT_THROW(SafetensorsFile{path_}, DataError) << length;
  }
  put(bytes.substr(0, bytes.size() - 1));
  EXPECT_THAT(verify_message(), testing::EndsWith("it is truncated, get it again."));
  put(bytes + "PK");
  EXPECT_THAT(verify_message(), testing::EndsWith("foreign bytes follow the tensors."));
}

TEST_F(SafetensorsTest, RefusesASparseFileOfATerabyte) {
  put(std::string("\0\0\x10\0\0\0\0\0", 8));
  ASSERT_EQ(truncate(path_.c_str(), 1LL << 40), 0);
  EXPECT_THAT(verify_message(), testing::HasSubstr("header: byte 0: a NUL byte."));
}

TEST_F(SafetensorsTest, NamesTheNearestTensorAndWrongSizes) {
  write_example();
  const SafetensorsFile file(path_);
  const auto message = [&](const std::string& name, size_t size) -> std::string {
    std::vector<std::byte> into(size);
    try {
      file.read(name, into);
    } catch (const DataError& error) {
      return error.what();
    }
    return "no DataError";
  };
  EXPECT_EQ(message("mesk", 3), text("has no tensor 'mesk'. Did you mean 'mask'?"));
  EXPECT_EQ(message("mask", 4), text("tensor 'mask' has 3 bytes, expected 4."));
}

TEST_F(SafetensorsTest, RefusesToWriteWhatItCouldNotRead) {
  const auto refused = [&](const std::vector<TensorView>& tensors,
                           const SafetensorsOptions& options = {}) {
    EXPECT_THROW(write_safetensors(path_, tensors, options), InternalError);
    EXPECT_FALSE(fs::exists(path_));
  };
  refused({{"a", "F32", {2}, bytes_in("four")}});
  refused({{"a", "F31", {1}, bytes_in("four")}});
  refused({{"a", "U8", {-1}, {}}});
  refused({{"a", "U8", {0}, {}}, {"a", "U8", {0}, {}}});
  refused({{"", "U8", {0}, {}}});
  refused({{"a\n", "U8", {0}, {}}});
  refused({{"\xff", "U8", {0}, {}}});
  refused({{"hearth.digest", "U8", {0}, {}}}, {.has_digest = false});
  refused({{"__metadata__", "U8", {0}, {}}});
  refused({}, {.metadata = {{"k", "\xff"}}});
}

TEST_F(SafetensorsTest, RefusesAFolderAndAMissingFile) {
  EXPECT_THROW(SafetensorsFile{folder_}, DataError);
  EXPECT_THROW(SafetensorsFile{folder_ / "no"}, DataError);
}

}  // namespace

}  // namespace hearth
