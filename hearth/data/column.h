// One key of all samples of a source, read before the first batch: classes to balance, groups that
// must stay together, lengths to sort by. Nothing but that key is decoded; many samples are read by
// all cores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/data/source.h"

namespace hearth {

// A value for each sample is held in memory.
inline constexpr int64_t kMostColumnSamples = 100'000'000;

// Which key, and how messages call who asks: "order weighted".
struct ColumnKey {
  std::string reader;
  std::string key;
};

// Its spec. DataError with the nearest name when the source has no such key.
[[nodiscard]] Spec column_spec(const Source& source, const ColumnKey& asked);

// Each is a DataError when the key holds something else, when a sample cannot be read, and when
// there are more than kMostColumnSamples.
//
// Class numbers, each below the spec's classes.
[[nodiscard]] std::vector<int64_t> class_column(const Source& source, const ColumnKey& asked);
// Single numbers of any kind.
[[nodiscard]] std::vector<double> number_column(const Source& source, const ColumnKey& asked);
// Single whole numbers.
[[nodiscard]] std::vector<int64_t> whole_column(const Source& source, const ColumnKey& asked);
[[nodiscard]] bool is_text_column(const Source& source, const ColumnKey& asked);
[[nodiscard]] std::vector<std::string> text_column(const Source& source, const ColumnKey& asked);
// How long each value is, by its first dimension; a whole number stands for a length itself.
[[nodiscard]] std::vector<int64_t> length_column(const Source& source, const ColumnKey& asked);

// Which samples have the same value: groups are numbered in the order of their values.
struct GroupColumn {
  std::vector<int64_t> group_of;
  int64_t groups = 0;
};
// Of whole numbers or texts.
[[nodiscard]] GroupColumn group_column(const Source& source, const ColumnKey& asked);

}  // namespace hearth
