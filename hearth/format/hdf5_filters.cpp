// Unpacks chunks of HDF5 datasets: the filters that were applied, last ones first.
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/format/hdf5.h"
#include "hearth/format/inflate.h"

namespace hearth {

namespace {

using Kind = Hdf5Filter::Kind;

[[noreturn]] void throw_chunk_error(const std::string& what, const std::string& reason) {
  throw DataError(what + ": a chunk of the array " + reason + " Get the file again.");
}

// All first bytes of the numbers, then all second ones, become numbers again.
std::string unshuffled(const std::string& bytes, uint64_t number_bytes) {
  std::string numbers(bytes.size(), '\0');
  const size_t count = bytes.size() / number_bytes;
  for (size_t b = 0; b < number_bytes; ++b)
    for (size_t i = 0; i < count; ++i) numbers[i * number_bytes + b] = bytes[b * count + i];
  const size_t whole = count * number_bytes;  // what is left over stays where it is
  std::memcpy(numbers.data() + whole, bytes.data() + whole, bytes.size() - whole);
  return numbers;
}

// LZF: a byte below 32 says how many follow as they are; others copy what was written before.
std::string unpacked_lzf(const std::string& packed, size_t most, const std::string& what) {
  std::string bytes;
  bytes.reserve(most);
  const auto byte_at = [&](size_t at) -> size_t {
    if (at >= packed.size()) throw_chunk_error(what, "is damaged: its packed bytes end too early.");
    return static_cast<unsigned char>(packed[at]);
  };
  for (size_t at = 0; at < packed.size();) {
    const size_t control = byte_at(at++);
    if (control < 32) {
      (void)byte_at(at + control);
      bytes.append(packed, at, control + 1);
      at += control + 1;
    } else {
      size_t length = (control >> 5) + 2;
      if (length == 9) length += byte_at(at++);
      const size_t back = ((control & 31) << 8 | byte_at(at++)) + 1;
      if (back > bytes.size())
        throw_chunk_error(what, "is damaged: it refers to before its begin.");
      for (size_t i = 0; i < length; ++i) bytes += bytes[bytes.size() - back];
    }
    if (bytes.size() > most) throw_chunk_error(what, "unpacks to more bytes than it has.");
  }
  return bytes;
}

// Fletcher's sums of 16-bit numbers with their high byte first, as HDF5 has them.
uint32_t fletcher_checksum(std::string_view bytes) {
  uint64_t low = 0;
  uint64_t high = 0;
  const auto at = [&](size_t i) -> uint64_t { return static_cast<unsigned char>(bytes[i]); };
  for (size_t i = 0; i < bytes.size(); i += 2) {
    low += at(i) << 8 | (i + 1 < bytes.size() ? at(i + 1) : 0);
    low = (low & 0xFFFF) + (low >> 16);
    high += low;
    high = (high & 0xFFFF) + (high >> 16);
  }
  const auto folded = [](uint64_t sum) { return (sum & 0xFFFF) + (sum >> 16); };
  return static_cast<uint32_t>(folded(high) << 16 | folded(low));
}

std::string without_checksum(std::string bytes, const std::string& what) {
  if (bytes.size() < 4) throw_chunk_error(what, "has no checksum.");
  uint32_t stored = 0;
  std::memcpy(&stored, bytes.data() + bytes.size() - 4, 4);
  bytes.resize(bytes.size() - 4);
  if (fletcher_checksum(bytes) != stored)
    throw_chunk_error(what, "is damaged: its checksum does not fit.");
  return bytes;
}

std::string inflated(const std::string& packed, uint64_t bytes, const std::string& what) {
  if (bytes / kMostDeflateRatio > packed.size())
    throw_chunk_error(what, "cannot unpack to its size.");
  std::string unpacked(static_cast<size_t>(bytes), '\0');
  if (!inflate_exactly(packed, std::as_writable_bytes(std::span(unpacked)), true))
    throw_chunk_error(what, "does not unpack to its size.");
  return unpacked;
}

}  // namespace

uint64_t Hdf5Dataset::chunk_bytes() const {
  uint64_t bytes = size_of(type);
  for (const int64_t length : chunk_shape) bytes *= static_cast<uint64_t>(length);
  return bytes;
}

std::vector<std::byte> unpack_hdf5_chunk(const Hdf5Dataset& dataset, const Hdf5Chunk& chunk,
                                         std::string packed, const std::string& what) {
  const auto is_applied = [&](size_t i) { return i >= 32 || (chunk.left_out >> i & 1U) == 0; };
  // A checksum that was added before packing is four bytes more to unpack.
  uint64_t bytes = dataset.chunk_bytes();
  for (size_t i = 0; i < dataset.filters.size(); ++i)
    if (dataset.filters[i].kind == Kind::kChecksum && is_applied(i)) bytes += 4;
  for (size_t i = dataset.filters.size(); i-- > 0;) {
    if (!is_applied(i)) continue;
    switch (dataset.filters[i].kind) {
      case Kind::kChecksum:
        packed = without_checksum(std::move(packed), what);
        bytes -= 4;
        break;
      case Kind::kShuffle:
        packed = unshuffled(packed, size_of(dataset.type));
        break;
      case Kind::kLzf:
        packed = unpacked_lzf(packed, static_cast<size_t>(bytes), what);
        break;
      case Kind::kDeflate:
        packed = inflated(packed, bytes, what);
        break;
    }
  }
  if (packed.size() != dataset.chunk_bytes())
    throw_chunk_error(what, "has " + std::to_string(packed.size()) + " bytes in the place of " +
                                std::to_string(dataset.chunk_bytes()) + ".");
  std::vector<std::byte> unpacked(packed.size());
  std::memcpy(unpacked.data(), packed.data(), packed.size());
  return unpacked;
}

}  // namespace hearth
