// The run log: one append-only stream of typed events. Training writes it, everything else reads
// it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "hearth/base/files.h"
#include "hearth/core/spec.h"

namespace hearth {

// One line of the log. `time` is the only field that differs between two equal runs.
struct Event {
  std::string kind;  // "begin", "step", "epoch", "eval", "checkpoint", "end", ...
  int64_t step = 0;
  int64_t epoch = 0;
  double time = 0;  // seconds since 1970
  std::vector<std::pair<std::string, double>> values;
  Json details;  // null, or an object with what is not a number
};

// Appends events off the hot path: `write` only moves the event into a buffer; a sleeping thread
// formats and writes. A failed write is kept and thrown by the next `flush`.
class RunLog {
 public:
  // Goes on at `offset`; what lies behind it is cut off, so that a resumed curve does not fork.
  RunLog(const fs::path& path, uint64_t offset);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  void write(Event event);
  // Waits until everything is on disk; returns the file's length.
  uint64_t flush();

 private:
  void work();
  void append(const std::vector<Event>& events);

  fs::path path_;
  FileHandle file_;
  uint64_t length_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable written_;
  std::vector<Event> waiting_;
  bool is_writing_ = false;
  bool is_stopping_ = false;
  bool must_flush_ = false;
  std::string failure_;
  std::thread writer_;
};

[[nodiscard]] std::string to_line(const Event& event);
// Every whole line; a last line torn by a kill is left out. DataError for a line that is no event.
[[nodiscard]] std::vector<Event> read_run_log(const fs::path& path);

}  // namespace hearth
