// Several files of records as one list, each with its offset index.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hearth/data/offset_index.h"
#include "hearth/data/seekable_file.h"

namespace hearth {

// Of all gzip files of a source, what is kept in memory; the rest moves to a file.
inline constexpr uint64_t kMostUnpackedInMemory = 1ULL << 30;

struct Shard {
  std::unique_ptr<SeekableFile> file;
  OffsetIndex index;
};

class Shards {
 public:
  // Opens files by names and patterns, in their order; `build` finds the records of one. DataError
  // when there is no record at all.
  void open(const std::vector<std::string>& patterns, const std::string& kind,
            const std::function<OffsetIndex(const SeekableFile&)>& build,
            uint64_t most_unpacked = kMostUnpackedInMemory);

  struct Place {
    const Shard& shard;
    size_t row = 0;
  };
  // Of unpacked files and indices, in memory.
  [[nodiscard]] uint64_t resident_bytes() const;
  [[nodiscard]] int64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  [[nodiscard]] Place place(int64_t index) const;
  [[nodiscard]] const std::vector<Shard>& all() const { return shards_; }
  [[nodiscard]] const std::vector<int64_t>& ends() const { return ends_; }
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] std::string describe(int64_t index) const;  // "train-0001.tfrecord[17]"

 private:
  std::unique_ptr<OverflowFile> overflow_;
  std::vector<Shard> shards_;
  std::vector<int64_t> ends_;
};

}  // namespace hearth
