// The memory cache as a training uses it: on with fast kernels, counted, and empty afterwards.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "hearth/core/log_reader.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

ExperimentOptions measured_experiment(const std::string& kernels) {
  ExperimentOptions options;
  options.folder = (std::filesystem::path(testing::TempDir()) / "memory_runs").string();
  options.data.train = sources::synthetic({.size = 16, .shape = {1, 4, 4}, .classes = 3});
  options.data.batch_size = 8;
  options.model = layers::mlp({.hidden = {8}});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd();
  options.train.epochs = 1;
  options.kernels = kernels;
  return options;
}

class MemoryUse : public testing::Test {
 protected:
  MemoryUse() { uninstall_memory_cache(); }
  ~MemoryUse() override { uninstall_memory_cache(); }
};

TEST_F(MemoryUse, IsNotCountedWithPlainKernels) {
  Estimator estimator(measured_experiment("plain"), {.keeps_run = false});
  EXPECT_EQ(estimator.fit().peak_memory_bytes, 0U);
  EXPECT_FALSE(is_memory_cache_installed());
}

#ifndef __SANITIZE_ADDRESS__

TEST_F(MemoryUse, IsReportedAndKeptInTheHistoryAndNothingStaysCached) {
  Estimator estimator(measured_experiment("fast"));
  const Report report = estimator.fit();
  EXPECT_TRUE(is_memory_cache_installed());
  EXPECT_GT(report.peak_memory_bytes, 0U);
  EXPECT_EQ(memory_cache().numbers().cached_bytes, 0U);
  const auto history = read_run_log(fs::path(report.run_folder) / "history.jsonl");
  EXPECT_EQ(history.back().kind, "end");
  EXPECT_TRUE(history.back().details.contains("memory_peak_mb"));
}

TEST_F(MemoryUse, ChangesNoBits) {
  const auto digest = [](bool is_installed) {
    Estimator estimator(measured_experiment("fast"), {.keeps_run = false});
    if (!is_installed) uninstall_memory_cache();
    (void)estimator.fit();
    return estimator.state_digest();
  };
  EXPECT_EQ(digest(true), digest(false));
}

#endif

}  // namespace
}  // namespace hearth
