// The run log: one append-only stream of typed events. Training writes it; `log_reader.h` reads it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/core/event.h"

namespace hearth {

// Appends events off the hot path: `write` only moves the event into a buffer; a sleeping thread
// formats and writes. What the disk refuses is kept and tried again, in order.
class RunLog {
 public:
  // Goes on at `offset`; what lies behind it is cut off, so that a resumed curve does not fork.
  // DataError when the file is shorter: it is never filled up (`log_repair.h` mends it).
  RunLog(const fs::path& path, uint64_t offset);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  void write(Event event);
  // How long the file is once all that was written before this call is in it. Known after the next
  // `flush`, whether the disk took it or not.
  [[nodiscard]] std::shared_future<uint64_t> mark();
  // Waits until all that was written before is on disk. Says why it is not, or nothing.
  std::string flush();
  // Whether the file was deleted or moved; looked at all the time, cheap to ask.
  [[nodiscard]] bool is_gone() const { return is_gone_.load(std::memory_order_relaxed); }

 private:
  using Mark = std::pair<size_t, std::promise<uint64_t>>;  // after so many waiting events
  void work();
  void format(const std::vector<Event>& events, std::vector<Mark>& marks);
  [[nodiscard]] std::string write_out(bool must_sync);
  [[nodiscard]] bool has_lost_its_name() const;

  fs::path path_;
  FileHandle file_;
  // The writer's own: what is not known to be on disk, and how much of it was written.
  std::string unsynced_;
  size_t written_ = 0;
  uint64_t synced_bytes_;
  uint64_t length_;  // of all events, also those that the disk or the backlog refused
  bool is_full_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<Event> waiting_;
  std::vector<Mark> marks_;
  uint64_t flushes_wanted_ = 0;
  uint64_t flushes_done_ = 0;
  bool is_stopping_ = false;
  std::string failure_;
  std::atomic<bool> is_gone_ = false;
  std::thread writer_;
};

}  // namespace hearth
