// Times steps of training, layer by layer, and puts everything back.
#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "hearth/kernels/peak/peak.h"
#include "hearth/nn/time_profile.h"
#include "hearth/train/precision.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

constexpr int64_t kUncountedSteps = 5;
constexpr const char* kWaiting = "waiting for data";
constexpr double kOperationsPerMultiplyAdd = 2;

// Sets the profile for a scope, so that a step that throws leaves none behind.
class ProfiledNetwork {
 public:
  ProfiledNetwork(Network& network, TimeProfile* profile) : network_(network) {
    network_.set_profile(profile);
  }
  ~ProfiledNetwork() { network_.set_profile(nullptr); }
  ProfiledNetwork(const ProfiledNetwork&) = delete;
  ProfiledNetwork& operator=(const ProfiledNetwork&) = delete;

 private:
  Network& network_;
};

double rate(double operations, double seconds) {
  return seconds > 0 ? operations / seconds * 1e-9 : 0;
}

double work_of(const TimeCosts& costs) {
  return (costs.multiply_adds + costs.backward_multiply_adds) * kOperationsPerMultiplyAdd;
}

ProfileRow row_of(const std::string& name, const TimeCosts& costs, const ProfileReport& report) {
  const auto steps = static_cast<double>(report.steps);
  const double scale = kOperationsPerMultiplyAdd / steps;
  ProfileRow row;
  row.name = name;
  row.forward_seconds = costs.forward_seconds / steps;
  row.backward_seconds = costs.backward_seconds / steps;
  row.forward_gigaflops = rate(costs.multiply_adds * scale, row.forward_seconds);
  row.backward_gigaflops = rate(costs.backward_multiply_adds * scale, row.backward_seconds);
  if (report.peak_gigaflops > 0)
    row.share_of_peak = rate(work_of(costs) / steps, row.seconds()) / report.peak_gigaflops;
  return row;
}

void add_fused(Layer& layer, const std::map<std::string, TimeCosts>& costs,
               std::vector<ProfileRow>& rows) {
  std::set<std::string> seen;
  for (const Layer* fused : layer.computed_along()) {
    if (costs.contains(fused->path()) || !seen.insert(fused->path()).second) continue;
    ProfileRow& row = rows.emplace_back();
    row.name = fused->path();
    row.is_fused = true;
  }
  for (const auto& [name, child] : layer.children()) add_fused(*child, costs, rows);
}

// An update is its optimizer's step: gradients are counted where they come from.
std::string row_name(const std::string& name, const std::vector<BoundOp>& ops) {
  for (const BoundOp& bound : ops)
    if (bound.label == name && bound.op->batches_per_step() > 0) return "optimizer (" + name + ")";
  return name;
}

void add_ops(const TimeProfile& profile, const std::vector<BoundOp>& ops, ProfileReport& report) {
  double work = 0;
  for (const auto& [name, costs] : profile.costs()) {
    report.rows.push_back(row_of(row_name(name, ops), costs, report));
    work += work_of(costs);
  }
  report.gigaflops = rate(work / static_cast<double>(report.steps), report.step_seconds);
  TimeCosts autograd;
  autograd.backward_seconds = profile.autograd_seconds();
  report.rows.push_back(row_of("autograd", autograd, report));
}

// The trace event format: complete events, in microseconds; what runs within another lies under it.
std::string chrome_trace_of(const TimeProfile& profile) {
  std::map<const TimeCosts*, std::string> names;
  for (const auto& [name, costs] : profile.costs()) names[&costs] = name;
  Json events = Json::array();
  for (const TimeEvent& event : profile.events()) {
    const auto found = names.find(event.costs);
    events.push_back({{"name", found == names.end() ? "autograd" : found->second},
                      {"cat", event.is_backward ? "backward" : "forward"},
                      {"ph", "X"},
                      {"ts", event.begin_seconds * 1e6},
                      {"dur", event.seconds * 1e6},
                      {"pid", 1},
                      {"tid", 1}});
  }
  return Json({{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}}).dump();
}

