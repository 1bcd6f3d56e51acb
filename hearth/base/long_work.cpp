// Long work tells how far it is.
#include "hearth/base/long_work.h"

#include <chrono>
#include <utility>

namespace hearth {

namespace {

constexpr int64_t kFirstNanoseconds = 500'000'000;  // work that ends sooner is not worth a line
constexpr int64_t kNextNanoseconds = 100'000'000;

thread_local const WorkListener* listening = nullptr;

int64_t nanoseconds_now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

ListenToWork::ListenToWork(WorkListener listener)
    : listener_(std::move(listener)), before_(listening) {
  listening = &listener_;
}

ListenToWork::~ListenToWork() { listening = before_; }

LongWork::LongWork(std::string what)
    : what_(std::move(what)), next_nanoseconds_(nanoseconds_now() + kFirstNanoseconds) {}

void LongWork::tell(uint64_t done, uint64_t all) {
  if (listening == nullptr || !listening->on_progress) return;
  const int64_t now = nanoseconds_now();
  if (now < next_nanoseconds_) return;
  next_nanoseconds_ = now + kNextNanoseconds;
  listening->on_progress(what_, done, all);
}

void tell_work_note(const std::string& text) {
  if (listening != nullptr && listening->on_note) listening->on_note(text);
}

}  // namespace hearth
