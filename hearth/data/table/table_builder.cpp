// Rows of texts made into a table by several threads.
#include "hearth/data/table/table_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr size_t kMostGuessedCategories = 10'000;
constexpr size_t kMostCategories = 10'000'000;
constexpr size_t kShownText = 40;  // of a field, in messages
constexpr int64_t kFewValues = 10;
constexpr int64_t kMostOf = 10;  // all but a tenth

bool are_most(int64_t count, int64_t values) {
  return values >= kFewValues && values - count <= values / kMostOf;
}

// One slip of the pen, and a column of numbers is none of the features any more.
void tell_spoilt(const std::string& what, const TableColumn& column, const std::string& text,
                 const std::string& kind) {
  tell_work_note(what + ": column " + quote(column.name) + " is taken for categories, as " +
                 quote(text) + " is no " + kind +
                 ", though most of its values are. Say columns: {" + column.name +
                 ": category} if that is right, " + column.name + ": " + kind +
                 " to be shown where it stands, or list the text under `missing`.");
}

}  // namespace

MissingTexts::MissingTexts(const std::vector<std::string>& texts)
    : texts_(texts.begin(), texts.end()) {
  texts_.insert(kMissingClass);
  for (const std::string& text : texts_) {
    const auto number = read_table_number(text);
    has_numbers_ = has_numbers_ || (number && std::isfinite(*number));
    longest_ = std::max(longest_, text.size());
  }
}

KindGuess::KindGuess(const std::vector<TableColumn>& columns, const MissingTexts& missing)
    : missing_(missing), seen_(columns.size()) {}

void KindGuess::add(std::span<const CsvField> row) {
  for (size_t i = 0; i < seen_.size() && i < row.size(); ++i) {
    const std::string_view text = trim(row[i].text);
    if (missing_.has(text)) continue;
    Seen& seen = seen_[i];
    ++seen.values;
    seen.numbers.add(text, read_table_number(text).has_value());
    seen.dates.add(text, parse_date(text).has_value());
  }
}

void KindGuess::Fitting::add(std::string_view text, bool fits) {
  count += fits ? 1 : 0;
  if (!fits && misfit.empty()) misfit = text.substr(0, kShownText);
}

void KindGuess::apply(std::vector<TableColumn>& columns, const std::string& what) const {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].is_given) continue;
    const auto& [values, numbers, dates] = seen_[i];
    columns[i].is_empty = values == 0;
    columns[i].kind = numbers.count == values ? ColumnKind::kNumber
                      : dates.count == values ? ColumnKind::kDate
                                              : ColumnKind::kCategory;
    if (columns[i].kind != ColumnKind::kCategory) continue;
    if (are_most(numbers.count, values)) tell_spoilt(what, columns[i], numbers.misfit, "number");
    if (are_most(dates.count, values)) tell_spoilt(what, columns[i], dates.misfit, "date");
  }
}

TableBuilder::TableBuilder(std::vector<TableColumn> columns, const TableOptions& options)
    : columns_(std::move(columns)),
      options_(options),
      layout_(columns_),
      missing_(options.missing),
      found_(columns_.size()) {
  for (size_t i = 0; i < columns_.size(); ++i)
    for (const std::string& text : columns_[i].vocabulary)
      found_[i].emplace(text, static_cast<int32_t>(found_[i].size()));
}

std::optional<int32_t> TableBuilder::number_of(size_t column, std::string_view text) {
  const std::lock_guard lock(mutex_);
  TextNumbers& found = found_[column];
  const auto known = found.find(text);
  if (known != found.end()) return known->second;
  if (columns_[column].has_vocabulary) return std::nullopt;
  const size_t most = columns_[column].is_given ? kMostCategories : kMostGuessedCategories;
  if (found.size() == most)
    throw DataError("column " + quote(columns_[column].name) + " has more than " +
                    human_count(most) +
                    " different texts. Say under `columns` what it is: number, date, text, skip or "
                    "category.");
  return found.emplace(text, static_cast<int32_t>(found.size())).first->second;
}

