// Writes files of a run in the background.
#include "hearth/train/run_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr size_t kMostWaiting = 64;

[[noreturn]] void throw_append_error(const fs::path& path) {
  throw DataError("cannot write to " + path.string() + ": " + std::strerror(errno) + ".");
}

// A file that lost its end is gone on with at its end, and said to have lost it.
void append_durably(const fs::path& path, uint64_t offset, const std::string& text) {
  const bool is_new = !is_there(path);
  const FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open()) throw_append_error(path);
  if (is_new) sync_folder(path.parent_path());
  const uint64_t there = file_size(file, path);
  const auto begin = static_cast<off_t>(std::min(there, offset));
  if (::ftruncate(file.descriptor(), begin) != 0) throw_append_error(path);
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::pwrite(file.descriptor(), text.data() + done, text.size() - done,
                                   begin + static_cast<off_t>(done));
    if (wrote < 0 && errno != EINTR) throw_append_error(path);
    if (wrote > 0) done += static_cast<size_t>(wrote);
  }
  if (::fsync(file.descriptor()) != 0) throw_append_error(path);
  if (there < offset)
    throw DataError(path.string() + " had " + std::to_string(there) + " bytes of the " +
                    std::to_string(offset) + " that were written: rows are missing.");
}

}  // namespace

RunFiles::~RunFiles() {
  if (!writer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

void RunFiles::write(const fs::path& name, std::function<std::string()> content) {
  write_with(name, [content = std::move(content)](const fs::path& path) {
    write_file_durably(path, content());
  });
}

void RunFiles::append(const fs::path& name, uint64_t offset, std::string text) {
  write_with(name, [offset, text = std::move(text)](const fs::path& path) {
    append_durably(path, offset, text);
  });
}

void RunFiles::remove(const fs::path& name) {
  write_with(name, [](const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
    if (error) throw DataError("cannot remove " + path.string() + ": " + error.message() + ".");
  });
}

void RunFiles::write_with(const fs::path& name, Writer writer) {
  std::unique_lock lock(mutex_);
  if (!writer_.joinable()) writer_ = std::thread([this] { work(); });
  changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
  waiting_.push_back({folder_ / name, std::move(writer)});
  changed_.notify_all();
}

std::string RunFiles::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty(); });
  return std::exchange(failure_, "");
}

void RunFiles::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Waiting& next = waiting_.front();
    lock.unlock();
    std::string failure;
    try {
      make_folder(next.path.parent_path());
      next.writer(next.path);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    lock.lock();
    if (!failure.empty()) failure_ = std::move(failure);
    waiting_.pop_front();
    changed_.notify_all();
  }
}

void RunFiles::tidy(const fs::path& folder) {
  for (const char* kind : {"tables", "images", "files", "weights"})
    for (const fs::path& inner : list_folder(folder / kind))
      if (fs::is_directory(inner)) remove_stale_drafts(inner);
}

}  // namespace hearth
