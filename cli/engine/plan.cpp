// hearth plan: what a training would take on more machines.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "cli/engine/interrupt.h"
#include "hearth/base/cores.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/train/scale/scale_plan.h"

namespace hearth::cli {
namespace {

// As the exchange of gradients does it.
constexpr int64_t kFirstBucketBytes = 1 << 20;
constexpr double kSmallerBy = 4;

scale::EstimatorMeasured measure(PlanArguments arguments, int64_t samples) {
  if (samples > 0) arguments.overrides.push_back("data.batch_size=" + std::to_string(samples));
  const EngineExperiment experiment = load_for_engine(arguments);
  Estimator estimator(experiment.loaded.effective,
                      {.interrupt = &heed_signals(), .keeps_run = false});
  return scale::measure_estimator(estimator, arguments.steps);
}

// The last batch of an epoch may be smaller: what was measured is a mean.
double batch_of(const PlanArguments& arguments, const scale::EstimatorMeasured& measured) {
  const ScheduledCount size = load_for_engine(arguments).options.data.batch_size;
  return size.is_constant() ? size.constant() : std::ceil(measured.step.samples);
}

scale::ScaleQuestion question_of(const PlanArguments& arguments, double batch) {
  scale::ScaleQuestion question;
  scale::ClusterShape& cluster = question.cluster;
  cluster.hosts = arguments.hosts;
  cluster.ranks_per_host = arguments.ranks_per_host;
  cluster.network = {arguments.network_bytes, arguments.latency_seconds};
  cluster.local = {arguments.local_bytes, 0};
  cluster.bucket_bytes = arguments.bucket_bytes;
  cluster.first_bucket_bytes = std::min(kFirstBucketBytes, arguments.bucket_bytes);
  cluster.overlaps = arguments.overlaps;
  question.batch = batch;
  question.is_weak = arguments.is_weak;
  return question;
}

std::string measured_text(const scale::EstimatorMeasured& measured) {
  const scale::ComputedStep& step = measured.step.step;
  const auto shown = [](double seconds) { return rounded_number(seconds * 1e3, 3) + " ms"; };
  return "  measured here, " + std::to_string(measured.threads) + " threads, " +
         rounded_number(measured.step.samples, 4) + " samples: forward " +
         shown(step.forward_seconds) + ", backward " + shown(step.backward_seconds) + ", update " +
         shown(step.update_seconds) + "; gradients " +
         human_bytes(static_cast<uint64_t>(measured.memory.gradients)) + "\n\n";
}

}  // namespace

extern "C" int hearth_command_plan(const void* given) {
  PlanArguments arguments = *static_cast<const PlanArguments*>(given);
  // The processes of a host share its cores, unless somebody said otherwise.
  const int64_t cores = available_cores();
  if (arguments.ranks_per_host > 1)
    arguments.overrides.insert(
        arguments.overrides.begin(),
        "threads=" + std::to_string(std::max<int64_t>(cores / arguments.ranks_per_host, 1)));
  const scale::EstimatorMeasured large = measure(arguments, 0);
  const auto fewer = std::max<int64_t>(static_cast<int64_t>(large.step.samples / kSmallerBy), 1);
  const scale::EstimatorMeasured small = measure(arguments, fewer);
  if (heed_signals()) return interrupted_exit_code();
  scale::ScaleQuestion question = question_of(arguments, batch_of(arguments, large));
  question.crowding = std::max(
      static_cast<double>(arguments.ranks_per_host * large.threads) / static_cast<double>(cores),
      1.0);
  const scale::ScalePlan plan = scale::plan_scale({large.step, small.step}, large.memory, question);
  if (arguments.is_json) {
    print(json_line(plan.to_json()));
    return 0;
  }
  print_page(measured_text(large) + plan.text());
  for (const std::string& note : plan.notes) print_note(note);
  return 0;
}

}  // namespace hearth::cli