TableBuilder::Part::Part(TableBuilder& builder)
    : builder_(builder), known_(builder.columns_.size()) {}

void TableBuilder::Part::begin(TableBlock block, std::string what) {
  block_ = std::move(block);
  what_ = std::move(what);
}

void TableBuilder::Part::add(std::span<const CsvField> row, int64_t line) {
  const auto& columns = builder_.columns_;
  const TableLayout& layout = builder_.layout_;
  line_ = line;
  field_ = &row.front();
  if (row.size() != columns.size()) {
    if (row.size() == 1 && trim(row[0].text).empty()) return;  // an empty line
    fail("has " + std::to_string(row.size()) + " fields, but the table has " +
         std::to_string(columns.size()) + " columns. Is the separator right?");
  }
  std::vector<std::byte>& rows = block_.rows.own();
  rows.resize(rows.size() + layout.row_bytes);
  std::byte* values = rows.data() + rows.size() - layout.row_bytes;
  for (const TablePlace& place : layout.numbers) {
    field_ = &row[place.column];
    add_number(columns[place.column], trim(field_->text),
               reinterpret_cast<float*>(values + place.offset));
  }
  for (const TablePlace& place : layout.categories) {
    field_ = &row[place.column];
    const int32_t number = category(place.column, trim(field_->text));
    std::memcpy(values + place.offset, &number, sizeof(number));
  }
  for (const TablePlace& place : layout.texts) {
    std::vector<char>& texts = block_.texts.own();
    const uint64_t from = texts.size();
    texts.insert(texts.end(), row[place.column].text.begin(), row[place.column].text.end());
    const uint64_t span[2] = {from, texts.size()};
    std::memcpy(values + place.offset, span, sizeof(span));
  }
  block_.lines.own().push_back(static_cast<uint32_t>(line - block_.first_line));
}

void TableBuilder::Part::add_number(const TableColumn& column, std::string_view text, float* into) {
  const size_t count = number_count(column.kind);
  const auto index = static_cast<size_t>(&column - builder_.columns_.data());
  const bool is_plain = column.kind == ColumnKind::kNumber;
  // Most texts are numbers, which is soon found out; whether a text stands for nothing is not.
  const auto number = is_plain ? read_table_number(text) : std::nullopt;
  const bool is_finite = number && std::isfinite(static_cast<float>(*number));
  if (is_finite && !builder_.missing_.has_numbers()) {
    *into = static_cast<float>(*number);
  } else if (builder_.missing_.has(text)) {
    if (column.is_target) fail("the target " + quote(column.name) + " is missing.");
    std::fill_n(into, count, std::numeric_limits<float>::quiet_NaN());
  } else if (is_plain) {
    if (!number) return note_misfit(index, text);
    *into = static_cast<float>(*number);
    if (!is_finite)
      fail(quote(text.substr(0, kShownText)) + " in column " + quote(column.name) +
           " is no finite number as float32. Mend it, or list it under `missing`.");
  } else {
    const auto date = parse_date(text);
    if (!date) return note_misfit(index, text);
    write_date(*date, column.kind, into);
  }
}

// 0 is what is missing, where it may be.
int32_t TableBuilder::Part::category(size_t column, std::string_view text) {
  const TableColumn& of = builder_.columns_[column];
  const int32_t first = of.is_target ? 0 : 1;
  const auto known = known_[column].find(text);
  if (known != known_[column].end()) return known->second + first;
  if (builder_.missing_.has(text)) {
    if (of.is_target) fail("the target " + quote(of.name) + " is missing.");
    return 0;
  }
  const auto number = builder_.number_of(column, text);
  if (!number) {
    if (builder_.options_.accepts_unknown && !of.is_target) return 0;
    fail("column " + quote(of.name) + " has no value " + quote(text.substr(0, kShownText)) + "." +
         did_you_mean(text, of.vocabulary) +
         (of.is_target ? "" : " With unknown: missing, it counts as missing."));
  }
  known_[column].emplace(text, *number);
  return *number + first;
}

