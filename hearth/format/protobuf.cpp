// Protobuf's wire format: a tag, then a value whose length the tag's kind tells.
#include "hearth/format/protobuf.h"

#include <bit>

#include "hearth/base/error.h"

namespace hearth {

void ProtobufReader::fail(const std::string& reason) const {
  throw DataError(what_ + ": byte " + std::to_string(at_) + " of a message: " + reason + ".");
}

std::string_view ProtobufReader::take(uint64_t bytes) {
  if (bytes > message_.size() - at_)
    fail("a field of " + std::to_string(bytes) + " bytes ends beyond the message's " +
         std::to_string(message_.size()));
  const std::string_view taken = message_.substr(at_, static_cast<size_t>(bytes));
  at_ += static_cast<size_t>(bytes);
  return taken;
}

uint64_t ProtobufReader::fixed(size_t bytes) {
  uint64_t value = 0;
  const std::string_view taken = take(bytes);
  for (size_t i = 0; i < bytes; ++i)
    value |= static_cast<uint64_t>(static_cast<unsigned char>(taken[i])) << 8 * i;
  return value;
}

uint64_t ProtobufReader::varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    if (shift == 63 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  fail("a number of more than 64 bits");
}

std::optional<ProtobufField> ProtobufReader::next() {
  if (is_at_end()) return std::nullopt;
  const uint64_t tag = varint();
  constexpr uint64_t kMostFields = (1U << 29) - 1;
  if (tag >> 3 == 0 || tag >> 3 > kMostFields) fail("a field without a number");
  ProtobufField field{.number = static_cast<uint32_t>(tag >> 3)};
  switch (tag & 7) {
    case 0:
      field.value = varint();
      return field;
    case 1:
      field.kind = ProtobufField::Kind::kFixed64;
      field.value = fixed(8);
      return field;
    case 2:
      field.kind = ProtobufField::Kind::kBytes;
      field.bytes = take(varint());
      return field;
    case 5:
      field.kind = ProtobufField::Kind::kFixed32;
      field.value = fixed(4);
      return field;
    default:
      fail("a field of the kind " + std::to_string(tag & 7) + ", which nobody writes");
  }
}

void ProtobufWriter::put_varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) message_ += static_cast<char>(value | 0x80);
  message_ += static_cast<char>(value);
}

void ProtobufWriter::put_tag(uint32_t number, ProtobufField::Kind kind) {
  using Kind = ProtobufField::Kind;
  const uint64_t wire = kind == Kind::kVarint    ? 0
                        : kind == Kind::kFixed64 ? 1
                        : kind == Kind::kBytes   ? 2
                                                 : 5;
  put_varint(uint64_t{number} << 3 | wire);
}

void ProtobufWriter::put_fixed(uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) message_ += static_cast<char>(value >> 8 * i);
}

ProtobufWriter& ProtobufWriter::varint(uint32_t number, uint64_t value) {
  put_tag(number, ProtobufField::Kind::kVarint);
  put_varint(value);
  return *this;
}

ProtobufWriter& ProtobufWriter::bytes(uint32_t number, std::string_view bytes) {
  put_tag(number, ProtobufField::Kind::kBytes);
  put_varint(bytes.size());
  message_ += bytes;
  return *this;
}

ProtobufWriter& ProtobufWriter::single(uint32_t number, float value) {
  put_tag(number, ProtobufField::Kind::kFixed32);
  put_fixed(std::bit_cast<uint32_t>(value), 4);
  return *this;
}

ProtobufWriter& ProtobufWriter::number(uint32_t number, double value) {
  put_tag(number, ProtobufField::Kind::kFixed64);
  put_fixed(std::bit_cast<uint64_t>(value), 8);
  return *this;
}

ProtobufWriter& ProtobufWriter::packed(uint32_t number, std::span<const double> values) {
  put_tag(number, ProtobufField::Kind::kBytes);
  put_varint(values.size() * sizeof(double));
  for (const double value : values) put_fixed(std::bit_cast<uint64_t>(value), 8);
  return *this;
}

}  // namespace hearth
