// What holds a rank to the others.
#pragma once

#include "hearth/cluster/group.h"
#include "hearth/cluster/key_store.h"
#include "hearth/cluster/wire.h"
#include "hearth/launch/rank_place.h"

namespace hearth {

struct Group::Links {
  RankPlace place;
  OpenStore store;  // rank 0's keeps the server
  std::shared_ptr<Watch> watch;
  std::shared_ptr<Wire> wire;
};

}  // namespace hearth
