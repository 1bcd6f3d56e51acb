// Ranks prove to each other that they know the same secret.
#pragma once

namespace hearth {

class KeyStore;
struct JoinOptions;
struct RankPlace;

// Every rank writes a random number, then a proof over all of them: an old proof is worth nothing.
// A `ClusterError` names who has another secret, or answers nothing. Keeps strangers and other runs
// out; it does not encrypt what is sent afterwards.
void prove_secret(KeyStore& store, const RankPlace& place, const JoinOptions& options);

}  // namespace hearth
