// A table as the keys of a source.
#include "hearth/data/table/column_table.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/offset_index.h"

namespace hearth {

namespace {

constexpr const char* kFeaturesKey = "features";
constexpr const char* kLabelKey = "label";

struct TextSpan {
  uint64_t begin;
  uint64_t end;
};

void check_known(const std::string& column, const std::vector<std::string>& names,
                 const std::string& what) {
  if (std::find(names.begin(), names.end(), column) != names.end()) return;
  throw ConfigError(quote(column) + " is no column of " + what + "." + did_you_mean(column, names));
}

// `columns: {city: category}` or `columns: {size: [small, large]}`.
void give_kind(TableColumn& column, const std::vector<std::string>& words) {
  column.is_given = true;
  if (words.size() == 1) {
    const auto kind = column_kind_from(words[0]);
    if (!kind)
      throw ConfigError("columns: " + quote(column.name) + " is said to be " + quote(words[0]) +
                        ", which is no kind of column." +
                        did_you_mean(words[0], column_kind_words()) +
                        " Or list the values of a category: [small, large].");
    column.kind = *kind;
    return;
  }
  const std::set<std::string> different(words.begin(), words.end());
  if (different.size() != words.size() || words.empty())
    throw ConfigError("columns: the values of " + quote(column.name) +
                      " must be listed once each, two or more.");
  column.kind = ColumnKind::kCategory;
  column.has_vocabulary = true;
  column.vocabulary = words;
}

}  // namespace

std::filesystem::path overflow_folder_of_user() {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? std::filesystem::temp_directory_path() : folder;
}

std::vector<TableColumn> table_columns(const std::vector<std::string>& names,
                                       const TableOptions& options, const std::string& what) {
  for (const auto& [name, words] : options.columns) check_known(name, names, what);
  for (const std::string& target : options.targets) check_known(target, names, what);
  std::vector<TableColumn> columns;
  for (const std::string& name : names) {
    TableColumn& column = columns.emplace_back(TableColumn{.name = name});
    const auto found = options.columns.find(name);
    if (found != options.columns.end()) give_kind(column, found->second);
    const auto& targets = options.targets;
    column.is_target = std::find(targets.begin(), targets.end(), name) != targets.end();
    if (column.is_target && column.is_given &&
        (column.kind == ColumnKind::kSkip || column.kind == ColumnKind::kText ||
         column.kind == ColumnKind::kDateParts))
      throw ConfigError("target: " + quote(name) +
                        " must be a number, a date or a category to be predicted.");
  }
  return columns;
}

TableLayout::TableLayout(const std::vector<TableColumn>& columns) {
  for (const bool is_target : {false, true}) {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].is_target != is_target || !columns[i].is_number()) continue;
      numbers.push_back({i, row_bytes});
      row_bytes += number_count(columns[i].kind) * sizeof(float);
    }
    if (!is_target) feature_count = row_bytes / sizeof(float);
  }
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].kind == ColumnKind::kCategory) {
      categories.push_back({i, row_bytes});
      row_bytes += sizeof(int32_t);
    }
  row_bytes = (row_bytes + 7) / 8 * 8;
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].kind == ColumnKind::kText) {
      texts.push_back({i, row_bytes});
      row_bytes += sizeof(TextSpan);
    }
}

ColumnTable::ColumnTable(std::vector<TableColumn> columns, std::vector<TableBlock> blocks,
                         std::shared_ptr<OverflowFile> overflow)
    : columns_(std::move(columns)),
      layout_(columns_),
      overflow_(std::move(overflow)),
      blocks_(std::move(blocks)) {
  std::sort(blocks_.begin(), blocks_.end(),
            [](const auto& left, const auto& right) { return left.number < right.number; });
  std::erase_if(blocks_, [](const TableBlock& block) { return block.lines.all().empty(); });
  int64_t rows = 0;
  for (const TableBlock& block : blocks_)
    starts_.push_back(rows += static_cast<int64_t>(block.lines.all().size()));
  for (const TableColumn& column : columns_) targets_ += column.is_target ? 1 : 0;
  (void)keys();
}

