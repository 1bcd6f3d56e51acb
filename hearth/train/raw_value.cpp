// A raw value brought into the form of its key.
#include "hearth/train/raw_value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/picture.h"
#include "hearth/format/png.h"
#include "hearth/format/wav.h"
#include "hearth/format/webp.h"
#include "hearth/train/raw_files.h"
#include "hearth/train/raw_picture.h"

namespace hearth {
namespace {

// Whatever holds its values as a file has them.
bool holds_bytes(const Spec& spec) {
  return spec.role == Role::kEncodedImage || spec.role == Role::kText;
}

template <class T>
std::string typed_bytes(const std::vector<double>& values) {
  std::vector<T> typed(values.size());
  std::transform(values.begin(), values.end(), typed.begin(),
                 [](double value) { return static_cast<T>(value); });
  std::string bytes(typed.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), typed.data(), bytes.size());
  return bytes;
}

// By a PNG's header: the colour type at byte 25 has the bit for alpha. A WebP may have it anyway.
bool may_have_alpha(std::string_view bytes) {
  constexpr size_t kColourType = 25;
  if (is_webp(bytes)) return true;
  return is_png(bytes) && bytes.size() > kColourType && (bytes[kColourType] & 4) != 0;
}

class Filler {
 public:
  Filler(const KeySpec& key, const std::string& name, std::vector<std::string>& notes)
      : key_(key), spec_(key.spec), name_(name), notes_(notes) {}

  FilledValue operator()(const RawFile& file) const {
    std::string bytes = read_file(file.path, kRawFileLimitBytes);
    if (spec_.role == Role::kText) return (*this)(RawText{std::move(bytes)});
    if (spec_.role == Role::kSound && is_wav(bytes)) return sound_of(bytes);
    if (spec_.role == Role::kEncodedImage || is_read_as_picture(bytes, file.path, spec_))
      return (*this)(RawPicture{std::move(bytes), file.is_inverted});
    return (*this)(only_row(bytes, file.path.string(), key_));
  }

  FilledValue operator()(const RawPicture& picture) const {
    if (spec_.role == Role::kText) refuse("a picture");
    if (spec_.role == Role::kEncodedImage) {
      if (picture.is_inverted)
        throw ConfigError("--invert: the model takes files as they are, so that '" + name_ +
                          "' cannot be inverted. Invert the file itself.");
      if (picture.bytes.empty()) fail("is empty, which is no picture.");
      if (may_have_alpha(picture.bytes) && is_transparent(decode_picture(picture.bytes, 4, name_)))
        notes_.emplace_back(
            "the picture is transparent; `decode` drops that and shows the colours below it, as it "
            "did in training.");
      return {{static_cast<int64_t>(picture.bytes.size())}, picture.bytes};
    }
    PictureValues filled = picture_values(picture.bytes, name_, key_, picture.is_inverted);
    notes_.insert(notes_.end(), filled.notes.begin(), filled.notes.end());
    return {spec_.shape, typed(filled.values)};
  }

  FilledValue operator()(const RawNumbers& numbers) const {
    if (holds_bytes(spec_)) refuse("a row of numbers");
    check_count(numbers.values.size());
    check_finite(numbers.values);
    std::vector<double> values = numbers.values;
    if (is_image(spec_) && spec_.dtype == DType::kUint8) scale_to_bytes(values);
    check_range(values);
    return {length_of(values.size()), typed(values)};
  }

  FilledValue operator()(const RawText& text) const {
    if (spec_.role != Role::kText) refuse("text");
    if (text.text.empty())
      fail("is empty, but the model's input " + quote(key_.key) +
           " takes text of one byte and more.");
    return {{static_cast<int64_t>(text.text.size())}, text.text};
  }

  FilledValue operator()(const RawTensor& tensor) const {
    if (tensor.dtype != spec_.dtype || tensor.shape.size() != spec_.shape.size())
      refuse(given_text(tensor));
    for (const int64_t length : tensor.shape)
      if (length < 1) refuse(given_text(tensor) + ", of no size,");
    const int64_t bytes = elements_of(tensor.shape) * size_of(tensor.dtype);
    if (bytes != static_cast<int64_t>(tensor.bytes.size()))
      fail("has " + std::to_string(tensor.bytes.size()) + " bytes for " + quote(key_.key) +
           ", but " + given_text(tensor) + " takes " + std::to_string(bytes) + ".");
    check_finite(tensor);
    return {tensor.shape, tensor.bytes};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw DataError(name_ + ": " + what); }
  [[noreturn]] void refuse(const std::string& given) const {
    fail("gives " + given + " for the model's input " + quote(key_.key) + ", which takes " +
         takes_text(spec_) + ".");
  }

  [[nodiscard]] FilledValue sound_of(const std::string& bytes) const {
    const WavSound sound =
        parse_wav_of_rate(bytes, name_, spec_.rate, "as the training data's sounds have");
    std::vector<float> samples(static_cast<size_t>(sound.samples()));
    read_wav(sound, samples);
    return (*this)(RawTensor::of<float>(spec_.dtype, {sound.samples()}, samples));
  }

  static std::string given_text(const RawTensor& tensor) {
    Spec spec;
    spec.dtype = tensor.dtype;
    spec.shape = tensor.shape;
    return "a tensor, " + spec.text();
  }

