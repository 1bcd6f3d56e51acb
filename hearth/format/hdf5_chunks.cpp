// Lists of chunks: the tree that every version writes by default, and of the newer ones a single
// chunk, chunks one after another, and a list of a fixed length.
#include "hearth/format/hdf5_chunks.h"

#include <algorithm>
#include <limits>

namespace hearth {

namespace {

constexpr uint64_t kChunkLimitBytes = 1ULL << 30;

class ChunkReader {
 public:
  ChunkReader(const Hdf5Input& input, Hdf5Dataset& dataset) : input_(input), dataset_(dataset) {}

  void read(uint64_t version, Hdf5Bytes& layout) {
    const uint64_t flags = version == 4 ? layout.number(1) : 0;
    const uint64_t dimensions = layout.number(1);
    if (dimensions != dataset_.shape.size() + 1)
      layout.fail("the HDF5 file is damaged: chunks have other dimensions than their array.");
    if (version == 3) {
      const uint64_t tree = layout.number(8);
      read_shape(layout, 4);
      if (tree != kHdf5Nowhere) read_tree(tree);
    } else {
      read_shape(layout, layout.number(1));
      read_index(flags, layout);
    }
    auto& chunks = dataset_.chunks;
    std::sort(chunks.begin(), chunks.end(),
              [](const Hdf5Chunk& a, const Hdf5Chunk& b) { return a.number < b.number; });
    for (size_t i = 1; i < chunks.size(); ++i)
      if (chunks[i].number == chunks[i - 1].number)
        layout.fail("the HDF5 file is damaged: a chunk lies in two places.");
  }

 private:
  // The last length is the number's; that of the type holds.
  void read_shape(Hdf5Bytes& layout, uint64_t width) {
    uint64_t bytes = size_of(dataset_.type);
    grid_count_ = 1;
    for (const int64_t length : dataset_.shape) {
      const uint64_t chunk = layout.number(width);
      if (chunk < 1 || chunk > kChunkLimitBytes / bytes)
        layout.fail("has chunks larger than " + std::to_string(kChunkLimitBytes >> 20) +
                    " MB, or empty ones." + kHdf5Again);
      bytes *= chunk;
      dataset_.chunk_shape.push_back(static_cast<int64_t>(chunk));
      const uint64_t count = (static_cast<uint64_t>(length) + chunk - 1) / chunk;
      grid_.push_back(count);
      if (count > std::numeric_limits<int64_t>::max() / std::max<uint64_t>(grid_count_, 1))
        layout.fail("the HDF5 file is damaged: it claims more chunks than there can be.");
      grid_count_ *= count;
    }
    layout.skip(width);
  }

  void add(Hdf5Chunk chunk, const Hdf5Bytes& from) {
    if (chunk.begin > input_.file_bytes - input_.base ||
        chunk.bytes > input_.file_bytes - input_.base - chunk.begin)
      from.fail("the HDF5 file is cut off: a chunk lies beyond its " +
                std::to_string(input_.file_bytes) + " bytes.");
    if (dataset_.filters.empty() && chunk.bytes != dataset_.chunk_bytes())
      from.fail("the HDF5 file is damaged: a chunk has " + std::to_string(chunk.bytes) +
                " bytes in the place of " + std::to_string(dataset_.chunk_bytes()) + ".");
    chunk.begin += input_.base;
    dataset_.chunks.push_back(chunk);
  }

  void read_tree(uint64_t address, int depth = 0) {
    constexpr int kMostDepth = 32;
    constexpr uint64_t kHeadBytes = 24;
    Hdf5Bytes head = input_.block(address, kHeadBytes);
    if (depth > kMostDepth || ++nodes_ > 1 + input_.file_bytes / kHeadBytes)
      head.fail("the HDF5 file is damaged: a tree of chunks is a circle.");
    head.expect("TREE");
    if (head.number(1) != 1) head.fail("the HDF5 file is damaged: a tree of chunks holds names.");
    const uint64_t level = head.number(1);
    const uint64_t count = head.number(2);
    const uint64_t key_bytes = 8 + 8 * (dataset_.shape.size() + 1);
    Hdf5Bytes entries = input_.block(address + kHeadBytes, count * (key_bytes + 8));
    for (uint64_t i = 0; i < count; ++i) {
      Hdf5Chunk chunk{.bytes = entries.number(4)};
      chunk.left_out = static_cast<uint32_t>(entries.number(4));
      chunk.number = number_of(entries);
      chunk.begin = entries.number(8);
      if (level > 0)
        read_tree(chunk.begin, depth + 1);
      else
        add(chunk, entries);
    }
  }

