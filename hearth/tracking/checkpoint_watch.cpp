// The checkpoints of a run, as they come while it trains in another process.
#include "hearth/tracking/checkpoint_watch.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/format/checkpoint_names.h"

namespace hearth {
namespace {

// Nothing for one that vanished since it was listed.
std::optional<FileStamp> stamp_if_there(const fs::path& path) {
  try {
    return stamp_of(open_to_read(path), path);
  } catch (const DataError&) {
    if (is_there(path)) throw;
    return std::nullopt;
  }
}

}  // namespace

std::vector<NewCheckpoint> CheckpointWatch::take_new() {
  std::vector<NewCheckpoint> fresh;
  std::map<std::string, FileStamp> seen;
  for (const fs::path& path : step_checkpoints(folder_)) {
    const std::optional<int64_t> step = step_in_name(path);
    const std::optional<FileStamp> stamp = step ? stamp_if_there(path) : std::nullopt;
    if (!stamp) continue;
    const std::string name = path.stem();
    const auto known = given_.find(name);
    if (known == given_.end() || known->second != *stamp) fresh.push_back({name, *step});
    seen.emplace(name, *stamp);
  }
  given_ = std::move(seen);
  std::reverse(fresh.begin(), fresh.end());
  return fresh;
}

bool CheckpointWatch::has(const NewCheckpoint& checkpoint) const {
  return is_there(folder_ / (checkpoint.name + kCheckpointEnding));
}

}  // namespace hearth
