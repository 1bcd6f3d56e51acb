// Open MPI's mpirun.
#include "hearth/launch/contract.h"

namespace hearth {
namespace {

RankPlace read_open_mpi(const Environment& environment) {
  RankPlace place;
  place.rank = environment.number("OMPI_COMM_WORLD_RANK");
  place.size = environment.number("OMPI_COMM_WORLD_SIZE");
  place.local_rank = environment.number("OMPI_COMM_WORLD_LOCAL_RANK", 0);
  place.local_size = environment.number("OMPI_COMM_WORLD_LOCAL_SIZE", 1);
  // Two jobs of one host must not meet at the same port.
  set_master(
      place, environment, "mpirun",
      port_by(environment.text("PMIX_NAMESPACE") + environment.text("OMPI_MCA_ess_base_jobid")));
  return place;
}

}  // namespace

Contract open_mpi() {
  return {"Open MPI",
          {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
          2,
          [](const Environment& environment) { return environment.has("OMPI_COMM_WORLD_RANK"); },
          read_open_mpi};
}

}  // namespace hearth
