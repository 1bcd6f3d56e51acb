// Example { Features features = 1 }, Features { map<string, Feature> feature = 1 }, and Feature
// with one of three lists; numbers may be packed or not.
#include "hearth/format/tf_example.h"

#include <bit>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/protobuf.h"

namespace hearth {

namespace {

using FieldKind = ProtobufField::Kind;

// The values of a list, packed or not.
template <class Visit>
void for_each_float(std::string_view list, const std::string& what, const Visit& visit) {
  ProtobufReader reader(list, what);
  while (const auto field = reader.next()) {
    if (field->number != 1) continue;
    if (field->kind == FieldKind::kFixed32) {
      visit(std::bit_cast<float>(static_cast<uint32_t>(field->value)));
      continue;
    }
    if (field->kind != FieldKind::kBytes || field->bytes.size() % sizeof(float) != 0)
      throw DataError(what + ": a list of floats holds something else.");
    for (size_t i = 0; i < field->bytes.size(); i += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, field->bytes.data() + i, sizeof(float));
      visit(value);
    }
  }
}

template <class Visit>
void for_each_integer(std::string_view list, const std::string& what, const Visit& visit) {
  ProtobufReader reader(list, what);
  while (const auto field = reader.next()) {
    if (field->number != 1) continue;
    if (field->kind == FieldKind::kVarint) {
      visit(static_cast<int64_t>(field->value));
      continue;
    }
    if (field->kind != FieldKind::kBytes)
      throw DataError(what + ": a list of whole numbers holds something else.");
    ProtobufReader packed(field->bytes, what);
    while (!packed.is_at_end()) visit(static_cast<int64_t>(packed.varint()));
  }
}

template <class Visit>
void for_each_bytes(std::string_view list, const std::string& what, const Visit& visit) {
  ProtobufReader reader(list, what);
  while (const auto field = reader.next()) {
    if (field->number != 1) continue;
    if (field->kind != FieldKind::kBytes)
      throw DataError(what + ": a list of bytes holds something else.");
    visit(field->bytes);
  }
}

void count_values(TfFeature& feature, const std::string& what) {
  const auto count = [&](auto) { ++feature.count; };
  if (feature.kind == TfFeature::Kind::kBytes) for_each_bytes(feature.list, what, count);
  if (feature.kind == TfFeature::Kind::kFloats) for_each_float(feature.list, what, count);
  if (feature.kind == TfFeature::Kind::kIntegers) for_each_integer(feature.list, what, count);
}

TfFeature feature_of(std::string_view message, const std::string& what) {
  TfFeature feature;
  ProtobufReader reader(message, what);
  while (const auto field = reader.next()) {
    if (field->kind != FieldKind::kBytes || field->number > 3) continue;
    feature.kind = static_cast<TfFeature::Kind>(field->number);
    feature.list = field->bytes;
  }
  count_values(feature, what);
  return feature;
}

// The fields of a number in a message; they are messages themselves.
template <class Visit>
void for_each_message(std::string_view message, uint32_t number, const std::string& what,
                      const Visit& visit) {
  ProtobufReader reader(message, what);
  while (const auto field = reader.next())
    if (field->number == number && field->kind == FieldKind::kBytes) visit(field->bytes);
}

}  // namespace

void for_each_feature(std::string_view message, const std::string& what,
                      const std::function<void(std::string_view, const TfFeature&)>& visit) {
  for_each_message(message, 1, what, [&](std::string_view features) {
    for_each_message(features, 1, what, [&](std::string_view entry) {
      std::string_view name;
      std::string_view value;
      for_each_message(entry, 1, what, [&](std::string_view bytes) { name = bytes; });
      for_each_message(entry, 2, what, [&](std::string_view bytes) { value = bytes; });
      visit(name, feature_of(value, what));
    });
  });
}

std::string_view only_bytes(const TfFeature& feature, const std::string& what) {
  std::string_view found;
  if (feature.kind != TfFeature::Kind::kBytes || feature.count != 1)
    throw DataError(what + ": expected one value of bytes, but there are " +
                    std::to_string(feature.count) + ".");
  for_each_bytes(feature.list, what, [&](std::string_view bytes) { found = bytes; });
  return found;
}

void copy_floats(const TfFeature& feature, std::span<float> to, const std::string& what) {
  size_t at = 0;
  for_each_float(feature.list, what, [&](float value) { to[at++] = value; });
}

void copy_integers(const TfFeature& feature, std::span<int64_t> to, const std::string& what) {
  size_t at = 0;
  for_each_integer(feature.list, what, [&](int64_t value) { to[at++] = value; });
}

}  // namespace hearth