void TableBuilder::Part::note_misfit(size_t column, std::string_view text) {
  const TableColumn& of = builder_.columns_[column];
  if (of.is_given)
    fail("expected " +
         std::string(of.kind == ColumnKind::kNumber ? "a number" : "a date such as 2024-02-29") +
         " in column " + quote(of.name) + ", but found " + quote(text.substr(0, kShownText)) +
         ". Mend it, or list it under `missing`.");
  const bool is_date = of.is_empty && parse_date(text).has_value();
  const std::lock_guard lock(builder_.mutex_);
  auto [place, is_new] =
      builder_.misfits_.emplace(column, is_date ? ColumnKind::kDate : ColumnKind::kCategory);
  // What is a date here and something else there is a category.
  if (!is_date) place->second = ColumnKind::kCategory;
}

void TableBuilder::Part::fail(const std::string& reason) const {
  throw_csv_error(what_, line_, field_->column, reason);
}

void TableBuilder::Part::end() {
  block_.rows.own().shrink_to_fit();
  const uint64_t all = builder_.bytes_ += block_.bytes();
  if (all > builder_.options_.most_bytes) block_.move_to(builder_.overflow(what_));
  const std::lock_guard lock(builder_.mutex_);
  builder_.blocks_.push_back(std::move(block_));
}

OverflowFile& TableBuilder::overflow(const std::string& what) {
  const std::lock_guard lock(mutex_);
  if (overflow_) return *overflow_;
  const std::string memory = human_bytes(options_.most_bytes);
  try {
    overflow_ = std::make_shared<OverflowFile>(options_.overflow_folder);
  } catch (const DataError& error) {
    throw DataError(what + ": the table takes more than the " + memory +
                    " of memory it may, and the rest has no place on the disk. " + error.what() +
                    " Skip columns, or raise `megabytes`.");
  }
  note_ = what + ": the table takes more than the " + memory +
          " of memory it may (`megabytes`); the rest lies in a file in " +
          options_.overflow_folder.string() + " as long as this runs.";
  return *overflow_;
}

// Threads met the texts in some order; the table has them in one that depends on the texts only.
void TableBuilder::number_categories() {
  for (const TablePlace& place : layout_.categories) {
    TableColumn& column = columns_[place.column];
    if (column.has_vocabulary) continue;
    const TextNumbers& found = found_[place.column];
    for (const auto& [text, number] : found) column.vocabulary.push_back(text);
    sort_vocabulary(column.vocabulary);
    column.has_vocabulary = true;
    const int32_t first = column.is_target ? 0 : 1;
    std::vector<int32_t> sorted(found.size() + 1, 0);  // by the number it was met with
    for (size_t i = 0; i < column.vocabulary.size(); ++i)
      sorted[static_cast<size_t>(found.at(column.vocabulary[i]) + first)] =
          static_cast<int32_t>(i) + first;
    for (TableBlock& block : blocks_)
      for (size_t at = place.offset; at < block.rows.all().size(); at += layout_.row_bytes) {
        int32_t number = 0;
        std::byte* value = block.rows.all().data() + at;
        std::memcpy(&number, value, sizeof(number));
        std::memcpy(value, &sorted[static_cast<size_t>(number)], sizeof(number));
      }
  }
}

std::optional<ColumnTable> TableBuilder::finish() {
  for (const auto& [column, kind] : misfits_) {
    columns_[column].kind = kind;
    columns_[column].is_empty = false;
  }
  if (!misfits_.empty()) return std::nullopt;
  number_categories();
  if (overflow_) tell_work_note(note_);
  return ColumnTable(columns_, std::move(blocks_), std::move(overflow_));
}

}  // namespace hearth
