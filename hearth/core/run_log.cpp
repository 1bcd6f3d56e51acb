// The run log: one append-only stream of typed events.
#include "hearth/core/run_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr auto kSleep = std::chrono::milliseconds(100);
constexpr uint64_t kLogLimitBytes = 4ULL << 30;

FileHandle open_log(const fs::path& path, uint64_t offset) {
  FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open())
    throw DataError("cannot open the run log " + path.string() + ": " + std::strerror(errno) + ".");
  if (::ftruncate(file.descriptor(), static_cast<off_t>(offset)) != 0 ||
      ::lseek(file.descriptor(), 0, SEEK_END) < 0)
    throw DataError("cannot go on with the run log " + path.string() + ": " + std::strerror(errno) +
                    ".");
  return file;
}

// JSON has no infinity and no NaN: they are written as text and read back.
Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_from(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "nan") return std::nan("");
  return text == "inf" ? INFINITY : -INFINITY;
}

Event event_from(const Json& json) {
  Event event;
  event.kind = json.at("event").get<std::string>();
  event.step = json.at("step").get<int64_t>();
  event.epoch = json.at("epoch").get<int64_t>();
  event.time = json.value("time", 0.0);
  if (json.contains("values"))
    for (const auto& [key, value] : json.at("values").items())
      event.values.emplace_back(key, number_from(value));
  if (json.contains("details")) event.details = json.at("details");
  return event;
}

}  // namespace

std::string to_line(const Event& event) {
  nlohmann::ordered_json line = {
      {"event", event.kind}, {"step", event.step}, {"epoch", event.epoch}};
  for (const auto& [key, value] : event.values) line["values"][key] = number(value);
  if (!event.details.is_null()) line["details"] = event.details;
  line["time"] = event.time;
  return line.dump() + "\n";
}

RunLog::RunLog(const fs::path& path, uint64_t offset)
    : path_(path), file_(open_log(path, offset)), length_(offset), writer_([this] { work(); }) {}

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

uint64_t RunLog::flush() {
  std::unique_lock lock(mutex_);
  must_flush_ = true;
  wake_.notify_all();
  written_.wait(lock, [this] { return (waiting_.empty() && !is_writing_) || !failure_.empty(); });
  must_flush_ = false;
  if (!failure_.empty()) throw DataError(failure_);
  if (::fsync(file_.descriptor()) != 0)
    throw DataError("cannot sync the run log " + path_.string() + ": " + std::strerror(errno) +
                    ".");
  return length_;
}

void RunLog::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    // Sleeps its time out even when events come in: the hot path never wakes this thread.
    wake_.wait_for(lock, kSleep, [this] { return is_stopping_ || must_flush_; });
    if (!waiting_.empty() && failure_.empty()) {
      std::vector<Event> events;
      events.swap(waiting_);
      is_writing_ = true;
      lock.unlock();
      append(events);
      lock.lock();
      is_writing_ = false;
    }
    written_.notify_all();
    if (is_stopping_ && (waiting_.empty() || !failure_.empty())) return;
    if (must_flush_ && waiting_.empty())
      wake_.wait_for(lock, kSleep, [this] { return !must_flush_; });
  }
}

void RunLog::append(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += to_line(event);
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file_.descriptor(), text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      const std::lock_guard lock(mutex_);
      failure_ = "cannot write the run log " + path_.string() + ": " + std::strerror(errno) +
                 ". Free some space and resume the run.";
      return;
    }
    done += static_cast<size_t>(wrote);
  }
  const std::lock_guard lock(mutex_);
  length_ += text.size();
}

std::vector<Event> read_run_log(const fs::path& path) {
  const std::string text = read_file(path, kLogLimitBytes);
  std::vector<Event> events;
  size_t begin = 0;
  int line = 1;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++line) {
    try {
      events.push_back(event_from(Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                              text.begin() + static_cast<std::ptrdiff_t>(end))));
    } catch (const nlohmann::json::exception&) {
      throw DataError(path.string() + ":" + std::to_string(line) + ": not an event of a run log.");
    }
  }
  return events;
}

}  // namespace hearth
