// Writing a file so that a crash, a power loss or a full disk leaves the old content or the new
// one.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

fs::path durable_folder(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

fs::path durable_draft(const fs::path& target) {
  // A long name is cut: the draft's must stay below the 255 bytes that file systems allow.
  const std::string name = target.filename().string().substr(0, 200);
  const uint64_t number = (uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  return durable_folder(target) /
         (".draft-" + name + "-" + std::to_string(getpid()) + "-" + std::to_string(number));
}

std::string disk_full_advice(const fs::path& target, uint64_t needed_bytes) {
  struct statvfs disk {};
  std::string text = " It needs " + human_bytes(needed_bytes) + " more";
  if (statvfs(durable_folder(target).c_str(), &disk) == 0)
    text += ", " + human_bytes(uint64_t{disk.f_bavail} * disk.f_frsize) + " are available";
  return text + ". Free some space, or write to a folder on another disk.";
}

std::string durable_advice(const fs::path& target, int code, uint64_t needed_bytes) {
  if (code == ENOSPC) return disk_full_advice(target, needed_bytes);
  const std::string needed = " It needs " + human_bytes(needed_bytes) + " more.";
  if (code == EDQUOT) return needed + " Free some of your quota, or write to another disk.";
  if (code == EFBIG) return needed + " Raise the limit on file sizes (ulimit -f).";
  if (code == ENOENT) return " Make the folder first.";
  return "";
}

[[noreturn]] void throw_write_error(const fs::path& target, int code, uint64_t needed_bytes = 0) {
  throw DataError("Cannot write " + quote(target.string()) + ": " +
                  std::generic_category().message(code) + "." +
                  durable_advice(target, code, needed_bytes));
}

// Reserves the space, so that a full disk is known before hours of work go into the file.
void reserve_space(const FileHandle& file, uint64_t bytes, const fs::path& target) {
  if (bytes == 0) return;
  int code = 0;
  do code = posix_fallocate(file.descriptor(), 0, static_cast<off_t>(bytes));
  while (code == EINTR);
  if (code == ENOSPC || code == EDQUOT || code == EFBIG) throw_write_error(target, code, bytes);
}

// What was reserved but not written would otherwise follow as zeros.
int cut_behind_cursor(int descriptor) {
  const off_t end = lseek(descriptor, 0, SEEK_CUR);
  struct stat status {};
  if (end < 0 || fstat(descriptor, &status) != 0) return -1;
  return status.st_size == end ? 0 : ftruncate(descriptor, end);
}

}  // namespace

DurableFile::DurableFile(fs::path target, uint64_t expected_bytes)
    : target_(std::move(target)), draft_(durable_draft(target_)) {
  file_ = FileHandle(open(draft_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file_.is_open()) throw_write_error(target_, errno);
  // The lock tells remove_stale_drafts() that the draft is alive.
  flock(file_.descriptor(), LOCK_EX | LOCK_NB);
  try {
    reserve_space(file_, expected_bytes, target_);
  } catch (...) {
    unlink(draft_.c_str());
    throw;
  }
}

DurableFile::~DurableFile() {
  if (!draft_.empty()) unlink(draft_.c_str());
}

void DurableFile::write(std::span<const std::byte> bytes) {
  if (!file_.is_open()) throw InternalError("DurableFile: write() after commit().");
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.descriptor(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_write_error(target_, errno, bytes.size());
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void DurableFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void DurableFile::commit() {
  if (!file_.is_open()) throw InternalError("DurableFile: commit() called twice.");
  // A failed sync is final: a second one may report success although the kernel dropped the data.
  if (cut_behind_cursor(file_.descriptor()) != 0 || fsync(file_.descriptor()) != 0)
    throw_write_error(target_, errno);
  file_.close();
  if (rename(draft_.c_str(), target_.c_str()) != 0) throw_write_error(target_, errno);
  draft_.clear();
  sync_folder(durable_folder(target_));
}

void write_file_durably(const fs::path& path, std::string_view content) {
  DurableFile file(path, content.size());
  file.write(content);
  file.commit();
}

}  // namespace hearth
