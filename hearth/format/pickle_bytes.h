// The bytes of a pickle, taken from front to back within their bounds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

class PickleBytes {
 public:
  PickleBytes(std::span<const std::byte> bytes, const std::string& what)
      : bytes_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), what_(what) {}

  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(what_ + ": " + reason);
  }
  [[nodiscard]] uint64_t position() const { return at_; }
  [[nodiscard]] uint64_t left() const { return bytes_.size() - at_; }

  uint8_t byte() { return static_cast<uint8_t>(text(1).front()); }
  std::string_view text(uint64_t count) {
    if (count > left()) fail("has a pickle that is cut off, or damaged.");
    const std::string_view found = bytes_.substr(at_, count);
    at_ += count;
    return found;
  }
  // Little endian, as all of a pickle but its reals.
  uint64_t number(int count) {
    uint64_t value = 0;
    const std::string_view digits = text(static_cast<uint64_t>(count));
    for (int i = count; i-- > 0;)
      value = value << 8U | static_cast<uint8_t>(digits[static_cast<size_t>(i)]);
    return value;
  }
  double real() {
    uint64_t bits = 0;
    for (const char digit : text(8)) bits = bits << 8U | static_cast<uint8_t>(digit);
    return std::bit_cast<double>(bits);
  }

  std::string_view line() {
    const size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) fail("has a pickle that is cut off, or damaged.");
    const std::string_view found = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }
  std::string_view plain_line() {
    const std::string_view found = line();
    if (found.find('\\') != found.npos) fail("has a text with escapes, in an old form of pickles.");
    return found;
  }
  std::string_view quoted_line() {
    std::string_view found = plain_line();
    if (found.size() < 2 || (found.front() != '\'' && found.front() != '"') ||
        found.back() != found.front())
      fail("has a text without quotes.");
    found.remove_prefix(1);
    found.remove_suffix(1);
    return found;
  }
  double written_real() {
    const std::string_view digits = line();
    const auto number = read_number(digits);
    if (!number) fail("has a number that is none: " + quote(digits.substr(0, 40)) + ".");
    return *number;
  }
  uint64_t written_index() {
    const auto index = read_integer(line());
    if (!index || *index < 0) fail("has a place in its memo that is no number.");
    return static_cast<uint64_t>(*index);
  }

 private:
  std::string_view bytes_;
  std::string what_;
  uint64_t at_ = 0;
};

}  // namespace hearth
