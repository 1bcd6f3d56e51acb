// Trainings that leave no trace.
#include "hearth/train/finders/trial.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/config/walk.h"
#include "hearth/launch/sockets.h"
#include "hearth/schedule/schedule.h"
#include "hearth/train/live_catalog.h"
#include "hearth/train/rank_settings.h"
#include "hearth/train/run_config.h"

namespace hearth {
namespace {

bool holds_optimizer(const Type& type) {
  if (type.kind == TypeKind::kMap && type.element) return holds_optimizer(*type.element);
  return type.kind == TypeKind::kChoice && type.component_kind == "optimizer";
}

// Calls visit(kind, options) for a component {kind: options}, or for each in a map of them.
template <class Visit>
void visit_optimizers(Node& value, const Type& type, const Visit& visit) {
  if (type.kind == TypeKind::kMap) {
    for (Node::Entry& entry : value.entries()) visit_optimizers(entry.value, *type.element, visit);
  } else if (value.is_map() && value.entries().size() == 1) {
    visit(value.entries().front().key, value.entries().front().value);
  }
}

template <class Visit>
void for_each_optimizer(Node& config, const Visit& visit) {
  const Catalog catalog = live_catalog();
  for_each_options(config, catalog.experiment, catalog,
                   [&](Node& options, const SchemaInfo& schema) {
                     for (const Field& field : schema.fields)
                       if (holds_optimizer(field.type))
                         if (Node* value = options.find(field.name))
                           visit_optimizers(*value, field.type, visit);
                   });
}

// A schedule that has no bound says at least where it starts.
double highest_of(const Node& value) {
  const ScheduledValue scheduled{TypeOf<Scheduled>::read(value)};
  const double most = scheduled.range().second;
  return std::isfinite(most) ? most : scheduled.at({0, 0, {1, 1, 1}});
}

std::string path_of(const Node& node) { return node.mark().path ? *node.mark().path : ""; }

// All numbers within a schedule that are this one.
void find_number(const Node& node, double number, std::vector<std::string>& paths) {
  if (node.is_scalar() && read_number(node.text()) == number) paths.push_back(path_of(node));
  for (const Node& item : node.items()) find_number(item, number, paths);
  for (const Node::Entry& entry : node.entries()) find_number(entry.value, number, paths);
}

void keep_training_windows(Node& data) {
  Node* windows = data.find("windows");
  if (windows == nullptr) return;
  std::erase_if(windows->entries(),
                [](const Node::Entry& entry) { return !entry.key.starts_with("train"); });
}

}  // namespace

FinderTarget::FinderTarget(const ExperimentOptions& options) : config(effective_config(options)) {}

FinderTarget FinderTarget::of_run(const std::filesystem::path& run,
                                  const std::vector<std::string>& overrides) {
  FinderTarget target(RunToResume::open(run, overrides).config);
  target.run = run;
  return target;
}

Node trial_config(Node config) {
  Node& data = *config.find("data");
  data.erase("eval");
  data.erase("test");
  keep_training_windows(data);
  config.set("metrics", Node::list());
  Node& train = *config.find("train");
  for (const char* list : {"traces", "trackers"}) train.set(list, Node::list());
  train.erase("until");
  train.erase("commands");
  train.set("on_nan", Node::scalar("ignore"));
  train.set("warm_up", Node::scalar("false"));
  return config;
}

void set_option(Node& config, const std::string& path, const std::string& value) {
  Node* node = &config;
  const std::vector<std::string> keys = split(path, '.');
  for (size_t i = 0; i + 1 < keys.size(); ++i) node = node->find(keys[i]);
  const Node* old = node->find(keys.back());
  node->set(keys.back(), Node::scalar(value, old != nullptr ? old->mark() : Mark()));
}

Estimator make_trial(const FinderTarget& target, const Node& config,
                     const FinderSettings& settings) {
  EstimatorSettings trial{.on_notice = settings.on_notice,
                          .interrupt = settings.interrupt,
                          .keeps_run = false,
                          .accepts_changes = target.accepts_changes};
  if (!target.run.empty()) return Estimator::fork(target.run, config, std::move(trial));
  trial.group = settings.group;
  return Estimator(config, std::move(trial));
}

FinderSettings of_all_ranks(const Node& config, FinderSettings settings) {
  EstimatorSettings all;
  all.group = settings.group;
  settings.group = with_group(config, std::move(all)).group;
  if (RankMeeting(settings.group).is_first()) return settings;
  settings.on_progress = {};
  settings.on_notice = {};
  return settings;
}

int64_t processes_on_this_host(const FinderSettings& settings) {
  if (!settings.group) return 1;
  const std::string own = host_name();
  const std::vector<std::string> hosts = settings.group->gather("hosts", own);
  return std::count(hosts.begin(), hosts.end(), own);
}

bool is_interrupted(const FinderSettings& settings, const RankMeeting& ranks) {
  const bool is_asked =
      settings.interrupt != nullptr && settings.interrupt->load(std::memory_order_relaxed);
  return ranks.agree({.is_interrupted = is_asked}).is_interrupted;
}

std::string ConfiguredRate::override_for(double rate) const {
  return (highest_path.empty() ? path : highest_path) + "=" + shortest_number(rate);
}

std::vector<ConfiguredRate> configured_rates(const Node& config) {
  std::vector<ConfiguredRate> found;
  Node walked = config;
  for_each_optimizer(walked, [&](const std::string& kind, Node& options) {
    const Node* value = options.find("lr");
    if (value == nullptr) return;
    ConfiguredRate rate{kind, path_of(*value), *value, highest_of(*value), {}};
    std::vector<std::string> paths;
    find_number(*value, rate.highest, paths);
    if (paths.size() == 1) rate.highest_path = paths.front();
    found.push_back(std::move(rate));
  });
  return found;
}

void hold_rates(Node& config) {
  for_each_optimizer(config, [](const std::string&, Node& options) {
    const Node* value = options.find("lr");
    if (value == nullptr) return;
    const Mark mark = value->mark();
    const double highest = highest_of(*value);
    options.set("lr", Node::scalar(shortest_number(highest), mark));
  });
}

}  // namespace hearth
