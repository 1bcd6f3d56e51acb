// hearth launch.
#include "hearth/launch/contract.h"

namespace hearth {
namespace {

RankPlace read_own(const Environment& environment) {
  RankPlace place;
  place.rank = environment.number("HEARTH_RANK");
  place.size = environment.number("HEARTH_RANKS");
  place.local_rank = environment.number("HEARTH_LOCAL_RANK");
  place.local_size = environment.number("HEARTH_LOCAL_RANKS");
  set_address(place, environment.text("HEARTH_STORE"), "HEARTH_STORE");
  place.attempt = environment.text("HEARTH_ATTEMPT", "0");
  return place;
}

}  // namespace

Contract own_launcher() {
  return {"hearth launch",
          {"HEARTH_RANK", "HEARTH_RANKS"},
          0,
          [](const Environment& environment) { return environment.has("HEARTH_RANK"); },
          read_own};
}

}  // namespace hearth
