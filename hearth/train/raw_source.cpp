// What a stranger has, as a source: pictures and rows of numbers, brought into the training data's
// form.
#include "hearth/train/raw_source.h"

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/csv.h"
#include "hearth/format/image.h"
#include "hearth/format/png.h"

namespace hearth {
namespace {

constexpr uint64_t kRawFileLimitBytes = 256ULL << 20;
constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";
constexpr double kBrightBorder = 0.6;

class RawSource : public Source {
 public:
  RawSource(KeySpec key, std::vector<RawInput> inputs)
      : key_(std::move(key)), inputs_(std::move(inputs)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override { return {key_}; }
  [[nodiscard]] int64_t size() const override { return static_cast<int64_t>(inputs_.size()); }
  void read(int64_t index, std::span<std::byte* const> destinations) const override {
    const auto& values = inputs_[static_cast<size_t>(index)].values;
    if (destinations[0] != nullptr)
      std::memcpy(destinations[0], values.data(), values.size() * sizeof(float));
  }
  [[nodiscard]] std::string fingerprint() const override { return "raw"; }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return inputs_[static_cast<size_t>(index)].name;
  }

 private:
  KeySpec key_;
  std::vector<RawInput> inputs_;
};

double border_brightness(const Image& image) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t y = 0; y < image.height; ++y)
    for (int64_t x = 0; x < image.width; ++x) {
      if (y != 0 && x != 0 && y != image.height - 1 && x != image.width - 1) continue;
      sum += image.pixels[static_cast<size_t>((y * image.width + x) * image.channels)];
      ++count;
    }
  return count == 0 ? 0 : sum / (255.0 * static_cast<double>(count));
}

RawInput from_picture(const std::string& bytes, const std::filesystem::path& file,
                      const KeySpec& key, bool is_inverted) {
  const Spec& spec = key.spec;
  if (!spec.image_range || spec.shape.size() != 3 || (spec.shape[0] != 1 && spec.shape[0] != 3))
    throw DataError(file.string() + " is a picture, but the model's input '" + key.key + "' is " +
                    spec.text() + ", which is not an image. Give a CSV file with " +
                    std::to_string(spec.elements()) + " numbers a row.");
  const int64_t channels = spec.shape[0];
  const int64_t height = spec.shape[1];
  const int64_t width = spec.shape[2];
  const Image image = resize(decode_png(bytes, channels, file.string()), width, height);
  RawInput input{file.string(), std::vector<float>(static_cast<size_t>(spec.elements())), {}};
  const auto [black, white] = *spec.image_range;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t i = 0; i < height * width; ++i) {
      const double level = image.pixels[static_cast<size_t>(i * channels + c)] / 255.0;
      input.values[static_cast<size_t>(c * height * width + i)] =
          static_cast<float>(black + (is_inverted ? 1 - level : level) * (white - black));
    }
  if (!is_inverted && channels == 1 && border_brightness(image) > kBrightBorder)
    input.notes.push_back(
        "the picture's border is bright; for dark ink on light paper use --invert.");
  return input;
}

std::vector<RawInput> from_rows(const std::string& text, const std::filesystem::path& file,
                                const KeySpec& key) {
  std::vector<RawInput> inputs;
  const auto expected = static_cast<size_t>(key.spec.elements());
  int64_t line_number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++line_number;
    const std::string_view trimmed = trim(line);
    if (trimmed.empty()) continue;
    const std::vector<double> numbers = parse_csv_numbers(trimmed, file.string(), line_number);
    if (numbers.size() != expected)
      throw DataError(file.string() + ":" + std::to_string(line_number) + ": has " +
                      std::to_string(numbers.size()) + " numbers, but the model's input '" +
                      key.key + "' is " + key.spec.text() + " and needs " +
                      std::to_string(expected) + ".");
    inputs.push_back({file.string() + " row " + std::to_string(line_number),
                      {numbers.begin(), numbers.end()},
                      {}});
  }
  if (inputs.empty()) throw DataError(file.string() + " holds no row of numbers.");
  return inputs;
}

}  // namespace

std::vector<RawInput> read_raw_file(const std::filesystem::path& file, const KeySpec& key,
                                    bool is_inverted) {
  if (key.spec.dtype != DType::kFloat32)
    throw GraphError("the model's input '" + key.key + "' is " + key.spec.text() +
                     "; only float32 inputs can be made from raw files.");
  const std::string bytes = read_file(file, kRawFileLimitBytes);
  if (bytes.starts_with(kPngSignature)) return {from_picture(bytes, file, key, is_inverted)};
  if (bytes.find('\0') != std::string::npos)
    throw DataError(file.string() + " is neither a PNG picture nor CSV text.");
  return from_rows(bytes, file, key);
}

std::shared_ptr<const Source> make_raw_source(KeySpec key, std::vector<RawInput> inputs) {
  return std::make_shared<RawSource>(std::move(key), std::move(inputs));
}

}  // namespace hearth
