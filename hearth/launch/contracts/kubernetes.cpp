// Kubeflow's PET_ variables, which speak of pods. RANK, where it stands beside them, is the pod's.
#include "hearth/base/error.h"
#include "hearth/launch/contract.h"

namespace hearth {
namespace {

RankPlace read_pods(const Environment& environment) {
  const int processes = environment.number("PET_NPROC_PER_NODE", 1);
  if (processes != 1)
    throw ConfigError(
        "The pod is to run " + std::to_string(processes) +
        " processes (PET_NPROC_PER_NODE), and this is one.\n  Next: begin its command "
        "with: hearth launch train ...");
  RankPlace place;
  place.rank = environment.number("PET_NODE_RANK");
  place.size = environment.number("PET_NNODES");
  place.port = port_of(environment, "PET_MASTER_PORT", 29500);
  if (place.size > 1 && !environment.has("PET_MASTER_ADDR"))
    throw ConfigError("The variable PET_MASTER_ADDR is missing: the pod of rank 0.");
  place.host = environment.text("PET_MASTER_ADDR", place.host);
  place.attempt = environment.text("PET_RDZV_ID", "0");
  return place;
}

}  // namespace

Contract kubernetes() {
  return {"Kubernetes",
          {"PET_NODE_RANK", "PET_NNODES"},
          2,
          [](const Environment& environment) {
            return environment.has("PET_NNODES") && environment.has("PET_NODE_RANK") &&
                   !environment.has("TORCHELASTIC_RUN_ID");
          },
          read_pods};
}

}  // namespace hearth
