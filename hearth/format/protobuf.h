// The fields of a protobuf message, one after another, without a schema: read without copies, and
// written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hearth {

struct ProtobufField {
  enum class Kind : uint8_t { kVarint, kFixed64, kBytes, kFixed32 };
  uint32_t number = 0;
  Kind kind = Kind::kVarint;
  uint64_t value = 0;           // of a varint or a fixed one
  std::string_view bytes = {};  // of kBytes: text, a message, or packed values
};

// DataError names `what` and the byte for whatever is no field, or ends beyond the message.
class ProtobufReader {
 public:
  ProtobufReader(std::string_view message, const std::string& what)
      : message_(message), what_(what) {}
  // Nothing at the end. Groups, which nobody writes any more, are refused.
  [[nodiscard]] std::optional<ProtobufField> next();
  // A varint, for packed lists of them.
  [[nodiscard]] uint64_t varint();
  [[nodiscard]] bool is_at_end() const { return at_ == message_.size(); }

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  [[nodiscard]] std::string_view take(uint64_t bytes);
  [[nodiscard]] uint64_t fixed(size_t bytes);

  std::string_view message_;
  const std::string& what_;
  size_t at_ = 0;
};

// A message under construction. Text must be UTF-8: other readers insist on it.
class ProtobufWriter {
 public:
  ProtobufWriter& varint(uint32_t number, uint64_t value);
  ProtobufWriter& bytes(uint32_t number, std::string_view bytes);  // text, or a message's bytes
  ProtobufWriter& message(uint32_t number, const ProtobufWriter& inner) {
    return bytes(number, inner.message_);
  }
  ProtobufWriter& single(uint32_t number, float value);
  ProtobufWriter& number(uint32_t number, double value);
  ProtobufWriter& packed(uint32_t number, std::span<const double> values);
  [[nodiscard]] const std::string& text() const { return message_; }

 private:
  void put_varint(uint64_t value);
  void put_tag(uint32_t number, ProtobufField::Kind kind);
  void put_fixed(uint64_t value, int bytes);

  std::string message_;
};

}  // namespace hearth
