// Whether a run is still being trained, as another process sees it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "hearth/base/files.h"
#include "hearth/core/log_reader.h"

namespace hearth {

enum class RunPhase : uint8_t {
  kTraining,
  kEnded,  // by itself, as its history says
  kGone,   // no process works on it any more, and none has said that it ended
};

class RunWatch {
 public:
  explicit RunWatch(fs::path run);
  // What the run had written before this answers is all, unless it still trains.
  [[nodiscard]] RunPhase look();

 private:
  [[nodiscard]] bool has_ended();

  fs::path run_;
  LogReader history_;
  bool has_ended_ = false;
  std::optional<std::chrono::steady_clock::time_point> free_since_;
};

// What to say of one that is gone, with what to do about it.
[[nodiscard]] std::string gone_text(const fs::path& run);

}  // namespace hearth
