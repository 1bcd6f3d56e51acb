// Files that start a run on a cluster, for its scheduler.
#pragma once

#include <string>
#include <vector>

namespace hearth {

struct JobOptions {
  std::string name = "hearth";
  std::vector<std::string> words;  // what each rank runs: "train", "digits.yaml"
  int hosts = 1;
  int ranks = 1;  // on each host
  std::string secret_file;
};

// For sbatch: one task a rank, SIGTERM ahead of the time limit, requeued when the run can go on.
[[nodiscard]] std::string slurm_file(const JobOptions& options);
// For kubectl apply: a headless service and an indexed job, one pod a host.
[[nodiscard]] std::string kubernetes_file(const JobOptions& options);

}  // namespace hearth
