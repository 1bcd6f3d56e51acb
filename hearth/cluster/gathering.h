// Ranks wait for each other at the start, before a watch looks after them.
#pragma once

#include <string>

namespace hearth {

class KeyStore;
struct JoinOptions;
struct RankPlace;

// A `ClusterError` when another process has this rank already. `who` is what others call it.
void take_place(KeyStore& store, const RankPlace& place, const std::string& who);

// Both say after a few seconds who is missing, and where it is waited for.
// Returns when all ranks have taken their places; a `ClusterError` names who did not in time.
void await_all(KeyStore& store, const RankPlace& place, const JoinOptions& options);
// Returns when all, who are there by now, have written `key` and their number: who has not for as
// long as a rank may be silent is lost.
void await_written(KeyStore& store, const RankPlace& place, const std::string& key,
                   const JoinOptions& options);

}  // namespace hearth
