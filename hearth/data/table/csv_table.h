// Tables from CSV files, parsed by all cores in one pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/data/opened_file.h"
#include "hearth/data/table/column_table.h"

namespace hearth {

enum class CsvHeader : uint8_t {
  kAuto,  // a first row without a number or a date is one
  kYes,
  kNo  // columns are called column_1, column_2, ...
};

struct CsvForm {
  char separator = '\0';  // '\0': as the first line has it
  CsvHeader header = CsvHeader::kAuto;
};

// All files have the columns of the first. Kinds and vocabularies are those of `like`, when there
// are any, then what the options say, then what the rows show. DataError names file:line:column.
[[nodiscard]] ColumnTable load_csv_table(std::span<const OpenedFile> files, const CsvForm& form,
                                         const TableOptions& options,
                                         const std::vector<TableColumn>& like = {});

}  // namespace hearth
