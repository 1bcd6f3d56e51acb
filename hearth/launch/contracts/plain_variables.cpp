// RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, as PyTorch's env:// takes them from anybody.
#include "hearth/base/error.h"
#include "hearth/launch/contract.h"

namespace hearth {
namespace {

constexpr const char* kPlainNames[] = {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"};

// One of them alone, as RANK of some other program's, says nothing.
bool is_plain(const Environment& environment) {
  int count = 0;
  for (const char* name : kPlainNames) count += environment.has(name) ? 1 : 0;
  return count >= 2 && (environment.has("RANK") || environment.has("WORLD_SIZE")) &&
         !environment.has("TORCHELASTIC_RUN_ID") && !environment.has("PET_NNODES");
}

RankPlace read_plain(const Environment& environment) {
  for (const char* name : {"RANK", "WORLD_SIZE"})
    if (!environment.has(name))
      throw ConfigError("The variable " + std::string(name) + " is missing beside " +
                        environment.shown(name == std::string("RANK") ? "WORLD_SIZE" : "RANK") +
                        ".\n  Next: set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or none.");
  RankPlace place;
  place.rank = environment.number("RANK");
  place.size = environment.number("WORLD_SIZE");
  place.local_rank = environment.number("LOCAL_RANK", 0);
  place.local_size = environment.number("LOCAL_WORLD_SIZE", 1);
  place.port = port_of(environment, "MASTER_PORT", 29500);
  if (place.size > 1 && !environment.has("MASTER_ADDR"))
    throw ConfigError("The variable MASTER_ADDR is missing: the host of rank 0, beside " +
                      environment.all_shown({"RANK", "WORLD_SIZE"}) + ".");
  place.host = environment.text("MASTER_ADDR", place.host);
  return place;
}

}  // namespace

Contract plain_variables() {
  return {"variables", {"RANK", "WORLD_SIZE"}, 2, is_plain, read_plain};
}

}  // namespace hearth
