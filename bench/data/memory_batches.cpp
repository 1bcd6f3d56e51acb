// Driven by memory.py: batches of a NumPy file, epoch after epoch, for some time: FILE WORKERS
// SECONDS. Prints what memory the process has, about every second.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

#include "hearth/base/clock.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_resized_crop.h"
#include "hearth/data/sources/npy.h"
#include "hearth/pipeline/pipeline.h"

namespace hearth {
namespace {

// Resident pages of all kinds, in megabytes.
double resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  double all = 0;
  double resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

DataOptions data_options(const std::string& file, int workers) {
  DataOptions options;
  options.train = sources::npy({.files = {{"image", file}}, .images = {"image"}});
  options.batch_size = 64;
  options.workers = workers;
  options.ops = {sample_ops::random_resized_crop({.size = {64}}), sample_ops::flip(),
                 sample_ops::normalize()};
  return options;
}

// At least a whole epoch, whatever the time.
void measure(const std::string& file, int workers, double seconds) {
  Pipeline pipeline(data_options(file, workers));
  const Stopwatch watch;
  double told = 0;
  int64_t rows = 0;
  std::printf("{\"memory\": [");
  for (int64_t epoch = 0; epoch == 0 || watch.seconds() < seconds; ++epoch)
    for (const PipelineBatch& batch : pipeline.batches(Mode::kTrain, epoch)) {
      rows += batch.rows();
      if (watch.seconds() < told + 1) continue;
      std::printf("%s[%.2f, %.2f]", told == 0 ? "" : ", ", watch.seconds(), resident_megabytes());
      told = watch.seconds();
      if (epoch > 0 && told >= seconds) break;
    }
  std::printf("], \"rows\": %lld, \"samples\": %lld}\n", static_cast<long long>(rows),
              static_cast<long long>(pipeline.source(Mode::kTrain).size()));
}

}  // namespace
}  // namespace hearth

int main(int count, char** words) {
  if (count != 4) return 2;
  try {
    hearth::measure(words[1], std::atoi(words[2]), std::atof(words[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