std::string ColumnTable::key_of(const TableColumn& column) const {
  return column.is_target && targets_ == 1 ? kLabelKey : column.name;
}

Spec ColumnTable::spec_of(const TableColumn& column) const {
  Spec spec;
  spec.columns = {column.name};
  if (column.kind == ColumnKind::kText) {
    spec.dtype = DType::kUint8;
    spec.shape = {kAnyLength};
    spec.role = Role::kText;
  } else if (column.kind == ColumnKind::kCategory) {
    spec.dtype = DType::kInt64;
    spec.class_names = column.vocabulary;
    // What is missing is a class of its own, except where it would have to be predicted.
    if (!column.is_target) spec.class_names.insert(spec.class_names.begin(), kMissingClass);
    spec.classes = static_cast<int64_t>(spec.class_names.size());
    spec.role = column.is_target ? Role::kClass : Role::kTokens;
  }
  return spec;
}

std::vector<KeySpec> ColumnTable::keys() const {
  std::vector<KeySpec> keys;
  if (layout_.feature_count > 0) {
    Spec features{.dtype = DType::kFloat32, .shape = {static_cast<int64_t>(layout_.feature_count)}};
    for (const TablePlace& place : layout_.numbers)
      if (!columns_[place.column].is_target)
        for (std::string& name : columns_[place.column].feature_names())
          features.columns.push_back(std::move(name));
    keys.push_back({kFeaturesKey, std::move(features)});
  }
  for (const TablePlace& place : layout_.numbers)
    if (columns_[place.column].is_target)
      keys.push_back({key_of(columns_[place.column]), spec_of(columns_[place.column])});
  for (const auto* places : {&layout_.categories, &layout_.texts})
    for (const TablePlace& place : *places)
      keys.push_back({key_of(columns_[place.column]), spec_of(columns_[place.column])});
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (keys[i].key == keys[k].key)
        throw ConfigError("columns: two keys would be called " + quote(keys[i].key) +
                          ". Give the column of that name another one, or skip it.");
  return keys;
}

const TableBlock& ColumnTable::block_of(int64_t index, int64_t& row) const {
  const auto found = std::upper_bound(starts_.begin(), starts_.end(), index);
  const auto at = static_cast<size_t>(found - starts_.begin());
  row = index - (at == 0 ? 0 : starts_[at - 1]);
  return blocks_[at];
}

// In the order of `keys`.
void ColumnTable::read(int64_t index, std::span<const Cell> cells) const {
  int64_t row = 0;
  const TableBlock& block = block_of(index, row);
  const std::byte* values = block.rows.all().data() + static_cast<size_t>(row) * layout_.row_bytes;
  size_t k = 0;
  if (layout_.feature_count > 0 && cells[k++].is_wanted())
    std::memcpy(cells[k - 1].view().data, values, layout_.feature_count * sizeof(float));
  for (const TablePlace& place : layout_.numbers)
    if (columns_[place.column].is_target && cells[k++].is_wanted())
      std::memcpy(cells[k - 1].view().data, values + place.offset, sizeof(float));
  for (const TablePlace& place : layout_.categories) {
    int32_t number = 0;
    std::memcpy(&number, values + place.offset, sizeof(number));
    if (cells[k++].is_wanted()) cells[k - 1].set(static_cast<int64_t>(number));
  }
  for (const TablePlace& place : layout_.texts) {
    if (!cells[k++].is_wanted()) continue;
    TextSpan text{};
    std::memcpy(&text, values + place.offset, sizeof(text));
    const auto length = static_cast<size_t>(text.end - text.begin);
    const View room = cells[k - 1].take({static_cast<int64_t>(length)});
    if (length > 0) std::memcpy(room.data, block.texts.all().data() + text.begin, length);
  }
}

uint64_t ColumnTable::resident_bytes() const {
  uint64_t bytes = 0;
  for (const TableBlock& block : blocks_) bytes += block.resident_bytes();
  return bytes;
}

ColumnTable::Place ColumnTable::place(int64_t index) const {
  int64_t row = 0;
  const TableBlock& block = block_of(index, row);
  return {block.file, block.first_line + block.lines.all()[static_cast<size_t>(row)]};
}

}  // namespace hearth
