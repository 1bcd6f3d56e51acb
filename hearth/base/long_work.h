// Long work tells how far it is, and what people should know of it, to whoever listens on its
// thread: a source deep within others need not be handed a listener.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hearth {

struct WorkListener {
  // `all` is 0 where nobody knows. Heard a few times a second at most, and not at all of short
  // work.
  std::function<void(const std::string& what, uint64_t done, uint64_t all)> on_progress = {};
  std::function<void(const std::string& text)> on_note = {};
};

// Listens on this thread as long as it lives; before and after it, whoever did.
class ListenToWork {
 public:
  explicit ListenToWork(WorkListener listener);
  ListenToWork(const ListenToWork&) = delete;
  ListenToWork& operator=(const ListenToWork&) = delete;
  ~ListenToWork();

 private:
  WorkListener listener_;
  const WorkListener* before_;
};

// A piece of work; made where it begins. Costs next to nothing while nobody listens.
class LongWork {
 public:
  explicit LongWork(std::string what);
  void tell(uint64_t done, uint64_t all = 0);

 private:
  std::string what_;
  int64_t next_nanoseconds_;  // when to tell again
};

// What came out that nobody asked for, in a sentence.
void tell_work_note(const std::string& text);

}  // namespace hearth
