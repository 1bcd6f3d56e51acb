// One compute thread stays one, also in a thread that has not computed before.
#include "hearth/kernels/threads/one_compute_thread.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <thread>

#include "hearth/kernels/comparison_test.h"
#include "hearth/kernels/pooling/max_pool.h"

namespace hearth {
namespace {

// LibTorch sets a thread's count when the thread first computes, in each library by itself.
void compute() { (void)max_pool(Kernels::kFast, at::ones({8, 32, 16, 16}), {3, 2, 1}, true); }

int threads_in_a_new_thread(void (*begin)()) {
  int threads = 0;
  std::thread([&] {
    begin();
    compute();
    threads = at::get_num_threads();
  }).join();
  return threads;
}

TEST(OneComputeThread, OutlastsWhatAThreadFirstComputes) {
  const WithThreads four(4);
  EXPECT_EQ(threads_in_a_new_thread([] {}), 4);
  EXPECT_EQ(threads_in_a_new_thread(compute_with_one_thread), 1);
}

TEST(OneComputeThread, EndsWithItsScope) {
  const WithThreads four(4);
  EXPECT_EQ(threads_in_a_new_thread([] {
              const OneComputeThread one;
              compute();
              EXPECT_EQ(at::get_num_threads(), 1);
            }),
            4);
}

}  // namespace
}  // namespace hearth
