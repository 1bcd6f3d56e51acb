// IDX: magic 00 00 type rank, big-endian 32-bit dimensions, big-endian numbers.
#include "hearth/format/idx.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/format/gzip.h"

namespace hearth {

namespace {

constexpr int kIdxRankLimit = 8;
constexpr size_t kIdxHeaderLimit = 4 + 4 * kIdxRankLimit;
// A gzip header may hold a name and up to 64 KiB of extras before the first packed byte.
constexpr size_t kIdxStartBytes = 80 << 10;

[[noreturn]] void throw_idx_error(const std::string& what, const std::string& reason) {
  throw DataError(what + ": " + reason);
}

uint32_t idx_word(std::string_view bytes, size_t offset) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value = (value << 8) | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

void append_idx_word(std::string& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xff);
}

bool is_idx_type(uint32_t code) {
  return code == 0x08 || code == 0x09 || (code >= 0x0b && code <= 0x0e);
}

// `bytes` is the beginning of the file, and at least the whole header unless the file is shorter.
IdxHeader parse_idx_header(std::string_view bytes, const std::string& what) {
  if (bytes.empty()) throw_idx_error(what, "is empty, but an IDX file was expected.");
  if (bytes.size() < 4) throw_idx_error(what, "not an IDX file: it has fewer than 4 bytes.");
  const uint32_t magic = idx_word(bytes, 0);
  const uint32_t rank = magic & 0xff;
  if (magic >> 16 != 0 || !is_idx_type(magic >> 8))
    throw_idx_error(what,
                    "not an IDX file: it does not start with 00 00 and a type from 08 to 0e.");
  if (rank < 1 || rank > kIdxRankLimit)
    throw_idx_error(what, "has " + std::to_string(rank) + " dimensions, expected 1 to 8.");
  IdxHeader header{static_cast<IdxType>(magic >> 8), {}};
  if (bytes.size() < 4 + 4 * size_t{rank})
    throw_idx_error(what, "ends inside the header; it is truncated, get it again.");
  for (uint32_t i = 0; i < rank; ++i)
    header.dimensions.push_back(idx_word(bytes, 4 + 4 * size_t{i}));
  return header;
}

std::optional<uint64_t> idx_data_bytes(const IdxHeader& header) {
  uint64_t bytes = size_of(header.type);
  for (const int64_t dimension : header.dimensions)
    if (dimension < 0 || __builtin_mul_overflow(bytes, static_cast<uint64_t>(dimension), &bytes) ||
        bytes > (1ULL << 60))
      return std::nullopt;
  return bytes;
}

uint64_t checked_idx_bytes(const IdxHeader& header, const std::string& what) {
  const auto bytes = idx_data_bytes(header);
  if (!bytes) throw_idx_error(what, "the product of its dimensions is larger than any file.");
  return *bytes;
}

void check_idx_length(const IdxHeader& header, uint64_t file_bytes, const std::string& what) {
  const uint64_t expected = header.header_bytes() + checked_idx_bytes(header, what);
  if (file_bytes == expected) return;
  throw_idx_error(what, "its header asks for " + std::to_string(expected) + " bytes, it has " +
                            std::to_string(file_bytes) +
                            (file_bytes < expected ? "; it is truncated, get it again."
                                                   : "; it is damaged, get it again."));
}

// The format is big-endian; swapping is its own inverse.
void swap_idx_order(std::vector<std::byte>& data, uint64_t size) {
  if constexpr (std::endian::native == std::endian::big) return;
  for (size_t begin = 0; size > 1 && begin + size <= data.size(); begin += size)
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(begin),
                 data.begin() + static_cast<std::ptrdiff_t>(begin + size));
}

}  // namespace

uint64_t size_of(IdxType type) {
  switch (type) {
    case IdxType::kUint8:
    case IdxType::kInt8:
      return 1;
    case IdxType::kInt16:
      return 2;
    case IdxType::kInt32:
    case IdxType::kFloat32:
      return 4;
    case IdxType::kFloat64:
      return 8;
  }
  throw InternalError("IDX: no such type.");
}

uint64_t IdxHeader::data_bytes() const { return checked_idx_bytes(*this, "IDX"); }

IdxFile parse_idx(std::string_view bytes, const std::string& what) {
  IdxFile file{parse_idx_header(bytes, what), {}};
  check_idx_length(file.header, bytes.size(), what);
  const auto data = std::as_bytes(std::span(bytes.substr(file.header.header_bytes())));
  file.data.assign(data.begin(), data.end());
  swap_idx_order(file.data, size_of(file.header.type));
  return file;
}

IdxFile load_idx(const std::filesystem::path& path, uint64_t limit_bytes) {
  return load_idx(open_to_read(path), path, limit_bytes);
}

IdxFile load_idx(const FileHandle& file, const std::filesystem::path& path, uint64_t limit_bytes) {
  return parse_idx(read_maybe_gzip(file, path, limit_bytes), path.string());
}

IdxHeader read_idx_header(const std::filesystem::path& path) {
  return read_idx_header(open_to_read(path), path);
}

IdxHeader read_idx_header(const FileHandle& file, const std::filesystem::path& path) {
  const uint64_t file_bytes = file_size(file, path);
  std::string start(static_cast<size_t>(std::min<uint64_t>(file_bytes, kIdxStartBytes)), '\0');
  read_at(file, 0, std::as_writable_bytes(std::span(start)), path);
  const bool is_packed = is_gzip(start);
  if (is_packed) start = gunzip_start(start, path.string(), kIdxHeaderLimit);
  const IdxHeader header = parse_idx_header(start, path.string());
  if (is_packed)
    (void)checked_idx_bytes(header, path.string());
  else
    check_idx_length(header, file_bytes, path.string());
  return header;
}

std::string encode_idx(const IdxFile& file) {
  const auto& dimensions = file.header.dimensions;
  if (dimensions.empty() || dimensions.size() > kIdxRankLimit ||
      std::ranges::any_of(dimensions, [](int64_t size) { return size < 0 || size > UINT32_MAX; }) ||
      file.data.size() != file.header.data_bytes())
    throw InternalError("IDX: dimensions and data do not fit together.");
  std::string out;
  append_idx_word(
      out, static_cast<uint32_t>(file.header.type) << 8 | static_cast<uint32_t>(dimensions.size()));
  for (const int64_t dimension : dimensions) append_idx_word(out, static_cast<uint32_t>(dimension));
  std::vector<std::byte> data = file.data;
  swap_idx_order(data, size_of(file.header.type));
  return out.append(reinterpret_cast<const char*>(data.data()), data.size());
}

void write_idx(const std::filesystem::path& path, const IdxFile& file) {
  const std::string bytes = encode_idx(file);
  write_file_durably(path, path.extension() == ".gz" ? gzip(bytes) : bytes);
}

}  // namespace hearth
