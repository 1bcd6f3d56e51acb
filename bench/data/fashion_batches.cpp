// Driven by fashion_batches.py: epochs of Fashion-MNIST in batches, shifted, flipped and
// normalized: FOLDER WORKERS EPOCHS.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "hearth/base/clock.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_shift.h"
#include "hearth/data/sources/idx.h"
#include "hearth/pipeline/pipeline.h"

namespace hearth {
namespace {

DataOptions data_options(const std::string& folder, int workers) {
  DataOptions options;
  options.train = sources::idx({.images = folder + "/train-images-idx3-ubyte",
                                .labels = folder + "/train-labels-idx1-ubyte"});
  options.batch_size = 128;
  options.workers = workers;
  options.ops = {sample_ops::random_shift({.pixels = 2}), sample_ops::flip(),
                 sample_ops::normalize({.mean = {0.2860}, .std = {0.3530}})};
  return options;
}

// Rows, and a value of each batch, so that they are made.
int64_t run_epoch(Pipeline& pipeline, int64_t epoch, double& sum) {
  int64_t rows = 0;
  for (const PipelineBatch& batch : pipeline.batches(Mode::kTrain, epoch)) {
    rows += batch.rows();
    sum += static_cast<double>(batch.as<float>("image")[400]);
  }
  return rows;
}

void measure(const std::string& folder, int workers, int64_t epochs) {
  Pipeline pipeline(data_options(folder, workers));
  double sum = 0;
  (void)run_epoch(pipeline, 0, sum);  // a warm-up, which reads the file
  const Stopwatch watch;
  int64_t rows = 0;
  for (int64_t epoch = 1; epoch <= epochs; ++epoch) rows += run_epoch(pipeline, epoch, sum);
  std::printf("{\"rate\": %.1f, \"images\": %lld, \"sum\": %.3f}\n",
              static_cast<double>(rows) / watch.seconds(), static_cast<long long>(rows), sum);
}

}  // namespace
}  // namespace hearth

int main(int count, char** words) {
  if (count != 4) return 2;
  try {
    hearth::measure(words[1], std::atoi(words[2]), std::atoll(words[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
