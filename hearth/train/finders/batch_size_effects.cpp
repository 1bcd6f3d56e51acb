// What another batch size means for the rest of a config.
#include <algorithm>
#include <cmath>

#include "hearth/config/walk.h"
#include "hearth/train/finders/batch_size_finder.h"
#include "hearth/train/finders/rate_curve.h"
#include "hearth/train/finders/trial.h"
#include "hearth/train/live_catalog.h"

namespace hearth {
namespace {

// Of optimizers whose steps are as long as their gradients; those that divide by the size of
// gradients take the square root.
bool scales_in_proportion(const std::string& optimizer) {
  return optimizer == "sgd" || optimizer == "schedule_free_sgd" || optimizer == "lars";
}

void add_time(const Node& value, std::vector<StepTime>& found) {
  if (!value.is_scalar() || !value.mark().path) return;
  const std::optional<Time> time = Time::from(value.text());
  if (!time || time->unit != TimeUnit::kStep || !(time->value > 0)) return;
  found.push_back({*value.mark().path, std::llround(time->value), 0});
}

// Those of the training's upkeep, such as checkpoints, do not bear on what is learned.
bool bears_on_learning(const StepTime& time) {
  return !time.path.starts_with("train.") || time.path == "train.until";
}

std::vector<StepTime> times_in_steps(const Node& config) {
  std::vector<StepTime> found;
  Node walked = config;
  const Catalog catalog = live_catalog();
  for_each_options(walked, catalog.experiment, catalog,
                   [&](Node& options, const SchemaInfo& schema) {
                     for (const Field& field : schema.fields) {
                       const Node* value = options.find(field.name);
                       if (value == nullptr) continue;
                       if (field.type.kind == TypeKind::kTime) add_time(*value, found);
                       if (field.type.kind == TypeKind::kList && field.type.element &&
                           field.type.element->kind == TypeKind::kTime)
                         for (const Node& item : value->items()) add_time(item, found);
                     }
                   });
  std::erase_if(found, [](const StepTime& time) { return !bears_on_learning(time); });
  return found;
}

// The largest size whose memory, by the line through the two largest that were tried, fits.
std::optional<int64_t> largest_fitting(const BatchSizeFinding& finding) {
  const std::vector<BatchSizeRow> tried = finding.fitting();
  if (tried.empty()) return std::nullopt;
  const BatchSizeRow& last = tried.back();
  const uint64_t doubled = foreseen_memory(tried, last.size * 2);
  if (doubled <= last.memory_bytes || last.memory_bytes > finding.memory_limit)
    return std::nullopt;  // nothing grows yet
  const double per_sample =
      static_cast<double>(doubled - last.memory_bytes) / static_cast<double>(last.size);
  const double room = static_cast<double>(finding.memory_limit - last.memory_bytes);
  return last.size + static_cast<int64_t>(std::min(room / per_sample, 1e12));
}

}  // namespace

void add_consequences(const Node& config, BatchSizeFinding& finding) {
  finding.largest = largest_fitting(finding);
  if (!finding.suggestion || *finding.suggestion == finding.configured) return;
  const double times =
      static_cast<double>(*finding.suggestion) / static_cast<double>(finding.configured);
  finding.step_times = times_in_steps(config);
  for (StepTime& time : finding.step_times)
    time.same_samples = std::max<int64_t>(std::llround(static_cast<double>(time.steps) / times), 1);
  for (const ConfiguredRate& rate : configured_rates(config)) {
    if (!(rate.highest > 0)) continue;
    ScaledRate scaled{rate.optimizer,
                      rate.highest,
                      two_digits(rate.highest * times),
                      two_digits(rate.highest * std::sqrt(times)),
                      scales_in_proportion(rate.optimizer),
                      {}};
    scaled.override_text = rate.override_for(scaled.is_linear ? scaled.linear : scaled.square_root);
    finding.rates.push_back(std::move(scaled));
  }
}

std::vector<std::string> BatchSizeFinding::overrides() const {
  if (!suggestion || *suggestion == configured) return {};
  std::vector<std::string> all = {"data.batch_size=" + std::to_string(*suggestion)};
  for (const ScaledRate& rate : rates) all.push_back(rate.override_text);
  for (const StepTime& time : step_times)
    all.push_back(time.path + "=" + std::to_string(time.same_samples) + "st");
  return all;
}

}  // namespace hearth
