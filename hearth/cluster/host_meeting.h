// At the start: the ranks of one host find each other and get memory that they share.
#pragma once

#include <memory>

namespace hearth {

class HostWire;
class KeyStore;
struct JoinOptions;
struct RankPlace;

// All ranks call it. Null where a rank is alone on its host, or its host's ranks cannot, or shall
// not, share memory: they send over their network then.
[[nodiscard]] std::unique_ptr<HostWire> meet_on_host(KeyStore& store, const RankPlace& place,
                                                     const JoinOptions& options);

}  // namespace hearth
