// TFRecord: u64 length, u32 CRC of it, the bytes, u32 CRC of them; the lowest bytes come first.
#include "hearth/format/tfrecord.h"

#include <array>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/crc32c.h"

namespace hearth {

namespace {

[[noreturn]] void throw_tfrecord_error(const std::string& what, uint64_t offset,
                                       const std::string& reason) {
  throw DataError(what + ": byte " + std::to_string(offset) + ": " + reason);
}

}  // namespace

std::vector<TfRecordPlace> tfrecord_places(const ReadBytes& read, uint64_t file_bytes,
                                           const std::string& what) {
  std::vector<TfRecordPlace> places;
  constexpr uint64_t kCrcBytes = 4;
  for (uint64_t at = 0; at < file_bytes;) {
    if (file_bytes - at < kTfRecordHeaderBytes + kCrcBytes)
      throw_tfrecord_error(what, at, "the file ends within a record; it is truncated.");
    std::array<std::byte, kTfRecordHeaderBytes> header{};
    read(at, header);
    uint64_t length = 0;
    uint32_t crc = 0;
    std::memcpy(&length, header.data(), sizeof(length));
    std::memcpy(&crc, header.data() + sizeof(length), sizeof(crc));
    if (crc != masked_crc32c(std::span(header).first(sizeof(length))))
      throw_tfrecord_error(what, at,
                           "the checksum of a record's length does not fit: the file is damaged, "
                           "or no TFRecord file.");
    if (length > kTfRecordLimitBytes)
      throw_tfrecord_error(what, at,
                           "a record of " + human_bytes(length) + " is beyond the limit of " +
                               human_bytes(kTfRecordLimitBytes) + ".");
    if (length > file_bytes - at - kTfRecordHeaderBytes - kCrcBytes)
      throw_tfrecord_error(what, at,
                           "a record of " + std::to_string(length) +
                               " bytes ends beyond the file; it is truncated.");
    places.push_back({at + kTfRecordHeaderBytes, length});
    at += kTfRecordHeaderBytes + length + kCrcBytes;
  }
  return places;
}

void read_tfrecord(const ReadBytes& read, const TfRecordPlace& place, std::string& into,
                   const std::string& what) {
  uint32_t crc = 0;
  const auto bytes = static_cast<size_t>(place.bytes);
  into.resize(bytes + sizeof(crc));
  read(place.offset, std::as_writable_bytes(std::span(into)));
  std::memcpy(&crc, into.data() + bytes, sizeof(crc));
  into.resize(bytes);
  if (crc != masked_crc32c(std::as_bytes(std::span(into))))
    throw_tfrecord_error(what, place.offset,
                         "the checksum of a record does not fit: the file is damaged.");
}

std::string tfrecord_of(std::string_view bytes) {
  const uint64_t length = bytes.size();
  const uint32_t length_crc = masked_crc32c(std::as_bytes(std::span(&length, 1)));
  const uint32_t crc = masked_crc32c(std::as_bytes(std::span(bytes)));
  std::string record(kTfRecordHeaderBytes + bytes.size() + sizeof(crc), '\0');
  std::memcpy(record.data(), &length, sizeof(length));
  std::memcpy(record.data() + sizeof(length), &length_crc, sizeof(length_crc));
  std::memcpy(record.data() + kTfRecordHeaderBytes, bytes.data(), bytes.size());
  std::memcpy(record.data() + kTfRecordHeaderBytes + bytes.size(), &crc, sizeof(crc));
  return record;
}

}  // namespace hearth
