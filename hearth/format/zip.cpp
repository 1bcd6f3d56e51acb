// ZIP archives, as far as data comes in them.
#include "hearth/format/zip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/text.h"
#include "hearth/format/inflate.h"

namespace hearth {

namespace {

constexpr uint64_t kEndBytes = 22;  // of the record at the end, without its comment
constexpr uint64_t kLongEndPlaceBytes = 20;
constexpr uint64_t kLongEndBytes = 56;
constexpr uint64_t kCommentLimitBytes = 65'535;
constexpr uint64_t kEntryBytes = 46;
constexpr uint64_t kLocalBytes = 30;
constexpr uint64_t kDirectoryLimitBytes = 256ULL << 20;
constexpr uint32_t kLong32 = 0xffffffff;  // "look at the extra field"

[[noreturn]] void throw_zip_error(const fs::path& path, const std::string& reason) {
  throw DataError(path.string() + ": " + reason);
}

// Numbers at places of a piece of the file, little endian.
class ZipBytes {
 public:
  ZipBytes(std::string bytes, const fs::path& path) : bytes_(std::move(bytes)), path_(path) {}
  [[nodiscard]] uint64_t number(uint64_t at, uint64_t count) const {
    uint64_t value = 0;
    for (uint64_t i = count; i-- > 0;)
      value = value << 8U | static_cast<uint8_t>(text(at, count)[i]);
    return value;
  }
  [[nodiscard]] std::string_view text(uint64_t at, uint64_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at)
      throw_zip_error(path_, "the archive's directory is damaged or cut off.");
    return std::string_view(bytes_).substr(at, count);
  }
  [[nodiscard]] uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] const std::string& all() const { return bytes_; }

 private:
  std::string bytes_;
  const fs::path& path_;
};

struct DirectoryPlace {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  uint64_t entries = 0;
};

class ZipReader {
 public:
  ZipReader(const FileHandle& file, const fs::path& path)
      : file_(file), path_(path), file_bytes_(file_size(file, path)) {}

  std::vector<ZipEntry> directory() {
    const DirectoryPlace place = find_directory();
    if (place.begin > file_bytes_ || place.bytes > file_bytes_ - place.begin)
      throw_zip_error(path_, "the archive's directory lies beyond its end.");
    if (place.bytes > kDirectoryLimitBytes || place.entries > place.bytes / kEntryBytes)
      throw_zip_error(path_, "the archive's directory has no plausible size.");
    const ZipBytes bytes = part(place.begin, place.bytes);
    std::vector<ZipEntry> entries;
    uint64_t at = 0;
    for (uint64_t i = 0; i < place.entries; ++i) entries.push_back(read_entry(bytes, at));
    for (ZipEntry& entry : entries) find_data(entry, place.begin);
    check_apart(entries);
    return entries;
  }

 private:
  [[nodiscard]] ZipBytes part(uint64_t begin, uint64_t bytes) const {
    std::string text(static_cast<size_t>(bytes), '\0');
    read_at(file_, begin, std::as_writable_bytes(std::span(text)), path_);
    return {std::move(text), path_};
  }

  // The record at the end, behind which only a comment may stand.
  [[nodiscard]] DirectoryPlace find_directory() const {
    if (file_bytes_ < kEndBytes) throw_zip_error(path_, "is no ZIP archive: it is too short.");
    const uint64_t length = std::min(file_bytes_, kEndBytes + kCommentLimitBytes);
    const uint64_t first = file_bytes_ - length;
    const ZipBytes end = part(first, length);
    for (uint64_t at = length - kEndBytes + 1; at-- > 0;) {
      if (end.text(at, 4) != "PK\x05\x06" || at + kEndBytes + end.number(at + 20, 2) != length)
        continue;
      if (end.number(at + 4, 2) != 0 && end.number(at + 4, 2) != 0xffff)
        throw_zip_error(path_, "is one part of a split archive; join the parts first.");
      const DirectoryPlace place{end.number(at + 16, 4), end.number(at + 12, 4),
                                 end.number(at + 10, 2)};
      const bool is_long =
          place.begin == kLong32 || place.bytes == kLong32 || place.entries == 0xffff;
      return is_long ? long_directory(first + at) : place;
    }
    throw_zip_error(path_, "is no ZIP archive, or is cut off: its directory is missing.");
  }