  void check_count(size_t count) const {
    if (spec_.is_ragged()) {
      if (spec_.shape.size() != 1) refuse("a row of numbers");
      if (count == 0) fail("gives no number for " + quote(key_.key) + ".");
    } else if (count != static_cast<size_t>(spec_.elements())) {
      fail(wrong_count_text(count, key_));
    }
  }

  [[nodiscard]] std::vector<int64_t> length_of(size_t count) const {
    if (spec_.is_ragged()) return {static_cast<int64_t>(count)};
    return spec_.shape;
  }

  // Also a number beyond float32's is infinite by then.
  void check_finite(const std::vector<double>& values) const {
    // What a table leaves empty is no number, and the model's ops know what to do with it.
    const bool may_be_missing = !spec_.columns.empty();
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(static_cast<float>(values[i])) &&
          !(may_be_missing && std::isnan(values[i])))
        fail("number " + std::to_string(i + 1) + " of " + std::to_string(values.size()) + " is " +
             shortest_number(static_cast<float>(values[i])) +
             " as float32, but the model's input " + quote(key_.key) +
             " must be finite. Mend it, or leave this input out.");
  }

  void check_finite(const RawTensor& tensor) const {
    if (tensor.dtype == DType::kFloat32) check_finite(doubles_of<float>(tensor.bytes));
    if (tensor.dtype == DType::kFloat64) check_finite(doubles_of<double>(tensor.bytes));
    if (tensor.dtype == DType::kInt64) check_range(doubles_of<int64_t>(tensor.bytes));
    if (tensor.dtype == DType::kInt32) check_range(doubles_of<int32_t>(tensor.bytes));
  }

  template <class T>
  static std::vector<double> doubles_of(const std::string& bytes) {
    std::vector<T> typed(bytes.size() / sizeof(T));
    if (!typed.empty()) std::memcpy(typed.data(), bytes.data(), bytes.size());
    return {typed.begin(), typed.end()};
  }

  // Numbers from 0 for black to 1 for white, to what the training data hold as bytes.
  void scale_to_bytes(std::vector<double>& values) const {
    const auto [black, white] = spec_.image_range.value_or(std::pair(0.0, 255.0));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<float>(values[i]);
      if (value < 0 || value > 1)
        fail("number " + std::to_string(i + 1) + " is " + shortest_number(value) +
             ", but the model's input " + quote(key_.key) +
             " is an image of bytes; give numbers from 0 for black to 1 for white.");
      values[i] = std::round(black + value * (white - black));
    }
  }

  // Whole numbers where the key has them, and of its classes where it has any.
  void check_range(const std::vector<double>& values) const {
    if (is_floating(spec_.dtype)) return;
    double most = spec_.dtype == DType::kUint8 ? 255 : std::numeric_limits<int32_t>::max();
    if (spec_.dtype == DType::kBool) most = 1;
    if (spec_.classes > 0) most = static_cast<double>(spec_.classes - 1);
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] != std::round(values[i]) || values[i] < 0 || values[i] > most)
        fail("number " + std::to_string(i + 1) + " is " + shortest_number(values[i]) +
             ", but the model's input " + quote(key_.key) + " takes whole numbers from 0 to " +
             shortest_number(most) + ".");
  }

  [[nodiscard]] std::string typed(const std::vector<double>& values) const {
    switch (spec_.dtype) {
      case DType::kBool:
      case DType::kUint8:
        return typed_bytes<uint8_t>(values);
      case DType::kInt32:
        return typed_bytes<int32_t>(values);
      case DType::kInt64:
        return typed_bytes<int64_t>(values);
      case DType::kFloat32:
        return typed_bytes<float>(values);
      case DType::kFloat64:
        return typed_bytes<double>(values);
      default:
        refuse("numbers");
    }
  }

  const KeySpec& key_;
  const Spec& spec_;
  const std::string& name_;
  std::vector<std::string>& notes_;
};

// The first few of a table's.
std::string quoted_columns(const Spec& spec) {
  constexpr size_t kMostShown = 8;
  std::vector<std::string> shown;
  for (const std::string& column : spec.columns) {
    if (shown.size() == kMostShown) {
      shown.emplace_back("...");
      break;
    }
    shown.push_back(quote(column));
  }
  return join(shown, ", ");
}

std::string role_text(const Spec& spec) {
  switch (spec.role) {
    case Role::kImage:
      return "an image";
    case Role::kMask:
      return "a class number for each point";
    case Role::kBoxes:
      return "boxes";
    case Role::kPoints:
      return "points";
    case Role::kSound:
      return "sound, a WAV file of " + std::to_string(spec.rate) + " samples a second";
    case Role::kTokens:
      return "numbers of tokens";
    case Role::kClass:
      return "a class number";
    default:
      return "numbers";
  }
}

}  // namespace

std::string takes_text(const Spec& spec) {
  if (!spec.columns.empty())
    return std::string(spec.columns.size() == 1 ? "the column " : "the columns ") +
           quoted_columns(spec);
  if (spec.role == Role::kText) return "text";
  if (spec.role == Role::kSound)
    return "a sound (WAV of " + std::to_string(spec.rate) + " samples a second)";
  if (spec.role == Role::kEncodedImage) return "a picture (" + std::string(kPictureFormats) + ")";
  return role_text(spec) + " (" + spec.text() + ")";
}

FilledValue fill_value(const RawValue& value, const KeySpec& key, const std::string& name,
                       std::vector<std::string>& notes) {
  return std::visit(Filler(key, name, notes), value);
}

}  // namespace hearth
