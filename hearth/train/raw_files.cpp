// Files that a stranger has, as raw samples of one key.
#include "hearth/train/raw_files.h"

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/csv.h"
#include "hearth/format/picture.h"
#include "hearth/format/wav.h"
#include "hearth/train/raw_picture.h"
#include "hearth/train/raw_value.h"

namespace hearth {
namespace {

// Numbers that only count the columns are what some programs write for a header.
bool counts_columns(const std::vector<double>& values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] != static_cast<double>(i)) return false;
  return values.size() > 1;
}

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
}

void check_row(const CsvNumbers& table, const CsvNumbers::Row& row, const std::string& file,
               const KeySpec& key) {
  const size_t count = row.values.size();
  if (key.spec.is_ragged() || count == static_cast<size_t>(key.spec.elements())) return;
  std::string text = file + ":" + std::to_string(row.line) + ": " + wrong_count_text(count, key);
  if (count > static_cast<size_t>(key.spec.elements()) && !table.header.empty())
    text += " Leave out columns that are no input, such as " + quote(table.header.front()) +
            " or " + quote(table.header.back()) + ".";
  throw DataError(text);
}

CsvNumbers checked_table(const std::string& text, const std::string& file, const KeySpec& key) {
  if (is_utf16(text)) throw DataError(file + " is text in UTF-16; save it as CSV in UTF-8.");
  if (text.find('\0') != std::string::npos)
    throw DataError(file + " is neither a picture (" + std::string(kPictureFormats) +
                    ") nor CSV text.");
  CsvNumbers table = parse_csv_numbers(text, file);
  for (const CsvNumbers::Row& row : table.rows) check_row(table, row, file, key);
  if (table.rows.empty())
    throw DataError(file + " holds no row of numbers" +
                    (table.header.empty() ? "." : ", only a header."));
  return table;
}

std::vector<RawSample> from_rows(const std::string& text, const std::string& file,
                                 const KeySpec& key) {
  std::vector<RawSample> samples;
  for (const CsvNumbers::Row& row : checked_table(text, file, key).rows) {
    RawSample sample{file + " row " + std::to_string(row.line),
                     {{key.key, RawNumbers{row.values}}}};
    (void)fill_value(sample.values.at(key.key), key, sample.name, sample.notes);
    if (samples.empty() && counts_columns(row.values))
      sample.notes.push_back("this row only counts the columns; if it is the header, remove it.");
    samples.push_back(std::move(sample));
  }
  return samples;
}

// A sample for each line, as the source of the training data has them.
std::vector<RawSample> from_lines(const std::string& text, const std::string& file,
                                  const KeySpec& key) {
  std::vector<RawSample> samples;
  int64_t number = 0;
  for (std::string line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    samples.push_back(
        {file + " line " + std::to_string(number), {{key.key, RawText{std::move(line)}}}});
  }
  if (samples.empty()) throw DataError(file + " holds no line of text.");
  return samples;
}

}  // namespace

std::string wrong_count_text(size_t count, const KeySpec& key) {
  return "has " + std::to_string(count) + " numbers, but the model's input '" + key.key + "' is " +
         key.spec.text() + " and needs " + std::to_string(key.spec.elements()) + ".";
}

std::vector<RawSample> samples_of_file(const std::filesystem::path& file, const KeySpec& key,
                                       bool is_inverted) {
  const std::string name = file.string();
  const std::string bytes = read_file(file, kRawFileLimitBytes);
  if (key.spec.role == Role::kText && !is_inverted) return from_lines(bytes, name, key);
  const bool is_sound = key.spec.role == Role::kSound && is_wav(bytes);
  if (key.spec.role == Role::kText || key.spec.role == Role::kEncodedImage || is_sound ||
      is_read_as_picture(bytes, file, key.spec)) {
    if (is_inverted && !is_image(key.spec))
      throw ConfigError("--invert: the model takes files as they are, so that '" + name +
                        "' cannot be inverted. Invert the file itself.");
    return {{name, {{key.key, RawFile{file, is_inverted}}}}};
  }
  return from_rows(bytes, name, key);
}

RawNumbers only_row(const std::string& text, const std::string& file, const KeySpec& key) {
  const CsvNumbers table = checked_table(text, file, key);
  if (table.rows.size() > 1)
    throw DataError(file + " has " + std::to_string(table.rows.size()) +
                    " rows, but one data point was asked for. Give each row by itself.");
  return {table.rows.front().values};
}

}  // namespace hearth
