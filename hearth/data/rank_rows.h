// Which rows of a batch are a rank's, where several processes share every batch.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/data/host_batch.h"
#include "hearth/data/loader.h"

namespace hearth {

// Rows [begin, end), at least one. Ranks have nearly equal parts, in their order; where a batch has
// fewer rows than there are ranks, those without a row repeat one that counts nothing.
struct RankRows {
  int64_t begin = 0;
  int64_t end = 0;
  bool counts_nothing = false;
  [[nodiscard]] int64_t count() const { return end - begin; }
};
[[nodiscard]] RankRows rank_rows(const LoaderOptions& options, int64_t rows);

// What a rank makes of a batch of so many rows: its own, unless batch ops want the whole batch.
[[nodiscard]] RankRows made_rows(const LoaderOptions& options, const DataPlan& plan, int64_t rows);
// The most of them in any rank.
[[nodiscard]] int64_t most_made_rows(const LoaderOptions& options, const DataPlan& plan,
                                     int64_t batch_size);

// Leaves a rank's rows in a batch that was made whole, and tells of their failed samples only. They
// are still to be filled up to what `buffer.rows` is afterwards.
void keep_rank_rows(const LoaderOptions& options, BatchBuffer& buffer,
                    std::vector<Replacement>& failed);

}  // namespace hearth
