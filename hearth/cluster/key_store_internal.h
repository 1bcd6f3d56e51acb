// What only sources that know c10d see of a store.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "hearth/cluster/key_store.h"

namespace hearth {

struct KeyStore::Handle {
  c10::intrusive_ptr<c10d::Store> store;
};

}  // namespace hearth
