// Slurm's srun. Its variables stand in a batch script too, which is one process: the step's count.
#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/launch/contract.h"
#include "hearth/launch/hosts.h"

namespace hearth {
namespace {

constexpr int kSlurmPort = 15000;
constexpr int64_t kSlurmPorts = 10000;

bool is_step(const Environment& environment) {
  const std::string job = environment.text("SLURM_JOB_NAME");
  return environment.has("SLURM_PROCID") && environment.has("SLURM_STEP_ID") &&
         environment.has("SLURM_STEP_NUM_TASKS") && job != "bash" && job != "interactive";
}

uint16_t port_of_job(const Environment& environment) {
  const int64_t job = environment.number("SLURM_JOB_ID", environment.number("SLURM_JOBID", 0));
  const int64_t step = environment.number("SLURM_STEP_ID", 0);
  return static_cast<uint16_t>(kSlurmPort + (job + 131 * step) % kSlurmPorts);
}

int local_size_of(const Environment& environment) {
  const std::vector<int> tasks = tasks_in(environment.text("SLURM_STEP_TASKS_PER_NODE", "1"));
  const auto node = static_cast<size_t>(environment.number("SLURM_NODEID", 0));
  return tasks[std::min(node, tasks.size() - 1)];
}

RankPlace read_slurm(const Environment& environment) {
  RankPlace place;
  place.rank = environment.number("SLURM_PROCID");
  place.size = environment.number("SLURM_STEP_NUM_TASKS");
  place.local_rank = environment.number("SLURM_LOCALID", 0);
  place.local_size =
      environment.number("SLURM_STEP_NUM_NODES", 1) == 1 ? place.size : local_size_of(environment);
  place.port = port_of(environment, "MASTER_PORT", port_of_job(environment));
  place.attempt = environment.text("SLURM_RESTART_COUNT", "0");
  if (place.local_size == place.size) return place;
  const std::string hosts =
      environment.text("SLURM_STEP_NODELIST", environment.text("SLURM_JOB_NODELIST"));
  place.host = environment.text("MASTER_ADDR", hosts.empty() ? "" : hosts_in(hosts).front());
  if (place.host.empty())
    throw ConfigError("Slurm does not say which hosts the step has (SLURM_STEP_NODELIST).");
  return place;
}

}  // namespace

Contract slurm() {
  return {"Slurm", {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}, 3, is_step, read_slurm};
}

}  // namespace hearth
