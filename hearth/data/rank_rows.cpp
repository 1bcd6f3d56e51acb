// A rank's rows of a batch.
#include "hearth/data/rank_rows.h"

#include <algorithm>

#include "hearth/data/filler_rows.h"

namespace hearth {

RankRows rank_rows(const LoaderOptions& options, int64_t rows) {
  const int64_t begin = rows * options.rank / options.ranks;
  const int64_t end = rows * (options.rank + 1) / options.ranks;
  if (begin < end) return {begin, end, false};
  const int64_t repeated = std::min(begin, rows - 1);
  return {repeated, repeated + 1, true};
}

RankRows made_rows(const LoaderOptions& options, const DataPlan& plan, int64_t rows) {
  return plan.batch_steps.empty() ? rank_rows(options, rows) : RankRows{0, rows, false};
}

int64_t most_made_rows(const LoaderOptions& options, const DataPlan& plan, int64_t batch_size) {
  if (!plan.batch_steps.empty()) return batch_size;
  return (batch_size + options.ranks - 1) / options.ranks;
}

void keep_rank_rows(const LoaderOptions& options, BatchBuffer& buffer,
                    std::vector<Replacement>& failed) {
  const RankRows kept = rank_rows(options, static_cast<int64_t>(buffer.samples.size()));
  const RankRows made = rank_rows(options, buffer.made_rows);
  keep_rows(buffer, kept.begin, kept.end);
  std::erase_if(failed, [&](const Replacement& each) {
    const RankRows& own = each.substitute == kNoSample ? made : kept;
    return own.counts_nothing || each.row < own.begin || each.row >= own.end;
  });
  for (Replacement& each : failed)
    each.row -= each.substitute == kNoSample ? made.begin : kept.begin;
  buffer.counts_nothing = kept.counts_nothing;
  buffer.rows = std::max(kept.count(), rank_rows(options, buffer.rows).count());
}

}  // namespace hearth
