// An array in a file, a row of it at a time.
#include "hearth/data/array/array_rows.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr uint64_t kTurnedLimitBytes = 4ULL << 30;

// Hearth's type that holds all numbers of the file's.
DType dtype_for(ArrayType type) {
  switch (type) {
    case ArrayType::kBool:
      return DType::kBool;
    case ArrayType::kUint8:
      return DType::kUint8;
    case ArrayType::kInt8:
    case ArrayType::kInt16:
    case ArrayType::kUint16:
    case ArrayType::kInt32:
      return DType::kInt32;
    case ArrayType::kUint32:
    case ArrayType::kInt64:
      return DType::kInt64;
    case ArrayType::kFloat16:
      return DType::kFloat16;
    case ArrayType::kBFloat16:
      return DType::kBFloat16;
    case ArrayType::kFloat64:
      return DType::kFloat64;
    case ArrayType::kFloat32:
      break;
  }
  return DType::kFloat32;
}

template <class From, class To>
void widen(const std::byte* from, size_t count, std::byte* into) {
  for (size_t i = 0; i < count; ++i) {
    From value{};
    std::memcpy(&value, from + i * sizeof(From), sizeof(From));
    const To wide = static_cast<To>(value);
    std::memcpy(into + i * sizeof(To), &wide, sizeof(To));
  }
}

template <class To>
void widen_to(ArrayType type, const std::byte* from, size_t count, std::byte* into) {
  switch (type) {
    case ArrayType::kBool:
    case ArrayType::kUint8:
      return widen<uint8_t, To>(from, count, into);
    case ArrayType::kInt8:
      return widen<int8_t, To>(from, count, into);
    case ArrayType::kInt16:
      return widen<int16_t, To>(from, count, into);
    case ArrayType::kUint16:
      return widen<uint16_t, To>(from, count, into);
    case ArrayType::kInt32:
      return widen<int32_t, To>(from, count, into);
    case ArrayType::kUint32:
      return widen<uint32_t, To>(from, count, into);
    default:
      return widen<int64_t, To>(from, count, into);
  }
}

}  // namespace

ArrayRows::ArrayRows(std::string key, ArrayForm form, ReadAt read, std::string what)
    : key_{std::move(key), {.dtype = dtype_for(form.type)}},
      form_(std::move(form)),
      read_(std::move(read)),
      what_(std::move(what)) {
  if (form_.shape.empty())
    throw DataError(what_ + ": is a single number; an array has a row for each sample.");
  key_.spec.shape.assign(form_.shape.begin() + 1, form_.shape.end());
  for (const int64_t length : form_.shape)
    if (length < 1) throw DataError(what_ + ": has no numbers.");
  row_bytes_ = static_cast<uint64_t>(key_.spec.elements()) * size_of(form_.type);
  if (form_.is_fortran && form_.shape.size() > 1) turn_around();
}

// The row of a sample lies all over the file; numbers are put where C's order has them.
void ArrayRows::turn_around() {
  const auto rows = static_cast<uint64_t>(size());
  if (row_bytes_ * rows > kTurnedLimitBytes)
    throw DataError(what_ + ": is in Fortran's order and larger than " +
                    human_bytes(kTurnedLimitBytes) +
                    ". Save it with numpy.ascontiguousarray, whose rows can be read one by one.");
  std::vector<std::byte> loaded(row_bytes_ * rows);
  read_(0, loaded);
  auto turned = std::make_shared<std::vector<std::byte>>(loaded.size());
  const uint64_t number = size_of(form_.type);
  std::vector<int64_t> index(form_.shape.size(), 0);
  for (uint64_t from = 0; from < loaded.size(); from += number) {
    uint64_t to = 0;
    for (size_t d = 0; d < index.size(); ++d)
      to = to * static_cast<uint64_t>(form_.shape[d]) + static_cast<uint64_t>(index[d]);
    std::memcpy(turned->data() + to * number, loaded.data() + from, number);
    for (size_t d = 0; d < index.size() && ++index[d] == form_.shape[d]; ++d) index[d] = 0;
  }
  read_ = [turned](uint64_t offset, std::span<std::byte> into) {
    std::memcpy(into.data(), turned->data() + offset, into.size());
  };
  form_.resident_bytes = turned->size();
}

