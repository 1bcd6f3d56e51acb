// MPICH, Intel MPI and MVAPICH: PMI's variables.
#include "hearth/launch/contract.h"

namespace hearth {
namespace {

RankPlace read_pmi(const Environment& environment) {
  RankPlace place;
  place.rank = environment.number("PMI_RANK");
  place.size = environment.number("PMI_SIZE");
  place.local_rank = environment.number("MPI_LOCALRANKID", 0);
  place.local_size = environment.number("MPI_LOCALNRANKS", 1);
  set_master(place, environment, "mpiexec", port_by(environment.text("PMI_JOBID", "mpiexec")));
  return place;
}

}  // namespace

Contract pmi() {
  return {"PMI",
          {"PMI_RANK", "PMI_SIZE"},
          2,
          [](const Environment& environment) {
            return environment.has("PMI_RANK") && environment.has("PMI_SIZE");
          },
          read_pmi};
}

}  // namespace hearth
