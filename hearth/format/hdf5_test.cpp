#include "hearth/format/hdf5.h"

#include <gtest/gtest.h>

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

const std::string kAgain =
    " Write it again with h5py's defaults: h5py.File(name, 'w') and create_dataset.";

std::string stored_hdf5(const std::string& name) {
  return read_file(std::string(HEARTH_SOURCE_DIR) + "/tests/corpus/hdf5/" + name + ".h5");
}

Hdf5File hdf5_of(const std::string& bytes) {
  const auto read = [bytes](uint64_t offset, std::span<std::byte> into) {
    if (offset > bytes.size() || into.size() > bytes.size() - offset)
      throw DataError("x.h5: read beyond the end");
    std::memcpy(into.data(), bytes.data() + offset, into.size());
  };
  return {read, bytes.size(), "x.h5"};
}

// Reads all that a file holds; nothing that it throws names another file.
void read_all(const std::string& bytes) {
  try {
    const Hdf5File file = hdf5_of(bytes);
    for (const auto& [path, place] : file.datasets()) {
      const Hdf5Dataset dataset = file.dataset(path);
      for (const Hdf5Chunk& chunk : dataset.chunks)
        (void)unpack_hdf5_chunk(dataset, chunk, bytes.substr(chunk.begin, chunk.bytes), "x.h5");
    }
  } catch (const DataError& error) {
    EXPECT_EQ(std::string(error.what()).find("x.h5"), 0U) << error.what();
  }
}

TEST(Hdf5, FindsDatasetsInGroups) {
  const Hdf5File file = hdf5_of(stored_hdf5("rows"));
  ASSERT_EQ(file.datasets().size(), 3U);
  const Hdf5Dataset image = file.dataset("train/image");
  EXPECT_EQ(image.shape, (std::vector<int64_t>{6, 5, 7, 3}));
  EXPECT_EQ(image.chunk_shape, (std::vector<int64_t>{4, 3, 7, 2}));
  EXPECT_EQ(image.chunks.size(), 8U);
  EXPECT_EQ(image.filters.size(), 2U);
}

TEST(Hdf5, SaysWhatCannotBeRead) {
  const Hdf5File file = hdf5_of(stored_hdf5("unreadable"));
  const auto fault = [&](const std::string& path) {
    return message_of<DataError>([&] { (void)file.dataset(path); });
  };
  EXPECT_EQ(fault("text"),
            "x.h5: dataset 'text': holds texts, but only arrays of numbers can be read.");
  EXPECT_EQ(fault("records"),
            "x.h5: dataset 'records': holds records, but only arrays of numbers can be read.");
  EXPECT_EQ(fault("scaled"),
            "x.h5: dataset 'scaled': was packed by the filter 6 'scaleoffset', but only gzip, lzf, "
            "shuffle and fletcher32 can be read. Write it again with compression='gzip'.");
  EXPECT_EQ(
      fault("unsigned"),
      "x.h5: dataset 'unsigned': holds unsigned whole numbers of 8 bytes, which Hearth does not "
      "compute with.");
  EXPECT_EQ(message_of<DataError>(
                [] { (void)hdf5_of(stored_hdf5("growing_latest")).dataset("growing"); }),
            "x.h5: dataset 'growing': was written with libver='latest' and a length that may grow "
            "(maxshape)." +
                kAgain);
  EXPECT_EQ(
      message_of<DataError>([] { (void)hdf5_of(stored_hdf5("many_latest")); }),
      "x.h5: was written with libver='latest', and the group '/' has so many members that they "
      "lie in a heap." +
          kAgain);
  EXPECT_EQ(message_of<DataError>([] { (void)hdf5_of("no HDF5"); }), "x.h5: is no HDF5 file.");
}

TEST(Hdf5, StaysWithinCutFiles) {
  for (const char* name : {"rows", "latest", "filters"}) {
    const std::string file = stored_hdf5(name);
    for (size_t length = 0; length < file.size(); length += 1 + length / 64)
      read_all(file.substr(0, length));
  }
}

TEST(Hdf5, StaysWithinDamagedFiles) {
  for (const char* name : {"rows", "latest"}) {
    const std::string file = stored_hdf5(name);
    for (size_t at = 0; at < file.size(); at += 3) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? 0xFF : 0x10));
      read_all(damaged);
    }
  }
}

TEST(Hdf5, NoticesDamagedChunks) {
  const std::string file = stored_hdf5("filters");
  const Hdf5Dataset dataset = hdf5_of(file).dataset("checked");
  std::string packed = file.substr(dataset.chunks[0].begin, dataset.chunks[0].bytes);
  packed.back() = static_cast<char>(packed.back() ^ 1);
  EXPECT_EQ(
      message_of<DataError>(
          [&] { (void)unpack_hdf5_chunk(dataset, dataset.chunks[0], packed, "x.h5"); }),
      "x.h5: a chunk of the array is damaged: its checksum does not fit. Get the file again.");
}

}  // namespace
}  // namespace hearth
