// The keys of several sources beside each other in one sample.
#include "hearth/data/side_by_side.h"

#include <algorithm>
#include <deque>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

// Cells for the time of one read. A source inside may need some of its own meanwhile, so each
// depth has its list; the lists stay for the next sample.
class CellRoom {
 public:
  explicit CellRoom(size_t count) {
    if (depth_ == lists_.size()) lists_.emplace_back();
    cells_ = &lists_[depth_++];
    cells_->assign(count, Cell());
  }
  ~CellRoom() { --depth_; }
  CellRoom(const CellRoom&) = delete;
  CellRoom& operator=(const CellRoom&) = delete;
  [[nodiscard]] std::span<Cell> cells() const { return *cells_; }

 private:
  static thread_local std::deque<std::vector<Cell>> lists_;
  static thread_local size_t depth_;
  std::vector<Cell>* cells_;
};

thread_local std::deque<std::vector<Cell>> CellRoom::lists_;
thread_local size_t CellRoom::depth_ = 0;

}  // namespace

void SideBySide::add(std::unique_ptr<Source> source, const std::string& name,
                     const std::string& prefix, const std::string& left_out) {
  std::vector<KeySpec> keys = source->keys();
  Column column{std::move(source), name, keys_.size(), keys.size(), keys.size()};
  for (size_t k = 0; k < keys.size(); ++k) {
    if (!left_out.empty() && keys[k].key == left_out) {
      column.left_out = k;
      continue;
    }
    keys[k].key = prefix + keys[k].key;
    for (size_t other = 0; other < keys_.size(); ++other)
      if (keys_[other].key == keys[k].key)
        throw DataError(combiner_ + ": both " + quote(columns_.at(owner_[other]).name) + " and " +
                        quote(name) + " yield the key " + quote(keys[k].key) +
                        ". Give one of them a prefix.");
    keys_.push_back(std::move(keys[k]));
    owner_.push_back(columns_.size());
  }
  columns_.push_back(std::move(column));
}

void SideBySide::read(size_t source, int64_t index, std::span<const Cell> cells) const {
  const Column& column = columns_[source];
  if (column.left_out == column.count)
    return column.source->read(index, cells.subspan(column.first, column.count));
  const CellRoom room(column.count);
  const auto given = cells.subspan(column.first, column.count - 1);
  const auto after = given.begin() + static_cast<std::ptrdiff_t>(column.left_out);
  std::copy(given.begin(), after, room.cells().begin());
  std::copy(after, given.end(),
            room.cells().begin() + static_cast<std::ptrdiff_t>(column.left_out) + 1);
  column.source->read(index, room.cells());
}

uint64_t SideBySide::resident_bytes() const {
  uint64_t bytes = 0;
  for (const Column& column : columns_) bytes += column.source->resident_bytes();
  return bytes;
}

std::string SideBySide::fingerprint() const {
  Sha256 digest;
  for (const KeySpec& key : keys_) digest.add(key.key + "\n");
  for (const Column& column : columns_) digest.add(column.source->fingerprint() + "\n");
  return "sha256:" + digest.finish_hex();
}

}  // namespace hearth
