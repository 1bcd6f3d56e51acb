// PyTorch's torchrun: it may keep a store itself, and starts all ranks anew when one fails.
#include "hearth/launch/contract.h"

namespace hearth {
namespace {

RankPlace read_torchrun(const Environment& environment) {
  RankPlace place;
  place.rank = environment.number("RANK");
  place.size = environment.number("WORLD_SIZE");
  place.local_rank = environment.number("LOCAL_RANK", 0);
  place.local_size = environment.number("LOCAL_WORLD_SIZE", 1);
  const std::string serves = environment.text("TORCHELASTIC_USE_AGENT_STORE");
  place.serves_store = serves != "True" && serves != "1";
  set_master(place, environment, "torchrun", 29500);
  // The agent's store listens where it says, which need not be loopback.
  if (!place.serves_store) place.host = environment.text("MASTER_ADDR", place.host);
  place.attempt = environment.text("TORCHELASTIC_RUN_ID") + "/" +
                  environment.text("TORCHELASTIC_RESTART_COUNT", "0");
  return place;
}

}  // namespace

Contract torchrun() {
  return {"torchrun",
          {"RANK", "WORLD_SIZE"},
          1,
          [](const Environment& environment) { return environment.has("TORCHELASTIC_RUN_ID"); },
          read_torchrun};
}

}  // namespace hearth
