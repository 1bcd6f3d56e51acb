// How many ranks a run may go on with.
#include "hearth/launch/elastic_options.h"

#include "hearth/base/error.h"

namespace hearth {

const Schema<ElasticOptions>& ElasticOptions::schema() {
  using O = ElasticOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::min, "min", "With fewer processes than these it does not go on.", at_least(1),
                 at_most(100'000))
          .field(&O::max, "max",
                 "Processes to begin with. Without `shards` there is a shard for each, however "
                 "many there are.",
                 required(), at_least(1), at_most(100'000))
          .field(&O::rejoin, "rejoin",
                 "Seconds that it goes on with fewer at least, before those that are there again "
                 "are taken in; twice as many after every loss of one host.",
                 at_least(0));
  return fields;
}

void check_elastic(const ElasticOptions& options) {
  if (options.min > options.max)
    throw ConfigError("elastic: min is " + std::to_string(options.min) + ", but max is " +
                      std::to_string(options.max) + ".\n  Next: make min at most max.");
}

}  // namespace hearth
