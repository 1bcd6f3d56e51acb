// Steps that are made of the gradients which come first: what `sync_replicas` says.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hearth/config/byte_size.h"
#include "hearth/config/schema.h"

namespace hearth {

struct SyncReplicasOptions {
  int64_t aggregate = 0;  // must be given
  int64_t total = 0;      // must be given
  ByteSize backlog = {int64_t{256} << 20};
  static const Schema<SyncReplicasOptions>& schema();

  // Parts that a batch is handed out in, as TensorFlow's tokens are.
  [[nodiscard]] int64_t slots() const { return std::max(aggregate, total); }
  // Whether what comes last is left out.
  [[nodiscard]] bool has_backups() const { return total > aggregate; }
};

struct ExperimentOptions;
// ConfigError for what cannot go together with it.
void check_sync_replicas(const ExperimentOptions& options);

}  // namespace hearth
