// A step asks for the value of its loss once: on a device, each time would wait for it.
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string_view>

#include "hearth/train/divergence_fixture_test.h"

namespace hearth {
namespace {

std::atomic<int64_t> reads = 0;

// Counts reads of single numbers out of tensors while it lives.
class CountedReads {
 public:
  CountedReads() : handle_(at::addGlobalCallback(at::RecordFunctionCallback(count))) { reads = 0; }
  ~CountedReads() { at::removeCallback(handle_); }
  CountedReads(const CountedReads&) = delete;
  CountedReads& operator=(const CountedReads&) = delete;

 private:
  static std::unique_ptr<at::ObserverContext> count(const at::RecordFunction& function) {
    if (std::string_view(function.name()) == "aten::_local_scalar_dense") ++reads;
    return nullptr;
  }
  at::CallbackHandle handle_;
};

TEST(Loss, IsReadOnceInAStep) {
  for (const std::string policy : {"stop", "warn"}) {
    ExperimentOptions options = spoilt_experiment({.step = 99999});
    options.metrics.clear();
    options.train.on_nan = policy;
    options.train.log_every = 100000;
    Estimator estimator(options, {.keeps_run = false});
    (void)estimator.step(2);
    const CountedReads counted;
    (void)estimator.step(3);
    EXPECT_EQ(reads, 3) << policy;
  }
}

}  // namespace
}  // namespace hearth
