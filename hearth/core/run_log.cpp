// The run log: one append-only stream of typed events.
#include "hearth/core/run_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr auto kSleep = std::chrono::milliseconds(100);
// Synced at least this often, so that little is kept for a second try.
constexpr size_t kUnsyncedBytes = 1 << 20;
// More than this is not kept for a disk that refuses everything: the log ends there.
constexpr size_t kBacklogBytes = 64 << 20;

[[noreturn]] void throw_log_error(const std::string& action, const fs::path& path) {
  throw DataError("cannot " + action + " the run log " + path.string() + ": " +
                  std::strerror(errno) + ".");
}

FileHandle open_log(const fs::path& path, uint64_t offset) {
  const bool is_new = !is_there(path);
  FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open()) throw_log_error("open", path);
  if (is_new) sync_folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
  if (const uint64_t bytes = file_size(file, path); bytes < offset)
    throw DataError("the run log " + path.string() + " has " + std::to_string(bytes) +
                    " bytes, but should have " + std::to_string(offset) + ".");
  if (::ftruncate(file.descriptor(), static_cast<off_t>(offset)) != 0)
    throw_log_error("go on with", path);
  return file;
}

}  // namespace

RunLog::RunLog(const fs::path& path, uint64_t offset)
    : path_(path),
      file_(open_log(path, offset)),
      synced_bytes_(offset),
      length_(offset),
      writer_([this] { work(); }) {}

RunLog::~RunLog() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  writer_.join();
}

void RunLog::write(Event event) {
  if (event.time == 0) event.time = unix_seconds();
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(event));
}

std::shared_future<uint64_t> RunLog::mark() {
  const std::lock_guard lock(mutex_);
  marks_.emplace_back(waiting_.size(), std::promise<uint64_t>());
  return marks_.back().second.get_future().share();
}

std::string RunLog::flush() {
  std::unique_lock lock(mutex_);
  const uint64_t ticket = ++flushes_wanted_;
  wake_.notify_all();
  done_.wait(lock, [&] { return flushes_done_ >= ticket; });
  return std::exchange(failure_, "");
}

void RunLog::work() {
  std::unique_lock lock(mutex_);
  for (bool is_last = false; !is_last;) {
    // Sleeps its time out even when events come in: the hot path never wakes this thread.
    wake_.wait_for(lock, kSleep,
                   [this] { return is_stopping_ || flushes_wanted_ > flushes_done_; });
    is_last = is_stopping_;
    const uint64_t flushes = flushes_wanted_;
    const bool must_sync = is_last || flushes > flushes_done_;
    std::vector<Event> events = std::exchange(waiting_, {});
    std::vector<Mark> marks = std::exchange(marks_, {});
    lock.unlock();
    format(events, marks);
    std::string failure = write_out(must_sync);
    is_gone_ = has_lost_its_name();
    lock.lock();
    if (!failure.empty()) failure_ = std::move(failure);
    flushes_done_ = flushes;
    done_.notify_all();
  }
}

void RunLog::format(const std::vector<Event>& events, std::vector<Mark>& marks) {
  auto mark = marks.begin();
  for (size_t i = 0; i <= events.size(); ++i) {
    for (; mark != marks.end() && mark->first == i; ++mark) mark->second.set_value(length_);
    if (i == events.size()) break;
    const std::string line = to_line(events[i]);
    length_ += line.size();
    is_full_ = is_full_ || unsynced_.size() + line.size() > kBacklogBytes;
    if (!is_full_) unsynced_ += line;
  }
}

std::string RunLog::write_out(bool must_sync) {
  const auto failure = [this](const char* action) {
    return "cannot " + std::string(action) + " the run log " + path_.string() + ": " +
           std::strerror(errno) + (is_full_ ? ". It ends there." : ". It is tried again.");
  };
  while (written_ < unsynced_.size()) {
    const ssize_t count =
        ::pwrite(file_.descriptor(), unsynced_.data() + written_, unsynced_.size() - written_,
                 static_cast<off_t>(synced_bytes_ + written_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure("write");
    written_ += static_cast<size_t>(count);
  }
  if (unsynced_.empty() || (!must_sync && unsynced_.size() < kUnsyncedBytes)) return "";
  if (::fsync(file_.descriptor()) != 0) {
    // The kernel may have dropped what it could not write, so all of it is written again.
    written_ = 0;
    return failure("sync");
  }
  synced_bytes_ += unsynced_.size();
  unsynced_.clear();
  written_ = 0;
  return "";
}

bool RunLog::has_lost_its_name() const {
  struct stat named {};
  struct stat open {};
  if (::fstat(file_.descriptor(), &open) != 0) return false;
  if (::stat(path_.c_str(), &named) != 0) return errno == ENOENT || errno == ENOTDIR;
  return named.st_ino != open.st_ino || named.st_dev != open.st_dev;
}

}  // namespace hearth
