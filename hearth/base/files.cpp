// Reading files, and folders: making, syncing, locking, tidying them.
#include "hearth/base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

[[noreturn]] void throw_file_error(const std::string& action, const fs::path& path, int code,
                                   const std::string& advice = "") {
  throw DataError("Cannot " + action + " " + quote(path.string()) + ": " +
                  std::generic_category().message(code) + "." + advice);
}

// Reads up to `size` bytes; less only at the end of the file. Without offset, where the last ended.
size_t read_fully(const FileHandle& file, char* into, size_t size, const fs::path& path,
                  const uint64_t* offset) {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = offset ? pread(file.descriptor(), into + done, size - done,
                                         static_cast<off_t>(*offset + done))
                                 : read(file.descriptor(), into + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_file_error("read", path, errno);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

[[noreturn]] void throw_too_large(const fs::path& path, uint64_t limit_bytes) {
  throw DataError(quote(path.string()) + " is larger than the limit of " +
                  human_bytes(limit_bytes) + ". Is it the right file?");
}

struct stat status_of(const FileHandle& file, const fs::path& path) {
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) throw_file_error("look at", path, errno);
  return status;
}

constexpr int kLockTries = 5;
constexpr auto kLockPause = std::chrono::milliseconds(20);

bool is_draft_name(const std::string& name) { return name.starts_with(".draft-"); }

// A draft being written is locked by its writer, so a lock that can be had means nobody writes.
bool is_abandoned(const fs::path& draft) {
  const FileHandle file(open(draft.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.is_open() && flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0;
}

std::string lock_holder(const FileHandle& file) {
  char text[32] = {};
  const ssize_t count = pread(file.descriptor(), text, sizeof text, 0);
  const auto pid = read_integer(trim({text, count > 0 ? static_cast<size_t>(count) : 0}));
  return pid ? "process " + std::to_string(*pid) : "another process";
}

void write_lock_holder(const FileHandle& file) {
  const std::string text = std::to_string(getpid()) + "\n";
  // Only the message of a second process needs it, so a failure is no reason to refuse the lock.
  if (ftruncate(file.descriptor(), 0) != 0) return;
  [[maybe_unused]] const auto count = pwrite(file.descriptor(), text.data(), text.size(), 0);
}

}  // namespace

FileHandle::FileHandle(FileHandle&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  if (this == &other) return *this;
  close();
  descriptor_ = std::exchange(other.descriptor_, -1);
  return *this;
}

FileHandle::~FileHandle() { close(); }

void FileHandle::close() {
  if (is_open()) ::close(std::exchange(descriptor_, -1));
}

FileHandle open_to_read(const fs::path& path) {
  FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) throw_file_error("open", path, errno);
  if (S_ISDIR(status_of(file, path).st_mode)) throw_file_error("read", path, EISDIR);
  return file;
}

uint64_t file_size(const FileHandle& file, const fs::path& path) {
  return static_cast<uint64_t>(status_of(file, path).st_size);
}

void read_at(const FileHandle& file, uint64_t offset, std::span<std::byte> into,
             const fs::path& path) {
  const size_t count =
      read_fully(file, reinterpret_cast<char*>(into.data()), into.size(), path, &offset);
  if (count == into.size()) return;
  throw DataError(quote(path.string()) + " ends too early: wanted " + std::to_string(into.size()) +
                  " bytes at byte " + std::to_string(offset) + ", found " + std::to_string(count) +
                  ". It is probably truncated; get it again.");
}

FileStamp stamp_of(const FileHandle& file, const fs::path& path) {
  const struct stat status = status_of(file, path);
  return {status.st_dev, status.st_ino, static_cast<uint64_t>(status.st_size),
          status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

std::string read_file(const fs::path& path, uint64_t limit_bytes) {
  return read_file(open_to_read(path), path, limit_bytes);
}

std::string read_file(const FileHandle& file, const fs::path& path, uint64_t limit_bytes) {
  // A pipe has no start to go back to, and was not read from before.
  [[maybe_unused]] const off_t start = lseek(file.descriptor(), 0, SEEK_SET);
  const uint64_t size = file_size(file, path);
  if (size > limit_bytes) throw_too_large(path, limit_bytes);
  // One byte more than the size shows the end at once; pipes and growing files go on in blocks.
  constexpr size_t kBlock = 1 << 16;
  std::string content(static_cast<size_t>(size) + 1, '\0');
  size_t used = 0;
  for (;;) {
    used += read_fully(file, content.data() + used, content.size() - used, path, nullptr);
    if (used > limit_bytes) throw_too_large(path, limit_bytes);
    if (used < content.size()) break;
    content.resize(content.size() + std::max(kBlock, content.size() / 2));
  }
  content.resize(used);
  return content;
}

void sync_folder(const fs::path& path) {
  const FileHandle folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) throw_file_error("open the folder", path, errno);
  // Some network file systems cannot sync a folder and say EINVAL; there is nothing else to do
  // then.
  if (fsync(folder.descriptor()) != 0 && errno != EINVAL)
    throw_file_error("sync the folder", path, errno);
}

void make_folder(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return;
  const fs::path clean = path.has_filename() ? path : path.parent_path();
  const fs::path parent = clean.has_parent_path() ? clean.parent_path() : fs::path(".");
  if (parent != clean) make_folder(parent);
  if (mkdir(clean.c_str(), 0777) != 0) {
    const int code = errno;
    // Another process may have made it meanwhile.
    if (code != EEXIST || !fs::is_directory(clean, ignored))
      throw_file_error("make the folder", clean, code);
  }
  sync_folder(parent);
}

std::vector<fs::path> list_folder(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    paths.push_back(entry->path());
  if (code && code != std::errc::no_such_file_or_directory)
    throw_file_error("list the folder", folder, code.value());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_there(const fs::path& path) {
  std::error_code code;
  const fs::file_type type = fs::status(path, code).type();
  if (type == fs::file_type::none) throw_file_error("look at", path, code.value());
  return type != fs::file_type::not_found;
}

int remove_stale_drafts(const fs::path& folder) {
  int removed = 0;
  for (const fs::path& path : list_folder(folder))
    if (is_draft_name(path.filename().string()) && is_abandoned(path) && unlink(path.c_str()) == 0)
      ++removed;
  return removed;
}

FolderLock::FolderLock(const fs::path& folder) {
  const fs::path path = folder / ".lock";
  file_ = FileHandle(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.is_open()) throw_file_error("open the lock", path, errno);
  // Who only looks whether it is held holds it for a moment.
  for (int tries = 1; flock(file_.descriptor(), LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK) throw_file_error("lock", path, errno);
    if (tries < kLockTries) {
      std::this_thread::sleep_for(kLockPause);
      continue;
    }
    throw DataError("The folder " + quote(folder.string()) + " is in use by " + lock_holder(file_) +
                    ". Wait until it ends, or work in another folder.");
  }
  write_lock_holder(file_);
}

bool FolderLock::is_held(const fs::path& folder) {
  const fs::path path = folder / ".lock";
  const FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return errno != ENOENT;
  return flock(file.descriptor(), LOCK_SH | LOCK_NB) != 0;
}

}  // namespace hearth
