// The two passes of resizing: along a row, and down a column of rows. A plain path, and a fast one
// with the same bits where the processor can.
#pragma once

#include <cstdint>
#include <span>

#include "hearth/format/resample_table.h"

namespace hearth {

// One row of pixels, each `channels` values, at the table's length. `readable` bytes may be read
// from `row` on, beyond the row itself too: where there are a few more the fast path runs.
void resample_row(const uint8_t* row, int64_t readable, int64_t channels,
                  const ResampleTable& table, uint8_t* to);
void resample_row(const float* row, int64_t channels, const ResampleTable& table, float* to);

// The weighted sum of rows of `length` values: rows[i] goes with weights[i].
void resample_column(std::span<const uint8_t* const> rows, std::span<const int32_t> weights,
                     int64_t length, uint8_t* to);
void resample_column(std::span<const float* const> rows, std::span<const int32_t> weights,
                     int64_t length, float* to);

namespace plain {  // the truth for the above
void resample_row(const uint8_t* row, int64_t channels, const ResampleTable& table, uint8_t* to);
void resample_column(std::span<const uint8_t* const> rows, std::span<const int32_t> weights,
                     int64_t begin, int64_t end, uint8_t* to);
}  // namespace plain

}  // namespace hearth
