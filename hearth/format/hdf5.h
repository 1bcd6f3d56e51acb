// HDF5 files, as far as arrays of numbers come in them: what h5py, Keras, MATLAB 7.3 and PyTables
// write by default. Everything else is an error that names what the file was written with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hearth/format/array_type.h"
#include "hearth/format/read_bytes.h"

namespace hearth {

struct Hdf5Filter {
  enum class Kind : uint16_t { kDeflate = 1, kShuffle = 2, kChecksum = 3, kLzf = 32'000 };
  Kind kind = Kind::kDeflate;
};

// A part of an array as it lies in the file, perhaps packed.
struct Hdf5Chunk {
  uint64_t number = 0;  // in C's order of the chunks
  uint64_t begin = 0;   // in the file
  uint64_t bytes = 0;
  uint32_t left_out = 0;  // a bit for each filter that was not applied
};

struct Hdf5Dataset {
  ArrayType type = ArrayType::kFloat32;
  bool is_swapped = false;  // the bytes of each number come in the other order than here
  std::vector<int64_t> shape = {};
  std::vector<std::byte> fill = {};  // a number where nothing was written; empty for zeros
  // Either all lies in one piece, in the file or here,
  std::optional<uint64_t> data_begin = {};
  std::vector<std::byte> compact = {};
  // or in chunks, all of one shape, sorted by their numbers; those that are missing hold `fill`.
  std::vector<int64_t> chunk_shape = {};
  std::vector<Hdf5Filter> filters = {};
  std::vector<Hdf5Chunk> chunks = {};
  [[nodiscard]] uint64_t chunk_bytes() const;  // unpacked
};

class Hdf5File {
 public:
  // Finds all datasets, without looking into them. DataError names `what`.
  Hdf5File(ReadBytes read, uint64_t file_bytes, std::string what);

  // By their paths, "train/images".
  [[nodiscard]] const std::map<std::string, uint64_t>& datasets() const { return datasets_; }
  // DataError for what is no array of numbers, or was written in a way that cannot be read here.
  [[nodiscard]] Hdf5Dataset dataset(const std::string& path) const;

 private:
  ReadBytes read_;
  uint64_t bytes_ = 0;
  uint64_t base_ = 0;  // where the file begins behind a block of the user's own
  std::string what_;
  std::map<std::string, uint64_t> datasets_;  // where their headers lie
};

// A chunk's bytes unpacked; DataError names `what` when they are damaged.
[[nodiscard]] std::vector<std::byte> unpack_hdf5_chunk(const Hdf5Dataset& dataset,
                                                       const Hdf5Chunk& chunk, std::string packed,
                                                       const std::string& what);

}  // namespace hearth
