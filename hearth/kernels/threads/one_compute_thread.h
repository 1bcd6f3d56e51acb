// One compute thread for this thread, until a scope ends or for good.
#pragma once

namespace hearth {

// For the rest of this thread's life. LibTorch sets every thread's count when that first asks or
// computes, and remembers that it did in each library by itself: so it is made to do so before.
// Not at::set_num_threads: it would also speak for threads that begin later.
void compute_with_one_thread();

class OneComputeThread {
 public:
  OneComputeThread();
  ~OneComputeThread();
  OneComputeThread(const OneComputeThread&) = delete;
  OneComputeThread& operator=(const OneComputeThread&) = delete;

 private:
  int before_;
};

}  // namespace hearth
