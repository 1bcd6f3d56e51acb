// Times whole loaders for the rates, and single steps for the shares.
#include "hearth/data/benchmark.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>

#include "hearth/base/clock.h"
#include "hearth/base/text.h"
#include "hearth/data/sample_runner.h"

namespace hearth {

namespace {

double measure_rate(int64_t source_size, LoaderOptions options, int workers, double seconds,
                    const Loader::PlanOf& plan_of) {
  options.workers = workers;
  options.most_workers = 0;
  options.epochs = std::numeric_limits<uint32_t>::max();
  Loader loader(source_size, options, [&](int64_t, int64_t) { return plan_of(0, 0); });
  (void)loader.next();  // sources load on first use
  int64_t samples = 0;
  const Stopwatch watch;
  while (watch.seconds() < seconds) samples += loader.next().rows();
  return static_cast<double>(samples) / watch.seconds();
}

// Nanoseconds between two looks at the clock that follow each other at once.
double clock_nanoseconds() {
  constexpr int kLooks = 1000;
  const Stopwatch watch;
  double last = 0;
  for (int i = 0; i < kLooks; ++i) last = watch.seconds();
  return last * 1e9 / kLooks;
}

template <class Work>
double timed_nanoseconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

// What a sample's steps take; none for one that cannot be read, or that is filtered out.
std::optional<std::vector<double>> times_of_sample(SampleRunner& runner, size_t steps,
                                                   int64_t sample, uint64_t seed) {
  std::vector<double> times;
  try {
    times.push_back(timed_nanoseconds([&] { runner.read(0, sample); }));
    for (size_t s = 0; s < steps; ++s)
      times.push_back(timed_nanoseconds([&] { runner.run_step(s, 0, sample, seed); }));
  } catch (const FilteredSample&) {
    return std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return times;
}

// How many samples were measured.
int64_t profile_samples(std::vector<PipelineBenchmark::Cost>& costs, int64_t source_size,
                        const LoaderOptions& options, const EpochLayout& layout, int64_t samples) {
  const auto pool = std::make_shared<BufferPool>(1);
  BatchBuffer* buffer = pool->acquire(std::make_shared<const EpochLayout>(layout), 0, 1, 1);
  const HostBatch keeper(buffer);
  const auto order = options.order_of(source_size, 0);
  const int64_t full = std::max<int64_t>(order->batches() - 1, 1);
  const auto sample_at = [&](int64_t i) {
    const int64_t batch = i / options.batch_size % full;
    return order->sample(batch, i % options.batch_size % order->rows(batch));
  };
  SampleRunner runner;
  runner.bind(*buffer);
  const size_t steps = costs.size() - 1;
  (void)times_of_sample(runner, steps, sample_at(0), options.seed);
  int64_t measured = 0;
  for (int64_t i = 0; i < samples; ++i) {
    const auto times = times_of_sample(runner, steps, sample_at(i), options.seed);
    if (!times) continue;
    ++measured;
    for (size_t k = 0; k < costs.size(); ++k) costs[k].nanoseconds += (*times)[k];
  }
  return measured;
}

// They see whole batches; what they cost is what is left of a sample's time.
void add_batch_ops(std::vector<PipelineBenchmark::Cost>& costs, const DataPlan& plan,
                   double nanoseconds) {
  std::vector<std::string> names;
  for (const DataStep& step : plan.batch_steps) names.push_back(step.name);
  if (!names.empty())
    costs.push_back({.name = join(names, "+"), .nanoseconds = std::max(0.0, nanoseconds)});
}

std::vector<PipelineBenchmark::Cost> measure_costs(int64_t source_size,
                                                   const LoaderOptions& options,
                                                   const EpochLayout& layout, int64_t samples,
                                                   double whole_nanoseconds) {
  std::vector<PipelineBenchmark::Cost> costs = {{.name = "source"}};
  for (const DataStep& step : layout.plan->steps) costs.push_back({.name = step.name});
  const int64_t profiled = profile_samples(costs, source_size, options, layout, samples);
  const auto measured = static_cast<double>(std::max<int64_t>(profiled, 1));
  const double clock = clock_nanoseconds();
  double whole = 0;
  for (auto& cost : costs) {
    cost.nanoseconds = std::max(0.0, cost.nanoseconds / measured - clock);
    whole += cost.nanoseconds;
  }
  add_batch_ops(costs, *layout.plan, whole_nanoseconds - whole);
  if (!layout.plan->batch_steps.empty()) whole += costs.back().nanoseconds;
  for (auto& cost : costs) cost.share = whole > 0 ? cost.nanoseconds / whole : 0;
  return costs;
}

// What a cache spares: the source and the ops before the first random one, unless one is used.
double cached_share(const DataPlan& plan, const std::vector<PipelineBenchmark::Cost>& costs) {
  if (plan.cache || plan.fixed_steps == 0) return 0;
  double share = 0;
  for (size_t i = 0; i <= plan.fixed_steps && i < costs.size(); ++i) share += costs[i].share;
  return share;
}

std::string percent_text(double share) { return rounded_number(share * 100, 3) + "%"; }
std::string milliseconds_text(double seconds) { return rounded_number(seconds * 1000, 3) + " ms"; }

std::string benchmark_line(const char* format, const std::string& name, const std::string& value,
                           double percent) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), format, name.c_str(), value.c_str(), percent);
  return line.data();
}

