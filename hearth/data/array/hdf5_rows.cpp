// Rows of an HDF5 dataset. A row's part in a chunk is copied run by run of the last dimension.
#include "hearth/data/array/hdf5_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "hearth/data/array/array_source.h"

namespace hearth {

namespace {

constexpr size_t kMostDimensionsOfHdf5 = 32;
using GridPlace = std::array<int64_t, kMostDimensionsOfHdf5>;

void fill_numbers(const Hdf5Dataset& dataset, std::span<std::byte> into) {
  if (dataset.fill.empty()) {
    std::fill(into.begin(), into.end(), std::byte{0});
    return;
  }
  for (size_t i = 0; i < into.size(); ++i) into[i] = dataset.fill[i % dataset.fill.size()];
}

// Counts a place up within lengths, the last dimension fastest; false when all were visited.
bool step(GridPlace& place, const GridPlace& lengths, size_t first, size_t end) {
  for (size_t d = end; d-- > first;) {
    if (++place[d] < lengths[d]) return true;
    place[d] = 0;
  }
  return false;
}

class ChunkedRows {
 public:
  ChunkedRows(Hdf5Dataset dataset, std::shared_ptr<const OpenedFile> file,
              std::shared_ptr<ChunkCache> cache, std::string what)
      : dataset_(std::move(dataset)),
        file_(std::move(file)),
        cache_(std::move(cache)),
        what_(std::move(what)),
        number_(size_of(dataset_.type)) {
    for (size_t d = 0; d < dimensions(); ++d)
      grid_[d] = (dataset_.shape[d] + dataset_.chunk_shape[d] - 1) / dataset_.chunk_shape[d];
    for (size_t d = 1; d < dimensions(); ++d)
      row_bytes_ *= static_cast<uint64_t>(dataset_.shape[d]);
    row_bytes_ *= number_;
  }

  void read(uint64_t offset, std::span<std::byte> into) const {
    for (uint64_t at = 0; at < into.size(); at += row_bytes_)
      read_row(static_cast<int64_t>((offset + at) / row_bytes_), into.subspan(at, row_bytes_));
  }

 private:
  [[nodiscard]] size_t dimensions() const { return dataset_.shape.size(); }

  void read_row(int64_t row, std::span<std::byte> into) const {
    GridPlace chunk{};
    chunk[0] = row / dataset_.chunk_shape[0];
    do {
      uint64_t number = 0;
      for (size_t d = 0; d < dimensions(); ++d)
        number = number * static_cast<uint64_t>(grid_[d]) + static_cast<uint64_t>(chunk[d]);
      const ChunkCache::Bytes bytes = unpacked(number);
      copy_part(row, chunk, bytes.get(), into);
    } while (step(chunk, grid_, 1, dimensions()));
  }

  // None for a chunk that was never written.
  [[nodiscard]] ChunkCache::Bytes unpacked(uint64_t number) const {
    const auto found = std::lower_bound(
        dataset_.chunks.begin(), dataset_.chunks.end(), number,
        [](const Hdf5Chunk& chunk, uint64_t wanted) { return chunk.number < wanted; });
    if (found == dataset_.chunks.end() || found->number != number) return nullptr;
    return cache_->get({this, number}, [&] {
      std::string packed(static_cast<size_t>(found->bytes), '\0');
      read_at(file_->file, found->begin, std::as_writable_bytes(std::span(packed)), file_->path);
      return unpack_hdf5_chunk(dataset_, *found, std::move(packed), what_);
    });
  }

  void copy_part(int64_t row, const GridPlace& chunk, const std::vector<std::byte>* from,
                 std::span<std::byte> into) const {
    const size_t last = dimensions() - 1;
    GridPlace lengths{};  // of what lies in both the row and the chunk
    for (size_t d = 1; d < dimensions(); ++d)
      lengths[d] =
          std::min(dataset_.chunk_shape[d], dataset_.shape[d] - chunk[d] * dataset_.chunk_shape[d]);
    const uint64_t run = number_ * static_cast<uint64_t>(last == 0 ? 1 : lengths[last]);
    GridPlace place{};
    do {
      auto source = static_cast<uint64_t>(row % dataset_.chunk_shape[0]);
      uint64_t target = 0;
      for (size_t d = 1; d < dimensions(); ++d) {
        source = source * static_cast<uint64_t>(dataset_.chunk_shape[d]) +
                 static_cast<uint64_t>(place[d]);
        target = target * static_cast<uint64_t>(dataset_.shape[d]) +
                 static_cast<uint64_t>(chunk[d] * dataset_.chunk_shape[d] + place[d]);
      }
      const std::span<std::byte> to = into.subspan(target * number_, run);
      if (from == nullptr)
        fill_numbers(dataset_, to);
      else
        std::memcpy(to.data(), from->data() + source * number_, run);
    } while (step(place, lengths, 1, std::max<size_t>(last, 1)));
  }

  Hdf5Dataset dataset_;
  std::shared_ptr<const OpenedFile> file_;
  std::shared_ptr<ChunkCache> cache_;
  std::string what_;
  GridPlace grid_{};  // chunks along each dimension
  uint64_t number_ = 0;
  uint64_t row_bytes_ = 1;
};

}  // namespace

ArrayRows::ReadAt hdf5_rows(Hdf5Dataset dataset, std::shared_ptr<const OpenedFile> file,
                            std::shared_ptr<ChunkCache> cache, std::string what) {
  if (dataset.data_begin) return read_from(std::move(file), *dataset.data_begin);
  if (dataset.chunk_shape.empty())
    return [dataset = std::move(dataset)](uint64_t offset, std::span<std::byte> into) {
      if (dataset.compact.empty())
        fill_numbers(dataset, into);
      else
        std::memcpy(into.data(), dataset.compact.data() + offset, into.size());
    };
  const auto rows = std::make_shared<const ChunkedRows>(std::move(dataset), std::move(file),
                                                        std::move(cache), std::move(what));
  return [rows](uint64_t offset, std::span<std::byte> into) { rows->read(offset, into); };
}

}  // namespace hearth
