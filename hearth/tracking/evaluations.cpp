// What was measured of a run's checkpoints beside the training.
#include "hearth/tracking/evaluations.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/core/log_repair.h"
#include "hearth/tracking/growing_file.h"

namespace hearth {
namespace {

[[noreturn]] void fail(const std::string& action, const fs::path& path) {
  throw DataError("cannot " + action + " " + path.string() + ": " + std::strerror(errno) + ".");
}

// Open, and no other process's for as long as it lives.
FileHandle hold(const fs::path& path) {
  FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open()) fail("open", path);
  while (::flock(file.descriptor(), LOCK_EX) != 0)
    if (errno != EINTR) fail("lock", path);
  return file;
}

}  // namespace

Evaluations::Evaluations(const fs::path& run) : path_(run / "evaluations.jsonl"), reader_(path_) {}

EvaluationKey Evaluations::key_of(const Event& event) {
  EvaluationKey key{event.step, "", "", {}};
  if (!event.details.is_object()) return key;
  key.mode = event.details.value("mode", "");
  key.weights = event.details.value("weights", "");
  key.changes = event.details.value("changes", std::vector<std::string>());
  return key;
}

bool Evaluations::has(const EvaluationKey& key) {
  catch_up();
  return known_.contains(key);
}

void Evaluations::catch_up() {
  for (LogNews news = reader_.next(); news.index() != 0; news = reader_.next()) {
    // Somebody cut it, as an editor does: it is read anew.
    if (std::holds_alternative<LogCut>(news)) {
      known_.clear();
      events_.clear();
      reader_ = LogReader(path_);
      continue;
    }
    Event& event = events_.emplace_back(std::get<Event>(std::move(news)));
    known_.insert(key_of(event));
  }
}

void Evaluations::add(Event event, const EvaluationKey& key) {
  const bool is_new = !is_there(path_);
  const FileHandle held = hold(path_);
  if (has(key)) return;
  event.details["mode"] = key.mode;
  event.details["weights"] = key.weights;
  if (!key.changes.empty()) event.details["changes"] = key.changes;
  // A line that a kill tore must not become the beginning of this one.
  if (::ftruncate(held.descriptor(), static_cast<off_t>(whole_lines_bytes(path_))) != 0)
    fail("write", path_);
  GrowingFile file = GrowingFile::at_end_of(path_);
  file.add(to_line(event));
  file.sync();
  if (is_new) sync_folder(path_.parent_path());
}

}  // namespace hearth
