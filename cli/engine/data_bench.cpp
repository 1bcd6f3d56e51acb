// hearth data bench: how fast the data side is by itself, and which op costs most.
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/cores.h"
#include "hearth/base/terminal.h"
#include "hearth/data/benchmark.h"
#include "hearth/format/json.h"
#include "hearth/pipeline/pipeline.h"
#include "hearth/train/estimator.h"
#include "hearth/train/experiment_graph.h"

namespace hearth::cli {
namespace {

// A few steps of the training itself, which keep nothing.
PipelineBenchmark::Training measured_training(const EngineExperiment& loaded) {
  constexpr int64_t kSteps = 10;
  Estimator estimator(loaded.loaded.effective, {.keeps_run = false});
  const ProfileReport report = estimator.profile(kSteps);
  PipelineBenchmark::Training training{.step_seconds = report.step_seconds,
                                       .samples = report.samples_per_step};
  for (const ProfileRow& row : report.rows)
    if (row.name == "waiting for data") training.wait_seconds = row.seconds();
  return training;
}

PipelineBenchmark benchmark_of_training(const EngineExperiment& loaded,
                                        const BenchmarkOptions& how) {
  ExperimentGraph experiment(loaded.options, loaded.loaded.effective);
  experiment.open_sources();
  experiment.fit_ops({});
  const DataSet set = experiment.training_set(0);
  PipelineBenchmark benchmark = benchmark_pipeline(
      experiment.source(set)->size(), experiment.loader_options(set, 1),
      [&](int64_t epoch, int64_t batch) {
        return experiment.compiled(Mode::kTrain, experiment.batch_moment(epoch, batch)).data;
      },
      how);
  benchmark.training = measured_training(loaded);
  return benchmark;
}

// Nothing says which values a network would take: all are made.
PipelineBenchmark benchmark_of_data(const ExperimentOptions& options, const BenchmarkOptions& how) {
  Pipeline pipeline(options.data, {.seed = static_cast<uint64_t>(options.seed)});
  const PipelineBatches batches = pipeline.batches(Mode::kTrain);
  return benchmark_pipeline(
      pipeline.source(Mode::kTrain).size(), batches.options(),
      [&](int64_t, int64_t) { return batches.plan(); }, how);
}

}  // namespace

extern "C" int hearth_command_data_bench(const void* given) {
  const auto& arguments = *static_cast<const DataBenchmarkArguments*>(given);
  const EngineExperiment loaded = load_for_engine(arguments);
  const int most_workers =
      static_cast<int>(loaded.options.data.workers.value_or(available_cores()));
  const BenchmarkOptions how{.most_workers = most_workers,
                             .seconds_per_row = arguments.seconds / (most_workers + 1)};
  const PipelineBenchmark benchmark = loaded.options.network.empty()
                                          ? benchmark_of_data(loaded.options, how)
                                          : benchmark_of_training(loaded, how);
  if (!arguments.is_json) {
    print_page(benchmark.text());
    return 0;
  }
  Json json = {{"memory_bytes", benchmark.memory_bytes},
               {"rates", Json::array()},
               {"costs", Json::array()},
               {"advice", Json::array()}};
  for (const auto& rate : benchmark.rates)
    json["rates"].push_back(
        {{"workers", rate.workers}, {"samples_per_second", rate.samples_per_second}});
  for (const auto& cost : benchmark.costs)
    json["costs"].push_back(
        {{"name", cost.name}, {"nanoseconds", cost.nanoseconds}, {"share", cost.share}});
  if (const auto& training = benchmark.training)
    json["training"] = {{"step_seconds", training->step_seconds},
                        {"wait_seconds", training->wait_seconds},
                        {"samples", training->samples}};
  for (const auto& advice : benchmark.advice())
    json["advice"].push_back({{"change", advice.change}, {"gain", advice.gain}});
  print(json_line(json));
  return 0;
}

}  // namespace hearth::cli