// Who waits for whom: a training step for its batch, or workers for the next step.
std::string waiting_text(const PipelineBenchmark::Training& training, double rate) {
  const double batch_seconds = training.samples / rate;
  const double busy = std::min(1.0, batch_seconds / training.step_seconds);
  return "training: " + milliseconds_text(training.step_seconds) + " a step, of which it waits " +
         percent_text(training.wait_seconds / training.step_seconds) +
         " for data; data alone take " + milliseconds_text(batch_seconds) +
         " a batch, and wait for training " + percent_text(1 - busy) + " of the time.\n";
}

}  // namespace

const PipelineBenchmark::Rate& PipelineBenchmark::fastest() const {
  return *std::max_element(rates.begin(), rates.end(), [](const Rate& a, const Rate& b) {
    return a.samples_per_second < b.samples_per_second;
  });
}

// A change that makes data `gain` times as fast takes its share from the wait only.
std::vector<PipelineBenchmark::Advice> PipelineBenchmark::advice() const {
  constexpr double kLeastGain = 1.05;  // less is noise
  std::vector<Advice> found;
  const auto add = [&](std::string change, double gain) {
    if (training)
      gain = training->step_seconds /
             (training->step_seconds - training->wait_seconds * (1 - 1 / gain));
    if (gain >= kLeastGain) found.push_back({std::move(change), gain});
  };
  const auto now = std::find_if(rates.begin(), rates.end(),
                                [&](const Rate& rate) { return rate.workers == workers; });
  if (now != rates.end() && fastest().workers != workers && now->samples_per_second > 0)
    add("data.workers: " + std::to_string(fastest().workers),
        fastest().samples_per_second / now->samples_per_second);
  constexpr double kLeastRest = 0.02;  // copying what was cached
  if (cached_share > 0) add("data.cache: auto", 1 / std::max(1 - cached_share, kLeastRest));
  std::sort(found.begin(), found.end(),
            [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
  return found;
}

const PipelineBenchmark::Cost& PipelineBenchmark::slowest() const {
  return *std::max_element(costs.begin(), costs.end(), [](const Cost& a, const Cost& b) {
    return a.nanoseconds < b.nanoseconds;
  });
}

std::string PipelineBenchmark::text() const {
  std::string text = "workers    samples/s\n";
  for (const Rate& rate : rates)
    text += benchmark_line("%7s %12s\n", std::to_string(rate.workers),
                           human_count(static_cast<uint64_t>(rate.samples_per_second)), 0);
  text += "\nstep                     ns/sample   share\n";
  for (const Cost& cost : costs)
    text += benchmark_line("%-20s %13s %6.1f%%\n", cost.name,
                           human_count(static_cast<uint64_t>(cost.nanoseconds)), cost.share * 100);
  text += "\nmemory " + human_bytes(static_cast<uint64_t>(memory_bytes)) +
          "; fastest with workers: " + std::to_string(fastest().workers) + "; most time goes to " +
          quote(slowest().name) + ".\n";
  if (training) text += waiting_text(*training, fastest().samples_per_second);
  const std::vector<Advice> advices = advice();
  for (const Advice& advice : advices)
    text += benchmark_line("to change: %s, up to %s x as fast\n", advice.change,
                           rounded_number(advice.gain, 3), 0);
  if (advices.empty()) text += "to change: nothing that pays\n";
  return text;
}

PipelineBenchmark benchmark_pipeline(int64_t source_size, const LoaderOptions& options,
                                     const Loader::PlanOf& plan_of, const BenchmarkOptions& how) {
  PipelineBenchmark result;
  for (int workers = 0; workers <= how.most_workers; ++workers)
    result.rates.push_back(
        {workers, measure_rate(source_size, options, workers, how.seconds_per_row, plan_of)});
  result.costs =
      measure_costs(source_size, options, EpochLayout::make(0, plan_of(0, 0), options.batch_size),
                    how.profiled_samples, 1e9 / result.rates.front().samples_per_second);
  result.workers = options.workers;
  result.cached_share = cached_share(*plan_of(0, 0), result.costs);
  result.memory_bytes = Loader(source_size, options, plan_of).memory_bytes();
  return result;
}

}  // namespace hearth