// A backward pass is what runs between two calls that are none.
void add_ready(const TimeProfile& profile, ProfileReport& report) {
  struct Sum {
    double seconds = 0;
    int64_t passes = 0;
  };
  std::map<const TimeCosts*, Sum> sums;
  std::map<const TimeCosts*, double> pass;
  double all_seconds = 0;
  int64_t passes = 0;
  double begin = 0;
  double end = 0;
  const auto close = [&] {
    if (pass.empty()) return;
    for (const auto& [costs, seconds] : pass) {
      sums[costs].seconds += seconds;
      ++sums[costs].passes;
    }
    all_seconds += end - begin;
    ++passes;
    pass.clear();
  };
  for (const TimeEvent& event : profile.events()) {
    if (!event.is_backward) {
      close();
      continue;
    }
    if (pass.empty()) begin = event.begin_seconds;
    end = event.begin_seconds + event.seconds;
    pass[event.costs] = end - begin;
  }
  close();
  if (passes == 0) return;
  report.backward_seconds = all_seconds / static_cast<double>(passes);
  for (const auto& [name, costs] : profile.costs())
    if (const auto sum = sums.find(&costs); sum != sums.end())
      report.ready.push_back({name, sum->second.seconds / static_cast<double>(sum->second.passes)});
  std::stable_sort(report.ready.begin(), report.ready.end(),
                   [](const GradientReady& left, const GradientReady& right) {
                     return left.seconds < right.seconds;
                   });
}

void add_shares(ProfileReport& report) {
  ProfileRow rest;
  rest.name = "the rest";
  rest.forward_seconds = report.step_seconds;
  for (const ProfileRow& row : report.rows) rest.forward_seconds -= row.seconds();
  report.rows.push_back(rest);
  for (ProfileRow& row : report.rows) row.share = row.seconds() / report.step_seconds;
  std::stable_sort(report.rows.begin(), report.rows.end(),
                   [](const ProfileRow& left, const ProfileRow& right) {
                     return left.seconds() > right.seconds();
                   });
}

}  // namespace

ProfileReport Trainer::profile(int64_t steps) {
  const double peak = measured_peak_gigaflops();
  fix_length(experiment_.options().train.epochs);
  enter_epoch();
  const State before = copy(state());
  position_.batch = 0;
  set_plan(experiment_.batch_moment(position_.epoch, 0));
  // An epoch that does not end: a profile may well need more batches than the training has.
  constexpr int64_t kEndless = std::numeric_limits<uint32_t>::max();
  const DataSet set = experiment_.training_set(position_.epoch);
  loader_ = std::make_unique<Loader>(
      experiment_.source(set)->size(), experiment_.loader_options(set, kEndless),
      [this, batch = int64_t{0}](int64_t, int64_t) mutable {
        return book().at(experiment_.batch_moment(position_.epoch, batch++))->data;
      });
  loader_->start(position_.epoch, 0, kEndless);
  traces_.tell_run(Occasion::kRunBegin, scene());
  try {
    ProfileReport report = measure(steps, peak);
    loader_.reset();
    restore(before);
    return report;
  } catch (...) {
    loader_.reset();
    restore(before);
    throw;
  }
}

ProfileReport Trainer::measure(int64_t steps, double peak_gigaflops) {
  const int64_t per_step = experiment_.network().batches_per_step(experiment_.epoch_start(0));
  (void)run_batches(kUncountedSteps * per_step, nullptr);
  const int64_t first_batch = position_.batch;
  TimeProfile profile;
  const Stopwatch watch;
  const int64_t samples = run_batches(steps * per_step, &profile);
  ProfileReport report;
  report.steps = std::max<int64_t>((position_.batch - first_batch) / per_step, 1);
  report.step_seconds = watch.seconds() / static_cast<double>(report.steps);
  report.threads = at::get_num_threads();
  report.samples_per_step = static_cast<double>(samples) / static_cast<double>(report.steps);
  report.peak_gigaflops = peak_gigaflops;
  add_ops(profile, current_->ops, report);
  for (const auto& model : experiment_.network().models().all())
    if (model->is_built()) add_fused(model->layer(), profile.costs(), report.rows);
  add_shares(report);
  add_ready(profile, report);
  report.chrome_trace = chrome_trace_of(profile);
  report.notes = experiment_.network().packing_obstacles(current_->ops);
  if (const std::string note = precision_note(experiment_.options()); !note.empty())
    report.notes.push_back(note);
  return report;
}

int64_t Trainer::run_batches(int64_t batches, TimeProfile* profile) {
  const ProfiledNetwork profiled(experiment_.network(), profile);
  int64_t samples = 0;
  for (int64_t i = 0; i < batches && !is_interrupted(); ++i) {
    HostBatch batch;
    {
      const ProfiledScope waiting(profile, [](TimeProfile& entered) { entered.enter(kWaiting); });
      batch = loader_->next();
    }
    samples += batch.rows();
    run_batch(batch);
    if (profile != nullptr) profile->forget_nodes();
  }
  finish_gathering();
  return samples;
}

}  // namespace hearth