  [[nodiscard]] DirectoryPlace long_directory(uint64_t end) const {
    if (end < kLongEndPlaceBytes) throw_zip_error(path_, "the archive's directory is damaged.");
    const ZipBytes place = part(end - kLongEndPlaceBytes, kLongEndPlaceBytes);
    const uint64_t at = place.number(8, 8);
    if (place.text(0, 4) != "PK\x06\x07" || at > file_bytes_ || kLongEndBytes > file_bytes_ - at)
      throw_zip_error(path_, "the archive's directory is damaged.");
    const ZipBytes record = part(at, kLongEndBytes);
    if (record.text(0, 4) != "PK\x06\x06")
      throw_zip_error(path_, "the archive's directory is damaged.");
    return {record.number(48, 8), record.number(40, 8), record.number(32, 8)};
  }

  [[nodiscard]] ZipEntry read_entry(const ZipBytes& bytes, uint64_t& at) const {
    if (bytes.text(at, 4) != "PK\x01\x02")
      throw_zip_error(path_, "the archive's directory is damaged.");
    ZipEntry entry;
    const uint64_t name = bytes.number(at + 28, 2);
    const uint64_t extra = bytes.number(at + 30, 2);
    entry.name = bytes.text(at + kEntryBytes, name);
    if ((bytes.number(at + 8, 2) & 1U) != 0)
      throw_zip_error(path_, "entry " + quote(entry.name) + " is encrypted.");
    const uint64_t method = bytes.number(at + 10, 2);
    if (method != 0 && method != 8)
      throw_zip_error(path_, "entry " + quote(entry.name) + " is packed by method " +
                                 std::to_string(method) +
                                 "; known are 0, stored, and 8, deflated.");
    entry.is_stored = method == 0;
    entry.crc = static_cast<uint32_t>(bytes.number(at + 16, 4));
    entry.packed_bytes = bytes.number(at + 20, 4);
    entry.bytes = bytes.number(at + 24, 4);
    entry.data_begin = bytes.number(at + 42, 4);  // of its own header, until find_data
    read_long_numbers(bytes, at + kEntryBytes + name, extra, entry);
    if (entry.is_stored && entry.packed_bytes != entry.bytes)
      throw_zip_error(path_, "entry " + quote(entry.name) + " has two sizes.");
    at += kEntryBytes + name + extra + bytes.number(at + 32, 2);
    return entry;
  }

  // Those of 64 bits, where those of 32 say that they are not enough.
  void read_long_numbers(const ZipBytes& bytes, uint64_t at, uint64_t length,
                         ZipEntry& entry) const {
    const uint64_t end = at + length;
    while (at + 4 <= end) {
      const uint64_t kind = bytes.number(at, 2);
      const uint64_t size = bytes.number(at + 2, 2);
      at += 4;
      if (kind == 1) {
        uint64_t from = at;
        for (uint64_t* number : {&entry.bytes, &entry.packed_bytes, &entry.data_begin}) {
          if (*number != kLong32) continue;
          if (from + 8 > at + size) throw_zip_error(path_, "the archive's directory is damaged.");
          *number = bytes.number(from, 8);
          from += 8;
        }
        return;
      }
      at += size;
    }
  }

