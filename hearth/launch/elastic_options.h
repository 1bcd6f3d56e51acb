// How many ranks a run may go on with: what `elastic` says.
#pragma once

#include "hearth/config/schema.h"

namespace hearth {

struct ElasticOptions {
  int64_t min = 1;
  int64_t max = 1;     // must be given
  double rejoin = 60;  // seconds
  static const Schema<ElasticOptions>& schema();
};

// ConfigError unless `min` is at most `max`.
void check_elastic(const ElasticOptions& options);

}  // namespace hearth
