// Some threads of this process on a few of its cores, for a while.
#pragma once

#include <sched.h>

#include <vector>

namespace hearth {

// While it lives, `threads` (kernel numbers) run on `count` cores, beginning with the one that the
// first of them may well be on now. Threads they start meanwhile do too; all may run everywhere
// again when it ends. Where the system refuses, nothing happens.
class FewerCores {
 public:
  FewerCores(const std::vector<int>& threads, int count);
  ~FewerCores();
  FewerCores(const FewerCores&) = delete;
  FewerCores& operator=(const FewerCores&) = delete;

 private:
  cpu_set_t before_{};
  cpu_set_t few_{};
};

// The number the kernel knows this thread by.
[[nodiscard]] int thread_number();

}  // namespace hearth
