// Writes files of a run in the background.
#include "hearth/train/run_files.h"

#include <utility>

namespace hearth {
namespace {

constexpr size_t kMostWaiting = 64;

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
  std::unique_lock lock(mutex_);
  if (!writer_.joinable()) writer_ = std::thread([this] { work(); });
  changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
  waiting_.push_back({folder_ / name, std::move(content)});
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
      write_file_durably(next.path, next.content());
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
  for (const char* kind : {"tables", "images"})
    for (const fs::path& inner : list_folder(folder / kind))
      if (fs::is_directory(inner)) remove_stale_drafts(inner);
}

}  // namespace hearth
