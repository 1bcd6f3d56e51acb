// Reads a run log while it is being written.
#include "hearth/core/log_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr size_t kLogBlock = 1 << 16;
constexpr size_t kLastBytes = 256;  // holds the time of an event, which no two runs share
constexpr size_t kMostMarks = 64;

// FNV-1a: the reader's own notes, nobody's proof.
uint64_t digest_on(uint64_t digest, std::string_view bytes) {
  for (const char byte : bytes) {
    digest ^= static_cast<unsigned char>(byte);
    digest *= 0x100000001b3;
  }
  return digest;
}

// As many as there are; a file that ends before is no fault here.
size_t read_some(const FileHandle& file, uint64_t offset, char* into, size_t count,
                 const fs::path& path) {
  for (;;) {
    const ssize_t got = ::pread(file.descriptor(), into, count, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR)
      throw DataError("cannot read the run log " + path.string() + ": " + std::strerror(errno) +
                      ".");
  }
}

std::string end_of(const std::string& text) {
  return text.substr(text.size() - std::min(text.size(), kLastBytes));
}

}  // namespace

LogReader::LogReader(fs::path path, uint64_t most_line_bytes)
    : path_(std::move(path)), most_line_bytes_(most_line_bytes) {}

LogNews LogReader::next() {
  for (;;) {
    if (std::optional<Event> event = take_line()) return std::move(*event);
    if (std::optional<LogNews> news = read_on()) return std::move(*news);
  }
}

// The line that is ahead, if it is whole.
std::optional<Event> LogReader::take_line() {
  const size_t end = ahead_.find('\n', searched_);
  searched_ = std::min(end, ahead_.size());
  if (searched_ - taken_ > most_line_bytes_)
    refuse("a line of more than " + human_bytes(most_line_bytes_) + ", which no run writes");
  if (end == std::string::npos) return std::nullopt;
  const std::string_view line = std::string_view(ahead_).substr(taken_, end + 1 - taken_);
  std::optional<Event> event = event_from(line.substr(0, line.size() - 1));
  if (!event) refuse("not an event of a run log");
  if (event->step > here_.step) remember(here_);
  here_.digest = digest_on(here_.digest, line);
  here_.bytes += line.size();
  here_.step = event->step;
  ++here_.events;
  taken_ = end + 1;
  searched_ = taken_;
  return event;
}

void LogReader::refuse(const std::string& why) {
  has_failed_ = true;
  ahead_ = std::string();
  taken_ = 0;
  searched_ = 0;
  throw DataError(path_.string() + ":" + std::to_string(here_.events + 1) + ": " + why + ".");
}

// Marks stand before the first event of a step, so that all events behind one are of later steps.
void LogReader::remember(const Spot& spot) {
  if (++steps_since_mark_ < mark_every_) return;
  steps_since_mark_ = 0;
  marks_.push_back(spot);
  if (marks_.size() < kMostMarks) return;
  for (size_t i = 0; 2 * i < marks_.size(); ++i) marks_[i] = marks_[2 * i];
  marks_.resize(marks_.size() / 2);
  mark_every_ *= 2;
}

std::optional<LogNews> LogReader::read_on() {
  switch (look_for_file()) {
    case File::kNone:
      return std::optional<LogNews>(std::in_place);
    case File::kOther:
      return find_back();
    case File::kSame:
      break;
  }
  if (std::exchange(has_failed_, false)) return find_back();
  const std::optional<size_t> bytes = fill();
  if (!bytes) return find_back();
  if (*bytes > 0) return std::nullopt;
  return std::optional<LogNews>(std::in_place);  // nothing yet
}

// The file may be deleted, made anew, or replaced while we read; the name decides.
LogReader::File LogReader::look_for_file() {
  FileHandle named(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!named.is_open()) {
    if (errno != ENOENT && errno != ENOTDIR)
      throw DataError("cannot open the run log " + path_.string() + ": " + std::strerror(errno) +
                      ".");
    is_gone_ = is_gone_ || file_.is_open();
    return File::kNone;
  }
  is_gone_ = false;
  const bool is_first = !file_.is_open();
  bool is_same = false;
  if (!is_first) {
    const FileStamp before = stamp_of(file_, path_);
    const FileStamp now = stamp_of(named, path_);
    is_same = before.device == now.device && before.number == now.number;
  }
  if (!is_same) file_ = std::move(named);
  return is_first || is_same ? File::kSame : File::kOther;
}

// How much more of the file is in `ahead_` now. What was read last is read again in the same call:
// nothing when it is not there any more.
std::optional<size_t> LogReader::fill() {
  ahead_.erase(0, taken_);
  searched_ -= taken_;
  taken_ = 0;
  const uint64_t read_so_far = here_.bytes + ahead_.size();
  std::string block(last_.size() + kLogBlock, '\0');
  block.resize(read_some(file_, read_so_far - last_.size(), block.data(), block.size(), path_));
  if (!block.starts_with(last_)) return std::nullopt;
  const size_t bytes = block.size() - last_.size();
  ahead_.append(block, last_.size());
  last_ = end_of(block);
  return bytes;
}

// The file is another than before, or has other bytes: goes back to the last spot up to which it is
// the same.
std::optional<LogNews> LogReader::find_back() {
  std::vector<Spot> spots = marks_;
  spots.push_back(here_);
  std::vector<Spot> kept;
  Spot same;
  std::string last_of_same;
  Spot read;
  std::string last;
  for (const Spot& spot : spots) {
    if (!digest_up_to(spot.bytes, read, last) || read.digest != spot.digest) break;
    if (spot.bytes > same.bytes) kept.push_back(same);
    same = spot;
    last_of_same = last;
  }
  const bool is_cut = same.events < here_.events;
  marks_ = std::move(kept);
  here_ = same;
  last_ = std::move(last_of_same);
  ahead_.clear();
  taken_ = 0;
  searched_ = 0;
  return is_cut ? std::optional<LogNews>(LogCut{same.events, same.step}) : std::nullopt;
}

// Reads on to `bytes` of the file; false when it ends before. `last` becomes the end of what was
// read.
bool LogReader::digest_up_to(uint64_t bytes, Spot& read, std::string& last) const {
  std::string block(kLogBlock, '\0');
  while (read.bytes < bytes) {
    const size_t wanted = std::min<uint64_t>(kLogBlock, bytes - read.bytes);
    const size_t count = read_some(file_, read.bytes, block.data(), wanted, path_);
    if (count == 0) return false;
    const std::string_view piece = std::string_view(block).substr(0, count);
    read.digest = digest_on(read.digest, piece);
    read.bytes += count;
    last = end_of(last.append(piece));
  }
  return true;
}

std::vector<Event> read_run_log(const fs::path& path) {
  (void)open_to_read(path);
  LogReader reader(path);
  std::vector<Event> events;
  for (LogNews news = reader.next(); news.index() != 0; news = reader.next()) {
    if (const auto* cut = std::get_if<LogCut>(&news)) events.resize(cut->events);
    if (auto* event = std::get_if<Event>(&news)) events.push_back(std::move(*event));
  }
  return events;
}

}  // namespace hearth
