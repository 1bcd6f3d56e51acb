// Parts of an HDF5 file: little-endian numbers one after another, within bounds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/format/read_bytes.h"

namespace hearth {

// What stands for "nowhere".
inline constexpr uint64_t kHdf5Nowhere = ~uint64_t{0};

// How to get a file that can be read.
inline constexpr const char* kHdf5Again =
    " Write it again with h5py's defaults: h5py.File(name, 'w') and create_dataset.";

// A block of the file.
class Hdf5Bytes {
 public:
  Hdf5Bytes(std::string bytes, const std::string& what) : bytes_(std::move(bytes)), what_(what) {}

  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(what_ + ": " + reason);
  }
  [[nodiscard]] size_t rest() const { return bytes_.size() - at_; }
  [[nodiscard]] std::string_view take(uint64_t count) {
    if (count > rest()) fail("the HDF5 file is damaged: a part of it ends too early.");
    at_ += static_cast<size_t>(count);
    return std::string_view(bytes_).substr(at_ - static_cast<size_t>(count),
                                           static_cast<size_t>(count));
  }
  void skip(uint64_t count) { (void)take(count); }
  [[nodiscard]] uint64_t number(uint64_t count) {  // of so many bytes, at most 8
    if (count > 8)
      fail("the HDF5 file is damaged: a number of " + std::to_string(count) + " bytes.");
    uint64_t value = 0;
    const std::string_view taken = take(count);
    for (size_t i = 0; i < taken.size(); ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(taken[i])) << 8 * i;
    return value;
  }
  void expect(std::string_view signature) {
    if (take(signature.size()) != signature)
      fail("the HDF5 file is damaged: '" + std::string(signature) + "' was expected.");
  }
  [[nodiscard]] const std::string& what() const { return what_; }

 private:
  std::string bytes_;
  const std::string& what_;
  size_t at_ = 0;
};

// The file that blocks come from. Addresses count from its superblock on.
struct Hdf5Input {
  const ReadBytes& read;
  uint64_t file_bytes = 0;
  const std::string& what;
  uint64_t base = 0;

  [[nodiscard]] Hdf5Bytes block(uint64_t address, uint64_t count) const {
    constexpr uint64_t kBlockLimitBytes = 64ULL << 20;
    if (address > file_bytes - base || count > file_bytes - base - address)
      throw DataError(what +
                      ": the HDF5 file is damaged or cut off: a part of it lies beyond its " +
                      std::to_string(file_bytes) + " bytes.");
    if (count > kBlockLimitBytes)
      throw DataError(what + ": the HDF5 file is damaged: a header of " + std::to_string(count) +
                      " bytes.");
    std::string bytes(static_cast<size_t>(count), '\0');
    read(base + address, std::as_writable_bytes(std::span(bytes)));
    return {std::move(bytes), what};
  }
};

}  // namespace hearth
