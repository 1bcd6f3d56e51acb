// A column of a table: what its texts are, and the numbers they become.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/format/iso_date.h"

namespace hearth {

enum class ColumnKind : uint8_t {
  kNumber,
  kCategory,
  kDate,       // a number: days since 1970, with their fraction
  kDateParts,  // five numbers
  kText,
  kSkip
};
[[nodiscard]] std::optional<ColumnKind> column_kind_from(std::string_view word);  // "date_parts"
[[nodiscard]] std::vector<std::string> column_kind_words();

struct TableColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  bool is_given = false;   // the config says the kind: a text that does not fit is a fault
  bool is_target = false;  // what is to be predicted
  bool is_empty = false;   // no value was seen when the kind was guessed
  bool has_vocabulary = false;
  std::vector<std::string> vocabulary = {};  // of a category, in the order of its numbers

  [[nodiscard]] bool is_number() const {
    return kind == ColumnKind::kNumber || kind == ColumnKind::kDate ||
           kind == ColumnKind::kDateParts;
  }
  // "price"; "when.days"; "when.year", "when.month", "when.day", "when.weekday", "when.hour".
  [[nodiscard]] std::vector<std::string> feature_names() const;
};

// How many numbers it becomes.
[[nodiscard]] size_t number_count(ColumnKind kind);
// The numbers of a date, in the order of the names.
void write_date(const DateTime& date, ColumnKind kind, float* into);
// One of them by its name behind the point: "hour"; nothing for another name.
[[nodiscard]] std::optional<float> date_part(const DateTime& date, std::string_view part);

// A plain number without spaces around; nothing otherwise. "inf" and "nan" are numbers here.
[[nodiscard]] std::optional<double> read_table_number(std::string_view text);

// Texts that stand for nothing unless a config says others: "NA", "null", "nan", ...
[[nodiscard]] std::vector<std::string> usual_missing_texts();

// The class of what is missing: the first of every category.
inline constexpr const char* kMissingClass = "(missing)";

// Numbers by their value, other texts by their bytes.
void sort_vocabulary(std::vector<std::string>& vocabulary);

}  // namespace hearth
