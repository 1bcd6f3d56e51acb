// Tar: blocks of 512 bytes; a header, then the file's bytes filled up to a block. Two blocks of
// zeros end it.
#include "hearth/format/tar.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr uint64_t kTarBlockBytes = 512;
constexpr uint64_t kTarNameLimitBytes = 1 << 16;  // of a long name, or a header of pax

using TarBlock = std::array<char, kTarBlockBytes>;

// What an entry before the next one says of it.
struct TarOverrides {
  std::optional<std::string> name;
  std::optional<uint64_t> bytes;
};

std::string_view tar_text(const TarBlock& block, size_t begin, size_t length) {
  const std::string_view text(block.data() + begin, length);
  return text.substr(0, std::min(text.find('\0'), length));
}

class TarReader {
 public:
  TarReader(const ReadBytes& read, uint64_t file_bytes, const std::string& what)
      : read_(read), file_bytes_(file_bytes), what_(what) {}

  std::vector<TarEntry> entries() {
    while (at_ < file_bytes_) {
      if (file_bytes_ - at_ < kTarBlockBytes)
        fail("the file ends within a header; it is truncated");
      TarBlock block{};
      read_(at_, std::as_writable_bytes(std::span(block)));
      if (std::all_of(block.begin(), block.end(), [](char byte) { return byte == 0; })) break;
      check_sum(block);
      add(block);
    }
    return std::move(entries_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(what_ + ": byte " + std::to_string(at_) + ": " + reason + ".");
  }

  // Octal digits, or with the highest bit set a number of the bytes themselves.
  [[nodiscard]] uint64_t number(const TarBlock& block, size_t begin, size_t length) const {
    uint64_t value = 0;
    if ((block[begin] & 0x80) != 0) {
      for (size_t i = begin; i < begin + length; ++i) {
        const auto byte = static_cast<unsigned char>(i == begin ? block[i] & 0x7F : block[i]);
        if (value >> 55 != 0) fail("a size beyond any file");
        value = value << 8 | byte;
      }
      return value;
    }
    for (const char digit : trim(tar_text(block, begin, length))) {
      if (digit < '0' || digit > '7') fail("a number that is not octal");
      if (value >> 60 != 0) fail("a size beyond any file");
      value = value << 3 | static_cast<uint64_t>(digit - '0');
    }
    return value;
  }

  // The sum of all bytes, with blanks in its own place.
  void check_sum(const TarBlock& block) const {
    constexpr size_t kBegin = 148;
    constexpr size_t kLength = 8;
    uint64_t sum = 0;
    for (size_t i = 0; i < block.size(); ++i)
      sum += i >= kBegin && i < kBegin + kLength ? ' ' : static_cast<unsigned char>(block[i]);
    if (sum != number(block, kBegin, kLength))
      fail("the checksum of a header does not fit: the file is damaged, or no tar");
  }

  void add(const TarBlock& block) {
    constexpr size_t kType = 156;
    const char type = block[kType];
    uint64_t bytes = number(block, 124, 12);
    const bool is_about_next = type == 'x' || type == 'L' || type == 'g' || type == 'K';
    if (!is_about_next && next_.bytes) bytes = *next_.bytes;
    const uint64_t begin = at_ + kTarBlockBytes;
    if (bytes > file_bytes_ - begin)
      fail("a file of " + std::to_string(bytes) + " bytes ends beyond the tar; it is truncated");
    if (is_about_next) {
      if (type == 'L') next_.name = text_at(begin, bytes);
      if (type == 'x') read_pax(text_at(begin, bytes));
    } else {
      if (type == '0' || type == '\0' || type == '7')
        entries_.push_back({next_.name.value_or(name_of(block)), begin, bytes});
      next_ = {};
    }
    at_ = begin + (bytes + kTarBlockBytes - 1) / kTarBlockBytes * kTarBlockBytes;
  }

  [[nodiscard]] static std::string name_of(const TarBlock& block) {
    const std::string_view prefix =
        tar_text(block, 257, 5) == "ustar" ? tar_text(block, 345, 155) : std::string_view();
    const std::string name(tar_text(block, 0, 100));
    return prefix.empty() ? name : std::string(prefix) + "/" + name;
  }

  [[nodiscard]] std::string text_at(uint64_t offset, uint64_t bytes) const {
    if (bytes > kTarNameLimitBytes) fail("a name beyond " + human_bytes(kTarNameLimitBytes));
    std::string text(static_cast<size_t>(bytes), '\0');
    read_(offset, std::as_writable_bytes(std::span(text)));
    return text.substr(0, std::min(text.find('\0'), text.size()));
  }

  // Lines such as "20 path=some/name\n"; the number counts the whole line.
  void read_pax(std::string_view text) {
    while (!text.empty()) {
      const size_t blank = std::min(text.find(' '), text.size());
      const auto length = read_integer(text.substr(0, blank));
      if (!length || *length <= static_cast<int64_t>(blank) + 1 ||
          static_cast<uint64_t>(*length) > text.size())
        fail("a pax header with a line of a wrong length");
      std::string_view line = text.substr(blank + 1, static_cast<size_t>(*length) - blank - 1);
      text.remove_prefix(static_cast<size_t>(*length));
      if (line.ends_with('\n')) line.remove_suffix(1);
      if (line.starts_with("path=")) next_.name = std::string(line.substr(5));
      if (line.starts_with("size=")) {
        const auto bytes = read_integer(line.substr(5));
        if (!bytes || *bytes < 0) fail("a pax header with a size that is no number");
        next_.bytes = static_cast<uint64_t>(*bytes);
      }
    }
  }

  const ReadBytes& read_;
  uint64_t file_bytes_;
  const std::string& what_;
  uint64_t at_ = 0;
  TarOverrides next_;
  std::vector<TarEntry> entries_;
};

}  // namespace

std::vector<TarEntry> tar_entries(const ReadBytes& read, uint64_t file_bytes,
                                  const std::string& what) {
  return TarReader(read, file_bytes, what).entries();
}

}  // namespace hearth
