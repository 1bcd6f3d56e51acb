// One compute thread for this thread.
#include "hearth/kernels/threads/one_compute_thread.h"

#include <ATen/Parallel.h>
#include <omp.h>

namespace hearth {

void compute_with_one_thread() {
  (void)at::get_num_threads();            // in LibTorch
  at::internal::lazy_init_num_threads();  // in this library, for at::parallel_for
  omp_set_num_threads(1);
}

OneComputeThread::OneComputeThread() : before_(at::get_num_threads()) { compute_with_one_thread(); }

OneComputeThread::~OneComputeThread() { omp_set_num_threads(before_); }

}  // namespace hearth
