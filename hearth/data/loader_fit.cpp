// Options of a loader made to fit into memory.
#include "hearth/data/loader_fit.h"

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

bool make_smaller(LoaderOptions& options, bool may_choose_workers) {
  if (std::exchange(options.most_depth, 0) > options.depth) return true;
  if (options.depth > 1) {
    --options.depth;
    return true;
  }
  if (!may_choose_workers || std::max(options.workers, options.most_workers) == 0) return false;
  options.most_workers = std::max(options.workers, options.most_workers) - 1;
  options.workers = std::min(options.workers, options.most_workers);
  return true;
}

}  // namespace

LoaderOptions fit_loader(LoaderOptions options, const DataPlan& plan, const LoaderBudget& budget) {
  int64_t bytes = Loader::memory_bytes(options, plan);
  while (bytes > budget.most_bytes && make_smaller(options, budget.may_choose_workers))
    bytes = Loader::memory_bytes(options, plan);
  if (bytes > budget.most_bytes)
    throw ConfigError("leaves " + human_bytes(static_cast<uint64_t>(budget.most_bytes)) +
                      " for batches of " + options.name +
                      (budget.source_bytes > 0
                           ? " beside " + human_bytes(budget.source_bytes) + " that sources keep"
                           : "") +
                      ", but " + human_count(static_cast<uint64_t>(options.batch_size)) +
                      " samples a batch, prepared one batch at a time with " +
                      std::to_string(std::max(options.workers, options.most_workers)) +
                      " workers, take " + human_bytes(static_cast<uint64_t>(bytes)) +
                      ". Raise it, or lower data.batch_size" +
                      (budget.may_choose_workers ? "." : " or data.workers."));
  options.most_ragged_bytes = budget.most_bytes - bytes;
  return options;
}

}  // namespace hearth