  // Of the chunk that begins at an element.
  uint64_t number_of(Hdf5Bytes& entries) const {
    uint64_t number = 0;
    for (size_t d = 0; d < grid_.size(); ++d) {
      const uint64_t place = entries.number(8) / static_cast<uint64_t>(dataset_.chunk_shape[d]);
      if (place >= grid_[d]) entries.fail("the HDF5 file is damaged: a chunk of no array.");
      number = number * grid_[d] + place;
    }
    entries.skip(8);
    return number;
  }

  void read_index(uint64_t flags, Hdf5Bytes& layout) {
    constexpr uint64_t kSingle = 1;
    constexpr uint64_t kInRow = 2;
    constexpr uint64_t kFixedList = 3;
    const uint64_t index = layout.number(1);
    if (index == kSingle) return read_single(flags, layout);
    if (index == kInRow) return read_in_row(layout);
    if (index == kFixedList) return read_fixed_list(layout);
    layout.fail("was written with libver='latest' and a length that may grow (maxshape)." +
                std::string(kHdf5Again));
  }

  void read_single(uint64_t flags, Hdf5Bytes& layout) {
    Hdf5Chunk chunk{.bytes = dataset_.chunk_bytes()};
    if ((flags & 2) != 0) {
      chunk.bytes = layout.number(8);
      chunk.left_out = static_cast<uint32_t>(layout.number(4));
    }
    chunk.begin = layout.number(8);
    if (chunk.begin != kHdf5Nowhere) add(chunk, layout);
  }

  void read_in_row(Hdf5Bytes& layout) {
    const uint64_t begin = layout.number(8);
    if (begin == kHdf5Nowhere) return;
    if (grid_count_ > input_.file_bytes / dataset_.chunk_bytes())
      layout.fail("the HDF5 file is cut off: it has no room for its chunks.");
    for (uint64_t i = 0; i < grid_count_; ++i)
      add({.number = i,
           .begin = begin + i * dataset_.chunk_bytes(),
           .bytes = dataset_.chunk_bytes()},
          layout);
  }

  void read_fixed_list(Hdf5Bytes& layout) {
    const uint64_t page_bits = layout.number(1);
    const uint64_t address = layout.number(8);
    if (address == kHdf5Nowhere) return;
    Hdf5Bytes head = input_.block(address, 24);
    head.expect("FAHD");
    head.skip(1);
    const bool is_packed = head.number(1) == 1;
    const uint64_t entry_bytes = head.number(1);
    head.skip(1);
    const uint64_t count = head.number(8);
    const uint64_t block = head.number(8);
    if (block == kHdf5Nowhere) return;
    if (page_bits < 63 && count > uint64_t{1} << page_bits)
      head.fail("was written with libver='latest' and so many chunks that their list has pages." +
                std::string(kHdf5Again));
    if (count > grid_count_ || entry_bytes < (is_packed ? 13U : 8U) || entry_bytes > 20)
      head.fail("the HDF5 file is damaged: a list of chunks does not fit its array.");
    Hdf5Bytes list = input_.block(block, 14 + count * entry_bytes);
    list.expect("FADB");
    list.skip(10);
    for (uint64_t i = 0; i < count; ++i) {
      Hdf5Chunk chunk{.number = i, .begin = list.number(8), .bytes = dataset_.chunk_bytes()};
      if (is_packed) {
        chunk.bytes = list.number(entry_bytes - 12);
        chunk.left_out = static_cast<uint32_t>(list.number(4));
      }
      if (chunk.begin != kHdf5Nowhere) add(chunk, list);
    }
  }

  const Hdf5Input& input_;
  Hdf5Dataset& dataset_;
  std::vector<uint64_t> grid_;  // chunks along each dimension
  uint64_t grid_count_ = 1;
  uint64_t nodes_ = 0;
};

}  // namespace

void read_hdf5_chunks(const Hdf5Input& input, uint64_t version, Hdf5Bytes& layout,
                      Hdf5Dataset& dataset) {
  ChunkReader(input, dataset).read(version, layout);
}

}  // namespace hearth
