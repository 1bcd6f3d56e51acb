// hearth find batch-size: batch sizes on a copy.
#include <nlohmann/json.hpp>

#include "cli/engine/finding.h"
#include "hearth/train/finders/batch_size_finder.h"

namespace hearth::cli {

extern "C" int hearth_command_find_batch_size(const void* given) {
  const auto& arguments = *static_cast<const FindBatchSizeArguments*>(given);
  const FinderSettings settings = finder_settings(arguments);
  BatchSizeSearch search;
  search.from = arguments.from;
  search.to = arguments.to;
  if (arguments.memory_bytes) search.memory_bytes = static_cast<uint64_t>(*arguments.memory_bytes);
  search.seconds = arguments.seconds.value_or(search.seconds);
  const BatchSizeFinding finding = find_batch_size(target_of(arguments), search, settings);
  return show_finding({"batch_size", finding.to_json(), finding.text(), finding.chart(),
                       finding.was_interrupted, finding.overrides()},
                      arguments);
}

}  // namespace hearth::cli
