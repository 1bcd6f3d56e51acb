// Reads a run log while it is being written. A resume may cut the log back, or a repair replace it;
// the reader notices, says how much of what it gave still holds, and goes on from there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/core/event.h"

namespace hearth {

// The log was cut: what was given beyond this does not hold, and what came instead follows.
struct LogCut {
  uint64_t events = 0;  // as many of the first still hold
  int64_t step = -1;    // just those up to this step; -1 when none does
};

// Nothing new yet, an event, or a cut.
using LogNews = std::variant<std::monostate, Event, LogCut>;

// Needs memory for a line, however long the log is. For one thread.
class LogReader {
 public:
  // The file need not be there yet.
  explicit LogReader(fs::path path, uint64_t most_line_bytes = 64ULL << 20);

  // The next whole line. One that is not ended yet is nothing yet. DataError names the line that is
  // no event, or too long; a next call says the same, unless the line was mended.
  [[nodiscard]] LogNews next();
  // Whether there was a file, and there is none of its name now; as the last `next` saw it.
  [[nodiscard]] bool is_gone() const { return is_gone_; }
  [[nodiscard]] uint64_t events() const { return here_.events; }

 private:
  // A place between two lines, and what lies before it.
  struct Spot {
    uint64_t bytes = 0;
    uint64_t digest = 0xcbf29ce484222325;  // of all of it
    uint64_t events = 0;
    int64_t step = -1;  // of the last event
  };
  enum class File : uint8_t { kSame, kOther, kNone };

  // News, or nothing when there is more to look at.
  [[nodiscard]] std::optional<LogNews> read_on();
  [[nodiscard]] File look_for_file();
  [[nodiscard]] std::optional<size_t> fill();
  [[nodiscard]] std::optional<LogNews> find_back();
  [[nodiscard]] std::optional<Event> take_line();
  void remember(const Spot& spot);
  [[nodiscard]] bool digest_up_to(uint64_t bytes, Spot& read, std::string& last) const;
  [[noreturn]] void refuse(const std::string& why);

  fs::path path_;
  uint64_t most_line_bytes_;
  FileHandle file_;
  bool is_gone_ = false;
  bool has_failed_ = false;  // at the line ahead, which may have been mended since
  Spot here_;                // before the first line that was not given yet
  std::string ahead_;        // what was read behind it, less than a line or several of them
  size_t taken_ = 0;         // of that, what lines already given had
  size_t searched_ = 0;      // of that, where no line end is
  std::string last_;         // the end of what was read: it must still be there
  std::vector<Spot> marks_;  // where to go back to: some spots, evenly spread, before a new step
  uint64_t mark_every_ = 1;  // so many steps from one to the next
  uint64_t steps_since_mark_ = 0;
};

// Every whole line; a last line torn by a kill is left out. DataError when there is no such file,
// and for a line that is no event.
[[nodiscard]] std::vector<Event> read_run_log(const fs::path& path);

}  // namespace hearth
