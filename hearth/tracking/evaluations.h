// What was measured of a run's checkpoints beside the training: evaluations.jsonl in its folder. It
// is not the log, which the training alone writes and cuts back.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/core/event.h"
#include "hearth/core/log_reader.h"

namespace hearth {

// Two evaluations with equal keys measure the same.
struct EvaluationKey {
  int64_t step = 0;
  std::string mode;
  std::string weights;               // their digest
  std::vector<std::string> changes;  // overrides of the run's config
  [[nodiscard]] auto operator<=>(const EvaluationKey&) const = default;
};

class Evaluations {
 public:
  explicit Evaluations(const fs::path& run);

  // Whether it is known, also from another process. DataError for a file that is damaged.
  [[nodiscard]] bool has(const EvaluationKey& key);
  // Adds it, durably: once, whoever else adds the same. The event's details get the key's words.
  void add(Event event, const EvaluationKey& key);
  // All that was read so far, of every mode.
  [[nodiscard]] const std::vector<Event>& read() const { return events_; }
  [[nodiscard]] static EvaluationKey key_of(const Event& event);

 private:
  void catch_up();

  fs::path path_;
  LogReader reader_;
  std::set<EvaluationKey> known_;
  std::vector<Event> events_;
};

}  // namespace hearth
