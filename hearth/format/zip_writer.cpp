// Writes ZIP archives of stored entries.
#include "hearth/format/zip_writer.h"

#include <zlib.h>

#include "hearth/base/error.h"

namespace hearth {

namespace {

constexpr uint64_t kMost32 = 0xffffffff;  // from there on, numbers stand in a field of 64 bits
constexpr uint64_t kDataAlignment = 64;
constexpr uint64_t kVersion = 45;   // the first that knows numbers of 64 bits
constexpr uint64_t kFirstDay = 33;  // the first of January 1980: equal content, equal bytes

// Little endian.
std::string zip_number(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8U) text += static_cast<char>(value & 0xffU);
  return text;
}

std::string zip_short(uint64_t value) { return zip_number(value < kMost32 ? value : kMost32, 4); }

// Version, no flags, stored, time and day: as both headers of an entry have it.
std::string entry_start() {
  return zip_number(kVersion, 2) + zip_number(0, 2) + zip_number(0, 2) + zip_number(0, 2) +
         zip_number(kFirstDay, 2);
}

// What 32 bits do not hold, in the order that the format wants.
std::string long_numbers(const std::vector<uint64_t>& numbers) {
  std::string field;
  for (const uint64_t number : numbers)
    if (number >= kMost32) field += zip_number(number, 8);
  return field.empty() ? field : zip_number(1, 2) + zip_number(field.size(), 2) + field;
}

std::string padding_field(uint64_t bytes) {
  return zip_number(0x4246, 2) + zip_number(bytes, 2) + std::string(bytes, 'Z');
}

}  // namespace

void ZipWriter::write(std::string_view text) {
  file_.write(text);
  at_ += text.size();
}

void ZipWriter::add(const std::string& name, std::string_view text) {
  add(name, std::vector{std::as_bytes(std::span(text))});
}

void ZipWriter::add(const std::string& name, const std::vector<std::span<const std::byte>>& parts) {
  if (name.size() > 0xffff) throw InternalError("ZipWriter: a name is too long.");
  Written entry{name, 0, 0, at_};
  for (const auto part : parts) {
    entry.crc = static_cast<uint32_t>(
        crc32_z(entry.crc, reinterpret_cast<const Bytef*>(part.data()), part.size()));
    entry.bytes += part.size();
  }
  std::string extra = entry.bytes >= kMost32 ? long_numbers({entry.bytes, entry.bytes}) : "";
  const uint64_t before = at_ + 30 + name.size() + extra.size() + 4;
  extra += padding_field((kDataAlignment - before % kDataAlignment) % kDataAlignment);
  write("PK\x03\x04" + entry_start() + zip_number(entry.crc, 4) + zip_short(entry.bytes) +
        zip_short(entry.bytes) + zip_number(name.size(), 2) + zip_number(extra.size(), 2) + name +
        extra);
  for (const auto part : parts) file_.write(part);
  at_ += entry.bytes;
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const uint64_t begin = at_;
  for (const Written& entry : entries_) {
    const std::string extra = long_numbers({entry.bytes, entry.bytes, entry.begin});
    write("PK\x01\x02" + zip_number(kVersion, 2) + entry_start() + zip_number(entry.crc, 4) +
          zip_short(entry.bytes) + zip_short(entry.bytes) + zip_number(entry.name.size(), 2) +
          zip_number(extra.size(), 2) + zip_number(0, 10) + zip_short(entry.begin) + entry.name +
          extra);
  }
  const uint64_t bytes = at_ - begin;
  const uint64_t count = entries_.size();
  if (begin >= kMost32 || bytes >= kMost32 || count >= 0xffff) {
    const uint64_t end = at_;
    write("PK\x06\x06" + zip_number(44, 8) + zip_number(kVersion, 2) + zip_number(kVersion, 2) +
          zip_number(0, 8) + zip_number(count, 8) + zip_number(count, 8) + zip_number(bytes, 8) +
          zip_number(begin, 8));
    write("PK\x06\x07" + zip_number(0, 4) + zip_number(end, 8) + zip_number(1, 4));
  }
  const uint64_t short_count = count < 0xffff ? count : 0xffff;
  write("PK\x05\x06" + zip_number(0, 4) + zip_number(short_count, 2) + zip_number(short_count, 2) +
        zip_short(bytes) + zip_short(begin) + zip_number(0, 2));
  file_.commit();
}

}  // namespace hearth
