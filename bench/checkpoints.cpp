// What a checkpoint costs the step that meets it, and whether resuming costs the same wherever an
// epoch was left.
//
// Stall: steps of a large MLP are timed one by one; the steps after which a checkpoint is begun,
// over the median of the others, against the time of copying the same bytes, which is all that the
// step waits for. The rest is written in the background, while the next steps run; between two
// checkpoints there is time enough for that. Resume: from the call to the end of the first step,
// for a run that was left at 5 % and at 95 % of an epoch, in turns.
#include <hearth/hearth.h>
#include <hearth/train/traces/progress.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

using hearth::Estimator;
using hearth::ExperimentOptions;
using hearth::Progress;

constexpr int64_t kEvery = 40;  // steps
constexpr int64_t kSteps = 640;
constexpr int kRounds = 5;
constexpr int kResumes =
    25;  // of some tens of milliseconds, on a machine that does other things too

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers.empty() ? 0 : numbers[numbers.size() / 2];
}

std::string folder() {
  return (std::filesystem::temp_directory_path() / "hearth_bench_checkpoints").string();
}

ExperimentOptions experiment(int64_t samples, int64_t hidden) {
  ExperimentOptions options;
  options.name = "checkpoints";
  options.folder = folder();
  options.data.train =
      hearth::sources::synthetic({.size = samples, .shape = {1, 16, 16}, .classes = 10});
  options.data.batch_size = 16;
  options.model = hearth::layers::mlp({.hidden = {hidden, hidden}});
  options.loss = hearth::network_ops::cross_entropy();
  options.optimizer = hearth::optimizers::sgd({.lr = 1e-4, .momentum = 0.9});
  options.train.warm_up = false;
  options.train.traces = {
      {"progress", hearth::Node::map().set("seconds", hearth::Node::scalar("1e-9"))}};
  return options;
}

// Copying what a checkpoint of this model holds: weights and momentum.
double copy_seconds(size_t bytes) {
  std::vector<char> from(bytes, 1);
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = now();
    const std::unique_ptr<char[]> to(new char[bytes]);  // memory that nobody has touched yet
    std::memcpy(to.get(), from.data(), bytes);
    times.push_back(now() - begin);
  }
  return median(times);
}

void measure_stall() {
  ExperimentOptions options = experiment(16 * kSteps, 2048);
  options.train.checkpoint.every = hearth::steps(kEvery);
  std::vector<double> plain;
  std::vector<double> saving;
  double last = 0;
  const auto see = [&](const Progress& progress) {
    const double time = now();
    const int64_t step = progress.moment.step;
    // The checkpoint of step n is begun between what is told of n and of n + 1.
    if (last > 0 && step > kEvery / 2) (step % kEvery == 1 ? saving : plain).push_back(time - last);
    last = time;
  };
  Estimator estimator(options, {.on_progress = see});
  const hearth::Report report = estimator.fit();
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(report.run_folder + "/checkpoints"))
    bytes = std::max<uint64_t>(bytes, entry.file_size());
  const double stall = median(saving) - median(plain);
  const double copying = copy_seconds(bytes);
  std::printf("a checkpoint of %.1f MB, every %lld steps of %.2f ms\n",
              static_cast<double>(bytes) / 1e6, static_cast<long long>(kEvery),
              median(plain) * 1e3);
  std::printf(
      "  the step waits %.2f ms for it; copying as many bytes to fresh memory takes %.2f ms\n",
      stall * 1e3, copying * 1e3);
  const double ratio = stall / copying;
  std::printf("bar stall_over_copy %.2f 1.2 %s\n", ratio, ratio <= 1.2 ? "ok" : "short");
}

// A run left after so much of its first epoch.
std::string left_at(double share) {
  ExperimentOptions options = experiment(160'000, 64);
  options.train.checkpoint.every = hearth::minutes(60);
  Estimator estimator(options);
  const auto steps = static_cast<int64_t>(share * 10'000);
  return estimator.step(steps, hearth::AfterSteps::kEnd).run_folder;
}

double resume_seconds(const std::string& run) {
  const std::string trial = folder() + "/trial";
  std::filesystem::remove_all(trial);
  std::filesystem::copy(run, trial, std::filesystem::copy_options::recursive);
  std::atomic<bool> interrupt{false};
  double first_step = 0;
  const double begin = now();
  hearth::EstimatorSettings settings;
  settings.interrupt = &interrupt;
  settings.on_progress = [&](const Progress&) {
    if (first_step == 0) first_step = now() - begin;
    interrupt = true;
  };
  (void)Estimator::resume(trial, settings).fit();
  return first_step;
}

void measure_resume() {
  const std::string early = left_at(0.05);
  const std::string late = left_at(0.95);
  std::vector<double> early_times;
  std::vector<double> late_times;
  for (int round = 0; round < kResumes; ++round) {
    early_times.push_back(resume_seconds(early));
    late_times.push_back(resume_seconds(late));
  }
  const double ratio = median(late_times) / median(early_times);
  std::printf(
      "resume to the end of the first step: %.1f ms at 5 %% of an epoch, %.1f ms at 95 %%\n",
      median(early_times) * 1e3, median(late_times) * 1e3);
  std::printf("bar resume_late_over_early %.2f 1.15 %s\n", ratio, ratio <= 1.15 ? "ok" : "short");
}

}  // namespace

int main() {
  std::filesystem::remove_all(folder());
  measure_stall();
  measure_resume();
  std::filesystem::remove_all(folder());
  return 0;
}
