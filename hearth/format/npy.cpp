// NumPy's file of one array.
#include "hearth/format/npy.h"

#include <array>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr size_t kMostNpyDimensions = 32;

constexpr std::array<std::pair<std::string_view, ArrayType>, 11> kNpyTypes = {
    {{"b1", ArrayType::kBool},
     {"u1", ArrayType::kUint8},
     {"i1", ArrayType::kInt8},
     {"i2", ArrayType::kInt16},
     {"u2", ArrayType::kUint16},
     {"i4", ArrayType::kInt32},
     {"u4", ArrayType::kUint32},
     {"i8", ArrayType::kInt64},
     {"f2", ArrayType::kFloat16},
     {"f4", ArrayType::kFloat32},
     {"f8", ArrayType::kFloat64}}};

[[noreturn]] void throw_npy_error(const std::string& what, const std::string& reason) {
  throw DataError(what + ": " + reason);
}

// The few forms of a Python dictionary that NumPy writes.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const std::string& what) : rest_(text), what_(what) {}

  void expect(char letter) {
    if (!take(letter))
      throw_npy_error(what_, "the header is no dictionary as NumPy writes it: expected " +
                                 quote(std::string(1, letter)) + " before " +
                                 quote(rest_.substr(0, 20)) + ".");
  }
  bool take(char letter) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    const bool is_there = rest_.starts_with(letter);
    if (is_there) rest_.remove_prefix(1);
    return is_there;
  }
  std::string_view text() {
    const char mark = take('"') ? '"' : '\'';
    if (mark == '\'') expect('\'');
    const size_t end = rest_.find(mark);
    if (end == rest_.npos) throw_npy_error(what_, "the header breaks off within a text.");
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return found;
  }
  bool boolean() {
    (void)take('\0');  // skips spaces
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    throw_npy_error(what_, "fortran_order must be True or False.");
  }
  std::vector<int64_t> shape() {
    std::vector<int64_t> lengths;
    expect('(');
    while (!take(')')) {
      lengths.push_back(length());
      if (lengths.size() > kMostNpyDimensions)
        throw_npy_error(what_,
                        "has more than " + std::to_string(kMostNpyDimensions) + " dimensions.");
      if (take(',')) continue;
      expect(')');
      break;
    }
    return lengths;
  }
  [[nodiscard]] bool is_at_list() const {
    return rest_.find_first_not_of(' ') != rest_.npos && rest_[rest_.find_first_not_of(' ')] == '[';
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  int64_t length() {
    (void)take('\0');
    const size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    const auto value = read_integer(rest_.substr(0, count));
    if (!value || *value < 0) throw_npy_error(what_, "the shape is no list of lengths.");
    rest_.remove_prefix(count);
    return *value;
  }

  std::string_view rest_;
  const std::string& what_;
};

void read_type(std::string_view descr, NpyHeader& header, const std::string& what) {
  const char order = descr.empty() ? ' ' : descr[0];
  for (const auto& [name, type] : kNpyTypes) {
    if (descr.size() != 3 || descr.substr(1) != name) continue;
    const bool is_big = order == '>';
    if (order != '<' && order != '|' && order != '=' && !is_big) break;
    header.type = type;
    header.is_swapped = size_of(type) > 1 && is_big == (std::endian::native == std::endian::little);
    return;
  }
  if (descr.substr(std::min<size_t>(1, descr.size())).starts_with('O') || order == 'O')
    throw_npy_error(what, "holds Python objects, which only running Python code could read.");
  throw_npy_error(what, "holds numbers of type " + quote(descr) +
                            "; known are b1, u1, i1, i2, u2, i4, u4, i8, f2, f4 and f8. Save it "
                            "with astype of one of them.");
}

