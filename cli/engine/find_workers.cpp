// hearth find workers: numbers of workers on a copy.
#include <nlohmann/json.hpp>

#include "cli/engine/finding.h"
#include "hearth/train/finders/workers_finder.h"

namespace hearth::cli {

extern "C" int hearth_command_find_workers(const void* given) {
  const auto& arguments = *static_cast<const FindWorkersArguments*>(given);
  const FinderSettings settings = finder_settings(arguments);
  WorkersSearch search;
  search.most = arguments.most;
  search.seconds = arguments.seconds.value_or(search.seconds);
  const WorkersFinding finding = find_workers(target_of(arguments), search, settings);
  return show_finding({"workers", finding.to_json(), finding.text(), finding.chart(),
                       finding.was_interrupted, finding.overrides()},
                      arguments);
}

}  // namespace hearth::cli
