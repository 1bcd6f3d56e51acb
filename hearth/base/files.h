// Reading files within limits, and writing them so that a write is durable or did not happen.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

namespace fs = std::filesystem;

// A file descriptor that closes itself.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  ~FileHandle();
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  void close();

 private:
  int descriptor_ = -1;
};

// Opens for reading; DataError names the file and the reason.
[[nodiscard]] FileHandle open_to_read(const fs::path& path);
[[nodiscard]] uint64_t file_size(const FileHandle& file, const fs::path& path);
// Reads exactly `into.size()` bytes at `offset`; DataError when the file ends before.
void read_at(const FileHandle& file, uint64_t offset, std::span<std::byte> into,
             const fs::path& path);

// Equal as long as nobody replaced the file or wrote into it, as far as its folder entry tells.
struct FileStamp {
  uint64_t device = 0;
  uint64_t number = 0;
  uint64_t bytes = 0;
  int64_t changed_at = 0;  // nanoseconds
  [[nodiscard]] bool operator==(const FileStamp&) const = default;
};
[[nodiscard]] FileStamp stamp_of(const FileHandle& file, const fs::path& path);

// The whole file; DataError when it is missing or larger than `limit_bytes`.
[[nodiscard]] std::string read_file(const fs::path& path, uint64_t limit_bytes = 1ULL << 30);
// The same of a file that is open, from its start.
[[nodiscard]] std::string read_file(const FileHandle& file, const fs::path& path,
                                    uint64_t limit_bytes = 1ULL << 30);

// A file under construction: temporary name, written, synced, renamed, folder synced. Until
// `commit` returns, the final name holds what it held before; a destructor without commit removes
// the draft.
class DurableFile {
 public:
  explicit DurableFile(fs::path target, uint64_t expected_bytes = 0);
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile();
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

 private:
  fs::path target_;
  fs::path draft_;
  FileHandle file_;
};

void write_file_durably(const fs::path& path, std::string_view content);
// Makes the folder and its parents, and syncs the parent so that it survives a power loss.
void make_folder(const fs::path& path);
void sync_folder(const fs::path& path);
// What lies in the folder, by name; nothing when it is not there, DataError when it cannot be read.
[[nodiscard]] std::vector<fs::path> list_folder(const fs::path& folder);
// Whether there is something of this name; DataError when the disk cannot say, which is no "no".
[[nodiscard]] bool is_there(const fs::path& path);
// Removes drafts that a killed process left in the folder; returns how many.
int remove_stale_drafts(const fs::path& folder);

// Held while one process works in a run folder; a second one is refused with DataError.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder);
  // Whether some process holds one now; also where that cannot be known.
  [[nodiscard]] static bool is_held(const fs::path& folder);

 private:
  FileHandle file_;
};

}  // namespace hearth
