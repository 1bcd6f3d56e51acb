// Several files of records as one list.
#include "hearth/data/shards.h"

#include <algorithm>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/table/column_table.h"

namespace hearth {

void Shards::open(const std::vector<std::string>& patterns, const std::string& kind,
                  const std::function<OffsetIndex(const SeekableFile&)>& build,
                  uint64_t most_unpacked) {
  uint64_t unpacked = 0;
  shards_.clear();
  ends_.clear();
  for (const std::filesystem::path& path : matching_files(patterns)) {
    Shard shard{std::make_unique<SeekableFile>(path), {}};
    shard.index =
        offset_index({.file = shard.file->handle(), .path = path, .kind = kind, .build = [&] {
                        return build(*shard.file);
                      }});
    if (unpacked + shard.file->resident_bytes() > most_unpacked) {
      if (!overflow_) overflow_ = std::make_unique<OverflowFile>(overflow_folder_of_user());
      shard.file->move_to(*overflow_);
    }
    unpacked += shard.file->resident_bytes();
    ends_.push_back(size() + static_cast<int64_t>(shard.index.rows()));
    shards_.push_back(std::move(shard));
  }
  if (size() == 0)
    throw DataError(join(patterns, ", ") + (patterns.size() == 1 ? ": holds" : ": hold") +
                    " no record.");
}

uint64_t Shards::resident_bytes() const {
  uint64_t bytes = 0;
  for (const Shard& shard : shards_)
    bytes += shard.file->resident_bytes() + shard.index.resident_bytes();
  return bytes;
}

Shards::Place Shards::place(int64_t index) const {
  const auto found = std::upper_bound(ends_.begin(), ends_.end(), index);
  const int64_t before = found == ends_.begin() ? 0 : *(found - 1);
  return {shards_[static_cast<size_t>(found - ends_.begin())], static_cast<size_t>(index - before)};
}

std::string Shards::fingerprint() const {
  Sha256 digest;
  for (const Shard& shard : shards_) digest.add(shard.file->fingerprint(shards_.size()) + "\n");
  return "sha256:" + digest.finish_hex();
}

std::string Shards::describe(int64_t index) const {
  const Place at = place(index);
  return at.shard.file->path().filename().string() + "[" + std::to_string(at.row) + "]";
}

}  // namespace hearth
