// A rank by the addresses of jobs.
#include "hearth/launch/jobs.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/launch/contract.h"

namespace hearth {
namespace {

const std::vector<std::string> kTrainingJobs = {"chief", "master", "worker"};

void check_jobs(const Jobs& jobs, const std::string& what) {
  for (const auto& [name, addresses] : jobs) {
    if (name == "ps")
      throw ConfigError(what +
                        ": a job 'ps' keeps variables in TensorFlow; here every rank keeps "
                        "them, and sums of gradients go from rank to rank. Leave it out.");
    if (name != "evaluator" &&
        std::find(kTrainingJobs.begin(), kTrainingJobs.end(), name) == kTrainingJobs.end())
      throw ConfigError(what + ": there is no job " + quote(name) + "." +
                        did_you_mean(name, {"chief", "master", "worker", "evaluator"}));
  }
}

std::string host_in(const std::string& address) { return address.substr(0, address.rfind(':')); }

}  // namespace

RankPlace place_in(const Jobs& jobs, const std::string& job, int64_t index,
                   const std::string& what) {
  check_jobs(jobs, what);
  if (job == "evaluator")
    throw ConfigError(what +
                      ": this process is the evaluator, which does not train.\n  Next: start "
                      "it with: hearth evaluate RUN --follow");
  const auto found = jobs.find(job);
  if (found == jobs.end() || index < 0 || static_cast<size_t>(index) >= found->second.size())
    throw ConfigError(what + ": the task is " + job + ":" + std::to_string(index) + ", but " +
                      (found == jobs.end()
                           ? "there is no such job"
                           : "the job has " + std::to_string(found->second.size()) + " tasks") +
                      ".");
  std::vector<std::string> all;
  RankPlace place;
  for (const std::string& name : kTrainingJobs) {
    const auto entry = jobs.find(name);
    if (entry == jobs.end()) continue;
    if (name == job) place.rank = static_cast<int>(all.size() + static_cast<size_t>(index));
    all.insert(all.end(), entry->second.begin(), entry->second.end());
  }
  place.size = static_cast<int>(all.size());
  set_address(place, all.front(), what);
  const std::string own = host_in(all[static_cast<size_t>(place.rank)]);
  place.local_size = 0;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (static_cast<int>(rank) == place.rank) place.local_rank = place.local_size;
    place.local_size += host_in(all[rank]) == own ? 1 : 0;
  }
  return place;
}

}  // namespace hearth
