// The header of a safetensors file, held against the rules of the reference reader and stricter.
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/format/safetensors.h"

namespace hearth {

namespace {

constexpr uint64_t kHeaderLimit = 100'000'000;  // the reference's
constexpr uint64_t kNumberLimit = 1ULL << 53;   // what every JSON reader keeps exactly
constexpr size_t kTensorLimit = 1'000'000;
constexpr size_t kTensorNameLimit = 512;
constexpr size_t kTensorRankLimit = 64;

constexpr std::array<std::pair<std::string_view, uint64_t>, 22> kTensorBits = {{
    {"BOOL", 8},        {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},
    {"I8", 8},          {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},    {"BF16", 16},
    {"I32", 32},        {"U32", 32},    {"F32", 32},    {"C64", 64},    {"F64", 64},
    {"I64", 64},        {"U64", 64},
}};

[[noreturn]] void throw_header_error(const std::string& what, const std::string& reason) {
  throw DataError(what + ": " + reason);
}

// One tensor's entry; remembers where it is for its messages.
class EntryReader {
 public:
  EntryReader(const std::string& name, const nlohmann::json& json, const std::string& what)
      : name_(name), json_(json), what_(what) {}

  TensorEntry read() const {
    check_name();
    check_fields();
    TensorEntry entry{name_, dtype(), shape(), 0, 0};
    std::tie(entry.begin, entry.end) = offsets();
    check_bytes(entry);
    return entry;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw_header_error(what_, "tensor " + quote(name_.substr(0, kTensorNameLimit)) + ": " + reason);
  }

  void check_name() const {
    const auto is_control = [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; };
    if (name_.empty() || name_.size() > kTensorNameLimit)
      fail("its name has " + std::to_string(name_.size()) + " bytes, expected 1 to 512.");
    if (std::ranges::any_of(name_, is_control)) fail("its name has control characters.");
  }

  void check_fields() const {
    if (!json_.is_object()) fail("expected an object with dtype, shape and data_offsets.");
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!json_.contains(field)) fail(std::string("has no ") + field + ".");
    for (const auto& [field, value] : json_.items())
      if (field != "dtype" && field != "shape" && field != "data_offsets")
        fail("has an unknown field " + quote(field) + ".");
  }

  std::string dtype() const {
    const auto& value = json_["dtype"];
    if (!value.is_string()) fail("its dtype is not a text.");
    const auto& text = value.get_ref<const std::string&>();
    if (!safetensors_bits(text)) fail("its dtype " + quote(text) + " is unknown.");
    return text;
  }

  // 4.0, 1e2, -0 and everything above 2^53 are other types to the parser, or too large.
  uint64_t number(const nlohmann::json& value, const std::string& field) const {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > kNumberLimit)
      fail(field + " must hold whole numbers from 0 to 2^53.");
    return value.get<uint64_t>();
  }

  std::vector<int64_t> shape() const {
    const auto& list = json_["shape"];
    if (!list.is_array()) fail("its shape is not a list.");
    if (list.size() > kTensorRankLimit)
      fail("has " + std::to_string(list.size()) + " dimensions, at most 64 are read.");
    std::vector<int64_t> shape;
    for (const auto& value : list) shape.push_back(static_cast<int64_t>(number(value, "shape")));
    return shape;
  }

  std::pair<uint64_t, uint64_t> offsets() const {
    const auto& list = json_["data_offsets"];
    if (!list.is_array() || list.size() != 2) fail("its data_offsets are not a list of two.");
    const uint64_t begin = number(list[0], "data_offsets");
    const uint64_t end = number(list[1], "data_offsets");
    if (end < begin) fail("its data_offsets end before they begin.");
    return {begin, end};
  }

  void check_bytes(const TensorEntry& entry) const {
    const auto bytes = safetensors_bytes(entry.dtype, entry.shape);
    if (!bytes) fail("dtype and shape give no whole number of bytes below 2^64.");
    if (*bytes != entry.bytes())
      fail("dtype and shape need " + std::to_string(*bytes) + " bytes, data_offsets give " +
           std::to_string(entry.bytes()) + ".");
  }

