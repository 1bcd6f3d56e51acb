// Rows of a batch that are no samples: they keep its size and count nothing. Real rows come first.
#pragma once

#include <span>

#include "hearth/data/host_batch.h"

namespace hearth {

// Takes the rows of samples that nothing stands in for out of the batch: those after them move up,
// also in `failed`, where one that was replaced has its new row. DataError when no row is left.
void remove_failed_rows(BatchBuffer& buffer, std::span<Replacement> failed);

// Leaves the real rows [begin, end) as the first ones of the batch; the others go.
void keep_rows(BatchBuffer& buffer, int64_t begin, int64_t end);

// Repeats the real rows until the batch has all of its rows; statistics over a batch see numbers of
// the usual kind.
void fill_up(BatchBuffer& buffer);

}  // namespace hearth