void ArrayRows::set_classes(int64_t classes) {
  if (is_floating(key_.spec.dtype))
    throw ConfigError("classes: " + quote(key_.key) + " holds " + key_.spec.text() +
                      ", which are no class numbers.");
  key_.spec.dtype = DType::kInt64;
  key_.spec.classes = classes;
  key_.spec.role = Role::kClass;
}

void ArrayRows::set_image() {
  Spec& spec = key_.spec;
  if (spec.shape.size() == 2) spec.shape.push_back(1);
  if (spec.shape.size() != 3 || (spec.dtype != DType::kUint8 && spec.dtype != DType::kFloat32))
    throw ConfigError("images: " + quote(key_.key) + " is " + key_.spec.text() +
                      ", but an image is bytes or float32 of [B, height, width, channels].");
  spec.role = Role::kImage;
  spec.image_range = {0.0, spec.dtype == DType::kUint8 ? 255.0 : 1.0};
}

void ArrayRows::read(int64_t index, const Cell& cell) const {
  const View value = cell.view();
  const auto offset = static_cast<uint64_t>(index) * row_bytes_;
  if (size_of(key_.spec.dtype) == static_cast<int64_t>(size_of(form_.type))) {
    const std::span<std::byte> bytes(value.data, row_bytes_);
    read_(offset, bytes);
    if (form_.is_swapped) swap_bytes(bytes, size_of(form_.type));
    if (form_.type == ArrayType::kBool)
      for (std::byte& byte : bytes) byte = std::byte{byte != std::byte{0}};
  } else {
    thread_local std::vector<std::byte> narrow;
    narrow.resize(row_bytes_);
    read_(offset, narrow);
    if (form_.is_swapped) swap_bytes(narrow, size_of(form_.type));
    if (key_.spec.dtype == DType::kInt64)
      widen_to<int64_t>(form_.type, narrow.data(), value.elements(), value.data);
    else
      widen_to<int32_t>(form_.type, narrow.data(), value.elements(), value.data);
  }
  if (key_.spec.classes > 0) check_class(index, cell);
}

void ArrayRows::check_class(int64_t index, const Cell& cell) const {
  for (const int64_t number : cell.as<int64_t>())
    if (number < 0 || number >= key_.spec.classes)
      throw DataError(what_ + ": row " + std::to_string(index) + " holds class " +
                      std::to_string(number) + ", but there are " +
                      std::to_string(key_.spec.classes) +
                      " classes. Set 'classes' to what the data has.");
}

ArrayRows& ArrayTable::find(const std::string& key, const std::string& option) {
  std::vector<std::string> known;
  for (ArrayRows& array : arrays_) {
    if (array.key().key == key) return array;
    known.push_back(array.key().key);
  }
  throw ConfigError(option + ": there is no array " + quote(key) + "." + did_you_mean(key, known));
}

void ArrayTable::finish(const ArrayOptions& options) {
  for (const ArrayRows& array : arrays_)
    if (array.size() != arrays_.front().size())
      throw DataError(array.what() + ": has " + std::to_string(array.size()) + " rows, but " +
                      arrays_.front().what() + " has " + std::to_string(arrays_.front().size()) +
                      ". All arrays must have a row for each sample.");
  for (const std::string& key : options.images) find(key, "images").set_image();
  for (const auto& [key, classes] : options.classes) find(key, "classes").set_classes(classes);
}

std::vector<KeySpec> ArrayTable::keys() const {
  std::vector<KeySpec> keys;
  for (const ArrayRows& array : arrays_) keys.push_back(array.key());
  return keys;
}

uint64_t ArrayTable::resident_bytes() const {
  uint64_t bytes = 0;
  for (const ArrayRows& array : arrays_) bytes += array.resident_bytes();
  return bytes;
}

void ArrayTable::read(int64_t index, std::span<const Cell> cells) const {
  for (size_t k = 0; k < arrays_.size(); ++k)
    if (cells[k].is_wanted()) arrays_[k].read(index, cells[k]);
}

}  // namespace hearth