void read_entry(DictionaryReader& reader, std::string_view key, NpyHeader& header,
                const std::string& what) {
  if (key == "descr") {
    if (reader.is_at_list())
      throw_npy_error(what, "holds records; save each of their fields as an array.");
    read_type(reader.text(), header, what);
  } else if (key == "fortran_order") {
    header.is_fortran = reader.boolean();
  } else if (key == "shape") {
    header.shape = reader.shape();
  } else {
    throw_npy_error(what, "the header has an unknown entry " + quote(key) + ".");
  }
}

void read_dictionary(std::string_view text, NpyHeader& header, const std::string& what) {
  DictionaryReader reader(text, what);
  std::set<std::string_view> keys;
  reader.expect('{');
  while (!reader.take('}')) {
    const std::string_view key = reader.text();
    reader.expect(':');
    if (!keys.insert(key).second) throw_npy_error(what, "the header has " + quote(key) + " twice.");
    read_entry(reader, key, header, what);
    if (!reader.take(',')) {
      reader.expect('}');
      break;
    }
  }
  if (keys.size() != 3)
    throw_npy_error(what, "the header must say descr, fortran_order and shape.");
  if (reader.rest().find_first_not_of(" \n") != std::string_view::npos)
    throw_npy_error(what, "the header goes on after its end.");
}

// The header's length, and where it begins.
std::pair<uint64_t, uint64_t> header_place(std::string_view start, const std::string& what) {
  if (!start.starts_with(kNpyMagic))
    throw_npy_error(what, "is no .npy file: it does not start with \\x93NUMPY.");
  if (start.size() < 12) throw_npy_error(what, "is truncated within its header; get it again.");
  const auto byte = [&](size_t at) {
    return static_cast<uint64_t>(static_cast<uint8_t>(start[at]));
  };
  const uint64_t version = byte(6);
  if (version < 1 || version > 3)
    throw_npy_error(what, "is of version " + std::to_string(version) + "; known are 1 to 3.");
  const uint64_t small = byte(8) | byte(9) << 8U;
  if (version == 1) return {10, small};
  return {12, small | byte(10) << 16U | byte(11) << 24U};
}

}  // namespace

uint64_t NpyHeader::data_bytes() const {
  uint64_t bytes = size_of(type);
  for (const int64_t length : shape)
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(length), &bytes))
      throw DataError("an array of more bytes than 64 bits can count.");
  return bytes;
}

NpyHeader parse_npy_header(std::string_view start, uint64_t file_bytes, const std::string& what) {
  const auto [begin, length] = header_place(start, what);
  if (length > start.size() - begin) {
    if (begin + length > kNpyHeaderLimitBytes)
      throw_npy_error(what, "has a header of " + human_bytes(length) + "; that is no plain array.");
    throw_npy_error(what, "is truncated within its header; get it again.");
  }
  NpyHeader header;
  read_dictionary(start.substr(begin, length), header, what);
  header.data_begin = begin + length;
  uint64_t bytes = 0;
  try {
    bytes = header.data_bytes();
  } catch (const DataError& error) {
    throw_npy_error(what, std::string("says it holds ") + error.what());
  }
  if (file_bytes - header.data_begin != bytes)
    throw_npy_error(what, "holds " + human_count(file_bytes - header.data_begin) +
                              " bytes of numbers, but its header says " + human_count(bytes) +
                              ". It is probably truncated; get it again.");
  return header;
}

std::string encode_npy(std::string_view descr, const std::vector<int64_t>& shape,
                       std::span<const std::byte> data, bool is_fortran) {
  std::string lengths;
  for (const int64_t length : shape) lengths += std::to_string(length) + ",";
  std::string header = "{'descr': '" + std::string(descr) +
                       "', 'fortran_order': " + (is_fortran ? "True" : "False") + ", 'shape': (" +
                       lengths + "), }";
  constexpr size_t kAlignment = 64;
  while ((kNpyMagic.size() + 4 + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::string file(kNpyMagic);
  file += {1, 0, static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
  file += header;
  file.append(reinterpret_cast<const char*>(data.data()), data.size());
  return file;
}

}  // namespace hearth
