// Which rank this process is.
#include "hearth/launch/find_place.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/launch/cluster_options.h"
#include "hearth/launch/contract.h"
#include "hearth/launch/jobs.h"

namespace hearth {
namespace {

void check_place(const RankPlace& place, const std::string& by) {
  if (place.size < 1 || place.rank >= place.size)
    throw ConfigError(by + ": rank " + std::to_string(place.rank) + " of " +
                      std::to_string(place.size) + " ranks cannot be; ranks are numbered from 0.");
  if (place.local_size > place.size || place.local_rank >= std::max(place.local_size, 1))
    throw ConfigError(by + ": rank " + std::to_string(place.local_rank) + " of " +
                      std::to_string(place.local_size) + " on this host cannot be, with " +
                      std::to_string(place.size) + " in all.");
}

struct Found {
  const Contract* contract;
  RankPlace place;
  std::string by;  // "torchrun (RANK=1, WORLD_SIZE=4)"
};

void check_rivals(const std::vector<Found>& all) {
  for (const Found& other : all)
    if (other.contract->distance == all.front().contract->distance &&
        (other.place.rank != all.front().place.rank || other.place.size != all.front().place.size))
      throw ConfigError("Two launchers say different things: " + all.front().by + " and " +
                        other.by +
                        ".\n  Next: unset the variables of the one that did not start "
                        "this process.");
}

RankPlace place_by_task(const ClusterOptions& cluster, const Environment& environment) {
  std::string job;
  int64_t index = 0;
  const std::vector<std::string> task = split(environment.text("HEARTH_TASK"), ':');
  const bool has_variable = environment.has("HEARTH_TASK");
  if (has_variable) {
    const std::optional<int64_t> number = task.size() == 2 ? read_integer(task[1]) : std::nullopt;
    if (!number)
      throw ConfigError("The variable " + environment.shown("HEARTH_TASK") +
                        " must be JOB:INDEX, such as worker:1.");
    job = task[0];
    index = *number;
  } else if (cluster.task) {
    job = cluster.task->job;
    index = cluster.task->index;
  } else {
    throw ConfigError(
        "cluster: nothing says which of the tasks this process is.\n  Next: write "
        "cluster.task: {job: worker, index: 1}, or set HEARTH_TASK=worker:1.");
  }
  RankPlace place = place_in(cluster.jobs, job, index, "cluster");
  place.contract = "cluster (task " + job + ":" + std::to_string(index) + ")";
  place.attempt = environment.text("HEARTH_ATTEMPT", "0");
  return place;
}

}  // namespace

std::optional<RankPlace> find_place(const Environment& environment, const ClusterOptions* cluster) {
  std::vector<Found> all;
  for (const Contract& contract : contracts()) {
    // What is farther than one that was found speaks of other processes.
    if (!contract.applies(environment) ||
        (!all.empty() && contract.distance > all.front().contract->distance))
      continue;
    const std::string by = contract.name + " (" + environment.all_shown(contract.variables) + ")";
    RankPlace place = contract.read(environment);
    place.contract = by;
    check_place(place, by);
    all.push_back({&contract, std::move(place), by});
  }
  if (all.empty() && cluster != nullptr && !cluster->jobs.empty())
    return place_by_task(*cluster, environment);
  if (all.empty()) return std::nullopt;
  check_rivals(all);
  return all.front().place;
}

std::string place_text(const RankPlace& place) {
  return "rank " + std::to_string(place.rank) + " of " + std::to_string(place.size) + ", by " +
         place.contract + "; they meet at " + place.host + ":" + std::to_string(place.port);
}

std::string secret_of(const Environment& environment) {
  if (environment.has("HEARTH_SECRET")) return environment.text("HEARTH_SECRET");
  if (!environment.has("HEARTH_SECRET_FILE")) return "";
  const std::string file = environment.text("HEARTH_SECRET_FILE");
  const std::string secret(trim(read_file(file)));
  if (secret.empty()) throw DataError(file + " is empty; it should hold the ranks' secret.");
  return secret;
}

}  // namespace hearth
