// Whether a run is still being trained, as another process sees it.
#include "hearth/tracking/run_watch.h"

#include <utility>

#include "hearth/base/text.h"

namespace hearth {
namespace {

// A process that begins makes the folder first, and takes hold of it a moment later.
constexpr auto kBeginning = std::chrono::seconds(1);

}  // namespace

RunWatch::RunWatch(fs::path run) : run_(std::move(run)), history_(run_ / "history.jsonl") {}

// A process that ends says so, then lets go: hence the lock is asked first.
RunPhase RunWatch::look() {
  const bool is_held = FolderLock::is_held(run_);
  if (has_ended()) return RunPhase::kEnded;
  const auto now = std::chrono::steady_clock::now();
  if (is_held) free_since_.reset();
  if (!is_held && !free_since_) free_since_ = now;
  return free_since_ && now - *free_since_ >= kBeginning ? RunPhase::kGone : RunPhase::kTraining;
}

bool RunWatch::has_ended() {
  for (LogNews news = history_.next(); news.index() != 0; news = history_.next())
    if (const auto* event = std::get_if<Event>(&news)) {
      const std::string& kind = event->kind;
      if (kind == "begin" || kind == "resume") has_ended_ = false;
      if (kind == "end" || kind == "interrupted" || kind == "diverged" || kind == "failed")
        has_ended_ = true;
    }
  return has_ended_;
}

std::string gone_text(const fs::path& run) {
  return "the training is gone: no process works on this run any more, and none has said that it "
         "ended. Go on from its newest checkpoint: hearth train --resume " +
         shell_word(run.string());
}

}  // namespace hearth
