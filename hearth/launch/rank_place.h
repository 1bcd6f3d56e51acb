// Where a process stands among the processes of a run.
#pragma once

#include <cstdint>
#include <string>

namespace hearth {

struct RankPlace {
  int rank = 0;
  int size = 1;
  int local_rank = 0;  // among those on this host
  int local_size = 1;
  std::string host = "127.0.0.1";  // where the store is
  uint16_t port = 29500;
  bool serves_store = true;   // rank 0 does, unless the launcher keeps a store
  std::string attempt = "0";  // what tells this start of the run from an earlier one
  std::string contract;       // who said so: "torchrun (RANK, WORLD_SIZE, ...)"
  bool operator==(const RankPlace&) const = default;
};

}  // namespace hearth
