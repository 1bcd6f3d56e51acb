// How launchers tell a process its rank. Each has a file in contracts/.
#pragma once

#include <string>
#include <vector>

#include "hearth/launch/environment.h"
#include "hearth/launch/rank_place.h"

namespace hearth {

struct Contract {
  std::string name;
  // What says rank and size, for messages.
  std::vector<std::string> variables;
  // A nearer launcher (a lower number) may run inside a farther one, which then speaks of other
  // processes; those at the same distance must agree.
  int distance;
  bool (*applies)(const Environment&);
  RankPlace (*read)(const Environment&);
};

// Nearest first.
[[nodiscard]] const std::vector<Contract>& contracts();

[[nodiscard]] Contract own_launcher();
[[nodiscard]] Contract torchrun();
[[nodiscard]] Contract plain_variables();
[[nodiscard]] Contract kubernetes();
[[nodiscard]] Contract open_mpi();
[[nodiscard]] Contract pmi();         // MPICH, Intel MPI, MVAPICH
[[nodiscard]] Contract tensorflow();  // TF_CONFIG
[[nodiscard]] Contract slurm();

// Host and port of MASTER_ADDR and MASTER_PORT; else loopback when all ranks are on one host, and
// a ConfigError that names MASTER_ADDR when not.
void set_master(RankPlace& place, const Environment& environment, const std::string& contract,
                uint16_t port);
[[nodiscard]] uint16_t port_of(const Environment& environment, const std::string& name,
                               uint16_t otherwise);
// "host:port", also "[::1]:29500"; a ConfigError that begins with `what`.
void set_address(RankPlace& place, const std::string& address, const std::string& what);
// A port from 15000 to 24999 that all who know the text find.
[[nodiscard]] uint16_t port_by(const std::string& text);

}  // namespace hearth
