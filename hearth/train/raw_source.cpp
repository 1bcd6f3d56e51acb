// What a stranger has, as a source: pictures, texts and rows of numbers, brought into the training
// data's form.
#include "hearth/train/raw_source.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/csv.h"
#include "hearth/format/png.h"
#include "hearth/train/raw_picture.h"

namespace hearth {
namespace {

constexpr uint64_t kRawFileLimitBytes = 256ULL << 20;

class RawSource : public Source {
 public:
  RawSource(KeySpec key, std::vector<RawInput> inputs)
      : key_(std::move(key)), inputs_(std::move(inputs)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override { return {key_}; }
  [[nodiscard]] int64_t size() const override { return static_cast<int64_t>(inputs_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const RawInput& input = inputs_[static_cast<size_t>(index)];
    if (!cells[0].is_wanted()) return;
    if (key_.spec.is_ragged()) {
      const View room = cells[0].take({static_cast<int64_t>(input.bytes.size())});
      std::memcpy(room.data, input.bytes.data(), input.bytes.size());
    } else if (key_.spec.dtype == DType::kUint8) {
      std::transform(input.values.begin(), input.values.end(), cells[0].as<uint8_t>().begin(),
                     [](float value) { return static_cast<uint8_t>(value); });
    } else {
      std::copy(input.values.begin(), input.values.end(), cells[0].as<float>().begin());
    }
  }
  [[nodiscard]] std::string fingerprint() const override { return "raw"; }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return inputs_[static_cast<size_t>(index)].name;
  }

 private:
  KeySpec key_;
  std::vector<RawInput> inputs_;
};

class ChosenSource : public Source {
 public:
  ChosenSource(std::shared_ptr<const Source> source, std::vector<int64_t> samples)
      : source_(std::move(source)), samples_(std::move(samples)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override { return source_->keys(); }
  [[nodiscard]] int64_t size() const override { return static_cast<int64_t>(samples_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(samples_[static_cast<size_t>(index)], cells);
  }
  [[nodiscard]] std::string fingerprint() const override { return source_->fingerprint(); }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return source_->describe(samples_[static_cast<size_t>(index)]);
  }

 private:
  std::shared_ptr<const Source> source_;
  std::vector<int64_t> samples_;
};

// Numbers that only count the columns are what some programs write for a header.
bool counts_columns(const std::vector<double>& values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] != static_cast<double>(i)) return false;
  return values.size() > 1;
}

std::string wrong_count(const CsvNumbers& table, size_t count, const KeySpec& key) {
  const auto expected = static_cast<size_t>(key.spec.elements());
  std::string text = "has " + std::to_string(count) + " numbers, but the model's input '" +
                     key.key + "' is " + key.spec.text() + " and needs " +
                     std::to_string(expected) + ".";
  if (count > expected && !table.header.empty())
    text += " Leave out columns that are no input, such as " + quote(table.header.front()) +
            " or " + quote(table.header.back()) + ".";
  return text;
}

// Numbers from 0 for black to 1 for white, to what the training data hold as bytes. What is not
// finite is told elsewhere.
void to_bytes(RawInput& input, const KeySpec& key) {
  const auto [black, white] = key.spec.image_range.value_or(std::pair(0.0, 255.0));
  for (size_t i = 0; i < input.values.size(); ++i) {
    float& value = input.values[i];
    if (std::isfinite(value) && (value < 0 || value > 1))
      throw DataError(input.name + ": number " + std::to_string(i + 1) + " is " +
                      shortest_number(value) + ", but the model's input '" + key.key +
                      "' is an image of bytes; give numbers from 0 for black to 1 for white.");
    value = static_cast<float>(std::round(black + value * (white - black)));
  }
}

std::vector<RawInput> from_rows(const std::string& text, const std::filesystem::path& file,
                                const KeySpec& key) {
  const CsvNumbers table = parse_csv_numbers(text, file.string());
  std::vector<RawInput> inputs;
  for (const CsvNumbers::Row& row : table.rows) {
    const std::string line = std::to_string(row.line);
    if (row.values.size() != static_cast<size_t>(key.spec.elements()))
      throw DataError(file.string() + ":" + line + ": " +
                      wrong_count(table, row.values.size(), key));
    inputs.push_back({file.string() + " row " + line, {row.values.begin(), row.values.end()}, {}});
    if (key.spec.dtype == DType::kUint8) to_bytes(inputs.back(), key);
    if (inputs.size() == 1 && counts_columns(row.values))
      inputs[0].notes.push_back(
          "this row only counts the columns; if it is the header, remove it.");
  }
  if (inputs.empty())
    throw DataError(file.string() + " holds no row of numbers" +
                    (table.header.empty() ? "." : ", only a header."));
  return inputs;
}

// A sample for each line, as the source of the training data has them.
std::vector<RawInput> from_lines(const std::string& text, const std::filesystem::path& file) {
  std::vector<RawInput> inputs;
  int64_t number = 0;
  for (std::string line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    inputs.push_back({file.string() + " line " + std::to_string(number), {}, {}, std::move(line)});
  }
  if (inputs.empty()) throw DataError(file.string() + " holds no line of text.");
  return inputs;
}

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
}

// Also a number beyond float32's is infinite by now.
void check_finite(const RawInput& input, const KeySpec& key) {
  for (size_t i = 0; i < input.values.size(); ++i)
    if (!std::isfinite(input.values[i]))
      throw DataError(input.name + ": number " + std::to_string(i + 1) + " of " +
                      std::to_string(input.values.size()) + " is " +
                      shortest_number(input.values[i]) + " as float32, but the model's input '" +
                      key.key + "' must be finite. Mend it, or leave this input out.");
}

}  // namespace

bool is_fillable(const Spec& spec) {
  if (spec.role == Role::kEncodedImage || spec.role == Role::kText) return true;
  if (spec.is_ragged()) return false;
  return spec.dtype == DType::kFloat32 || (spec.dtype == DType::kUint8 && is_image(spec));
}

std::vector<RawInput> read_raw_file(const std::filesystem::path& file, const KeySpec& key,
                                    bool is_inverted) {
  if (!is_fillable(key.spec))
    throw GraphError("the model's input '" + key.key + "' is " + key.spec.text() +
                     "; only images, text and float32 numbers can be made from raw files.");
  std::string bytes = read_file(file, kRawFileLimitBytes);
  if (key.spec.role == Role::kEncodedImage || key.spec.role == Role::kText) {
    if (is_inverted)
      throw ConfigError("--invert: the model takes files as they are, so that '" + file.string() +
                        "' cannot be inverted. Invert the file itself.");
    if (key.spec.role == Role::kText) return from_lines(bytes, file);
    return {{file.string(), {}, {}, std::move(bytes)}};
  }
  if (is_png(bytes)) return {picture_input(bytes, file.string(), key, is_inverted)};
  if (is_utf16(bytes))
    throw DataError(file.string() + " is text in UTF-16; save it as CSV in UTF-8.");
  if (bytes.find('\0') != std::string::npos)
    throw DataError(file.string() + " is neither a PNG picture nor CSV text.");
  return from_rows(bytes, file, key);
}

std::shared_ptr<const Source> make_raw_source(KeySpec key, std::vector<RawInput> inputs) {
  for (const RawInput& input : inputs) check_finite(input, key);
  return std::make_shared<RawSource>(std::move(key), std::move(inputs));
}

std::shared_ptr<const Source> make_chosen_source(std::shared_ptr<const Source> source,
                                                 std::vector<int64_t> samples) {
  return std::make_shared<ChosenSource>(std::move(source), std::move(samples));
}

}  // namespace hearth
