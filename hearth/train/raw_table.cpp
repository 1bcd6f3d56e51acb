// Rows with names of columns, as raw samples.
#include "hearth/train/raw_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/data/table/table_builder.h"
#include "hearth/format/csv.h"
#include "hearth/format/json.h"
#include "hearth/train/raw_value.h"

namespace hearth {
namespace {

using TableRow = std::map<std::string, std::string>;

// One row being turned into values of keys.
class RowFiller {
 public:
  RowFiller(const std::string& name, const TableRow& row)
      : name_(name), row_(row), missing_(usual_missing_texts()) {}

  [[nodiscard]] RawValue value(const Spec& spec) const {
    if (spec.role == Role::kText) return RawText{text_of(spec.columns[0])};
    if (spec.dtype == DType::kInt64) {
      const int64_t number = category(spec);
      return RawTensor::of<int64_t>(DType::kInt64, spec.shape, {&number, 1});
    }
    std::vector<float> numbers;
    for (const std::string& column : spec.columns) numbers.push_back(number_of(column));
    return RawTensor::of<float>(DType::kFloat32, spec.shape, numbers);
  }

 private:
  [[noreturn]] void fail(const std::string& column, const std::string& reason) const {
    throw DataError(name_ + ": column " + quote(column) + " " + reason);
  }

  [[nodiscard]] const std::string& text_of(const std::string& column) const {
    const auto found = row_.find(column);
    if (found != row_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, text] : row_) known.push_back(name);
    throw DataError(name_ + ": there is no column " + quote(column) + ", which the model needs." +
                    did_you_mean(column, known) + " What is not known may be left empty.");
  }

  [[nodiscard]] int64_t category(const Spec& spec) const {
    const std::string& column = spec.columns[0];
    const std::string text(trim(text_of(column)));
    if (missing_.has(text)) return 0;
    const auto found = std::find(spec.class_names.begin(), spec.class_names.end(), text);
    if (found == spec.class_names.end())
      fail(column, "has no value " + quote(text) + " in the training data." +
                       did_you_mean(text, {spec.class_names.begin() + 1, spec.class_names.end()}) +
                       " Leave it empty if it is another.");
    return found - spec.class_names.begin();
  }

  // A column of the training's own, or a part of a date: "built.year" of "built".
  [[nodiscard]] float number_of(const std::string& column) const {
    const size_t point = column.rfind('.');
    const std::string base = column.substr(0, point);
    const bool is_part = point != std::string::npos && !row_.contains(column) &&
                         (row_.contains(base) || date_part({}, column.substr(point + 1)));
    const std::string text(trim(text_of(is_part ? base : column)));
    if (missing_.has(text)) return std::numeric_limits<float>::quiet_NaN();
    if (is_part) {
      const auto date = parse_date(text);
      const auto part = date ? date_part(*date, column.substr(point + 1)) : std::nullopt;
      if (!part) fail(base, "must be a date such as 2024-02-29, but is " + quote(text) + ".");
      return *part;
    }
    const auto number = read_table_number(text);
    if (!number || !std::isfinite(static_cast<float>(*number)))
      fail(column, "must be a number, but is " + quote(text) + ".");
    return static_cast<float>(*number);
  }

  const std::string& name_;
  const TableRow& row_;
  MissingTexts missing_;
};

std::string json_text(const Json& value, const std::string& name, const std::string& column) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number()) return value.dump();
  throw DataError(name + ": column " + quote(column) + " must be a number or a text.");
}

RawSample sample_of_json(const Json& object, const std::string& name,
                         const std::vector<KeySpec>& keys) {
  if (!object.is_object())
    throw DataError(name +
                    ": expected an object with a value for each column, such as "
                    "{\"rooms\": 3, \"city\": \"Bern\"}.");
  TableRow row;
  for (const auto& [column, value] : object.items()) row[column] = json_text(value, name, column);
  return table_sample(name, row, keys);
}

bool starts_json(std::string_view text) {
  const std::string_view rest = trim(text);
  return rest.starts_with('{') || rest.starts_with('[');
}

}  // namespace

bool is_table(const std::vector<KeySpec>& keys) {
  return !keys.empty() && std::all_of(keys.begin(), keys.end(),
                                      [](const KeySpec& key) { return !key.spec.columns.empty(); });
}

RawSample table_sample(const std::string& name, const std::map<std::string, std::string>& row,
                       const std::vector<KeySpec>& keys) {
  RawSample sample{name};
  for (const KeySpec& key : keys) sample.values[key.key] = RowFiller(name, row).value(key.spec);
  return sample;
}

std::vector<RawSample> table_samples_of_json(const std::string& text, const std::string& name,
                                             const std::vector<KeySpec>& keys) {
  const Json json = parse_json(text, name);
  if (!json.is_array()) return {sample_of_json(json, name, keys)};
  std::vector<RawSample> samples;
  for (const Json& object : json)
    samples.push_back(
        sample_of_json(object, name + " row " + std::to_string(samples.size() + 1), keys));
  if (samples.empty()) throw DataError(name + " holds no row.");
  return samples;
}

std::vector<RawSample> table_samples(const std::filesystem::path& file,
                                     const std::vector<KeySpec>& keys) {
  const std::string name = file.string();
  const std::string text = read_file(file, kRawFileLimitBytes);
  if (starts_json(text)) return table_samples_of_json(text, name, keys);
  const std::vector<CsvRow> rows = parse_csv(text, name, csv_separator_of(text));
  std::vector<RawSample> samples;
  for (size_t i = 1; i < rows.size(); ++i) {
    const CsvRow& cells = rows[i];
    if (cells.fields.size() == 1 && trim(cells.fields[0]).empty()) continue;
    if (cells.fields.size() != rows[0].fields.size())
      throw DataError(name + ":" + std::to_string(cells.line) + ": has " +
                      std::to_string(cells.fields.size()) + " fields, but the header names " +
                      std::to_string(rows[0].fields.size()) + " columns.");
    TableRow row;
    for (size_t k = 0; k < cells.fields.size(); ++k)
      row[std::string(trim(rows[0].fields[k]))] = cells.fields[k];
    samples.push_back(table_sample(name + " row " + std::to_string(cells.line), row, keys));
  }
  if (samples.empty())
    throw DataError(name + " holds no row; the first line names the columns, and a row follows.");
  return samples;
}

}  // namespace hearth
