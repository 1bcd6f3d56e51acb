// TFRecord files: records with their length, and masked CRCs of the length and of the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/format/read_bytes.h"

namespace hearth {

inline constexpr uint64_t kTfRecordHeaderBytes = 12;  // length, CRC of the length
inline constexpr uint64_t kTfRecordLimitBytes = 1ULL << 30;

struct TfRecordPlace {
  uint64_t offset = 0;  // of the record's bytes; their CRC follows them
  uint64_t bytes = 0;
};

// Where the records of a file of `file_bytes` lie, by their lengths, whose CRCs are checked.
// DataError names `what` and the byte for a wrong CRC and for a record that ends beyond the file.
[[nodiscard]] std::vector<TfRecordPlace> tfrecord_places(const ReadBytes& read, uint64_t file_bytes,
                                                         const std::string& what);
// Reads a record's bytes with the CRC behind them, which is checked; `into` keeps only the bytes.
void read_tfrecord(const ReadBytes& read, const TfRecordPlace& place, std::string& into,
                   const std::string& what);

// The bytes as a record: with their length before them, and CRCs.
[[nodiscard]] std::string tfrecord_of(std::string_view bytes);

}  // namespace hearth