  void find_data(ZipEntry& entry, uint64_t directory) const {
    const uint64_t begin = entry.data_begin;
    if (begin > directory || kLocalBytes > directory - begin)
      throw_zip_error(path_, "entry " + quote(entry.name) + " lies outside of the archive.");
    const ZipBytes header = part(begin, kLocalBytes);
    const uint64_t method = header.number(8, 2);
    if (header.text(0, 4) != "PK\x03\x04" || (method == 0) != entry.is_stored)
      throw_zip_error(path_, "entry " + quote(entry.name) + " is not where the directory says.");
    entry.data_begin = begin + kLocalBytes + header.number(26, 2) + header.number(28, 2);
    if (entry.data_begin > directory || entry.packed_bytes > directory - entry.data_begin)
      throw_zip_error(path_, "entry " + quote(entry.name) + " lies outside of the archive.");
  }

  // Entries that share bytes are how a small archive unpacks to an enormous one.
  void check_apart(const std::vector<ZipEntry>& entries) const {
    std::vector<const ZipEntry*> sorted;
    for (const ZipEntry& entry : entries) sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(), [](const ZipEntry* left, const ZipEntry* right) {
      return left->data_begin < right->data_begin;
    });
    for (size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i]->data_begin - sorted[i - 1]->data_begin < sorted[i - 1]->packed_bytes)
        throw_zip_error(path_, "entries " + quote(sorted[i - 1]->name) + " and " +
                                   quote(sorted[i]->name) + " lie in the same bytes.");
  }

  const FileHandle& file_;
  const fs::path& path_;
  uint64_t file_bytes_;
};

void add_to_crc(uint32_t& crc, std::string_view bytes) {
  crc = static_cast<uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void check_crc(const fs::path& path, const ZipEntry& entry, uint32_t crc) {
  if (crc != entry.crc)
    throw_zip_error(path, "entry " + quote(entry.name) +
                              " is damaged: its checksum does not fit. Get the file again.");
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(const FileHandle& file, const fs::path& path) {
  return ZipReader(file, path).directory();
}

std::string read_zip_entry(const FileHandle& file, const fs::path& path, const ZipEntry& entry,
                           uint64_t limit_bytes) {
  if (entry.bytes > limit_bytes)
    throw_zip_error(path, "entry " + quote(entry.name) + " unpacks to " + human_bytes(entry.bytes) +
                              ", more than the limit of " + human_bytes(limit_bytes) + ".");
  if (entry.bytes / kMostDeflateRatio > entry.packed_bytes)
    throw_zip_error(path, "entry " + quote(entry.name) + " cannot unpack to the size it says.");
  std::string packed(static_cast<size_t>(entry.packed_bytes), '\0');
  read_at(file, entry.data_begin, std::as_writable_bytes(std::span(packed)), path);
  std::string bytes;
  if (entry.is_stored) {
    bytes = std::move(packed);
  } else {
    bytes.resize(static_cast<size_t>(entry.bytes));
    if (!inflate_exactly(packed, std::as_writable_bytes(std::span(bytes)), false))
      throw_zip_error(path, "entry " + quote(entry.name) +
                                " does not unpack to the size it says; get the file again.");
  }
  uint32_t crc = 0;
  add_to_crc(crc, bytes);
  check_crc(path, entry, crc);
  return bytes;
}

void check_stored_entry(const FileHandle& file, const fs::path& path, const ZipEntry& entry) {
  constexpr uint64_t kPieceBytes = 1 << 20;
  LongWork work("checking " + path.filename().string());
  std::string piece(static_cast<size_t>(std::min(kPieceBytes, entry.bytes)), '\0');
  uint32_t crc = 0;
  for (uint64_t at = 0; at < entry.bytes; at += piece.size()) {
    piece.resize(static_cast<size_t>(std::min(kPieceBytes, entry.bytes - at)));
    read_at(file, entry.data_begin + at, std::as_writable_bytes(std::span(piece)), path);
    add_to_crc(crc, piece);
    work.tell(at, entry.bytes);
  }
  check_crc(path, entry, crc);
}

}  // namespace hearth
