// The processes of a run by their addresses.
#include "hearth/launch/cluster_options.h"

namespace hearth {

const Schema<TaskOptions>& TaskOptions::schema() {
  using O = TaskOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::job, "job", "One of the jobs.")
          .field(&O::index, "index", "The place of this process in its job, from 0.", at_least(0));
  return fields;
}

const Schema<ClusterOptions>& ClusterOptions::schema() {
  using O = ClusterOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::jobs, "jobs",
                 "Addresses of the processes by job: `{chief: [a:2222], worker: [b:2222, "
                 "c:2222]}`. Ranks go by `chief`, then `worker`; the first address is where all "
                 "meet.")
          .field(&O::task, "task",
                 "Which of them this process is; left out, the variable HEARTH_TASK says so, "
                 "`worker:1`.");
  return fields;
}

}  // namespace hearth
