// One compute thread for this thread, until a scope ends.
#pragma once

#include <ATen/Parallel.h>
#include <omp.h>

namespace hearth {

// Not at::set_num_threads: it would also speak for threads that begin later.
class OneComputeThread {
 public:
  OneComputeThread() : before_(at::get_num_threads()) { omp_set_num_threads(1); }
  ~OneComputeThread() { omp_set_num_threads(before_); }
  OneComputeThread(const OneComputeThread&) = delete;
  OneComputeThread& operator=(const OneComputeThread&) = delete;

 private:
  int before_;
};

}  // namespace hearth