  const std::string& name_;
  const nlohmann::json& json_;
  const std::string& what_;
};

std::map<std::string, std::string> read_metadata(const nlohmann::json& json,
                                                 const std::string& what) {
  if (!json.is_object()) throw_header_error(what, "__metadata__ is not an object.");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string())
      throw_header_error(what, "__metadata__: the value of " + quote(key) + " is not a text.");
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// No gaps, no overlaps, nothing before, between or behind: one reading of every byte.
void check_layout(const SafetensorsHeader& header, uint64_t file_bytes, const std::string& what) {
  uint64_t end = 0;
  for (const TensorEntry& entry : header.entries) {
    if (entry.begin != end)
      throw_header_error(what, "tensor " + quote(entry.name) + ": begins at data byte " +
                                   std::to_string(entry.begin) + ", expected " +
                                   std::to_string(end) + ": tensors leave gaps or overlap.");
    end = entry.end;
  }
  const uint64_t expected = header.data_begin + end;  // below 2^54
  if (file_bytes == expected) return;
  throw_header_error(what, "the header describes " + std::to_string(expected) +
                               " bytes, the file has " + std::to_string(file_bytes) +
                               (file_bytes < expected ? "; it is truncated, get it again."
                                                      : "; foreign bytes follow the tensors."));
}

}  // namespace

std::optional<uint64_t> safetensors_bits(std::string_view dtype) {
  for (const auto& [name, bits] : kTensorBits)
    if (name == dtype) return bits;
  return std::nullopt;
}

std::optional<uint64_t> safetensors_bytes(std::string_view dtype,
                                          const std::vector<int64_t>& shape) {
  uint64_t count =
      1;  // before bits, and without skipping zeros: overflow is judged as the reference does
  for (const int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(count, static_cast<uint64_t>(size), &count))
      return std::nullopt;
  const auto bits = safetensors_bits(dtype);
  if (!bits || __builtin_mul_overflow(count, *bits, &count) || count % 8 != 0) return std::nullopt;
  return count / 8;
}

uint64_t safetensors_header_length(std::span<const std::byte, 8> first, uint64_t file_bytes,
                                   const std::string& what) {
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;) length = (length << 8) | std::to_integer<uint64_t>(first[i]);
  if (length > kHeaderLimit)
    throw_header_error(what, "not a safetensors file: its header would have " +
                                 human_count(length) + " bytes, at most 100,000,000 are allowed.");
  if (file_bytes < 8 || length > file_bytes - 8)
    throw_header_error(what, "its header should have " + std::to_string(length) +
                                 " bytes, but the file has only " + std::to_string(file_bytes) +
                                 "; it is truncated, get it again.");
  return length;
}

SafetensorsHeader parse_safetensors_header(std::span<const std::byte> header_bytes,
                                           uint64_t file_bytes, const std::string& what) {
  const std::string_view text(reinterpret_cast<const char*>(header_bytes.data()),
                              header_bytes.size());
  const nlohmann::json json =
      parse_json(text, what + ": header", {.bytes = kHeaderLimit, .depth = 4});
  if (!json.is_object()) throw_header_error(what, "the header is not a JSON object.");
  if (json.size() > kTensorLimit + 1)
    throw_header_error(what, "has more than " + human_count(kTensorLimit) + " tensors.");
  SafetensorsHeader header;
  header.data_begin = 8 + header_bytes.size();
  for (const auto& [name, value] : json.items()) {
    if (name == "__metadata__")
      header.metadata = read_metadata(value, what);
    else
      header.entries.push_back(EntryReader(name, value, what).read());
  }
  std::ranges::sort(header.entries, {}, [](const TensorEntry& entry) {
    return std::tie(entry.begin, entry.end, entry.name);
  });
  check_layout(header, file_bytes, what);
  return header;
}

}  // namespace hearth
