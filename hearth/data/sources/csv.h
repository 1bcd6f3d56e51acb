// Rows of CSV files: numbers, categories, dates and texts by column.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"
#include "hearth/data/table/table_column.h"

namespace hearth::sources {

struct CsvOptions {
  std::vector<std::string> file = {};  // must be given
  std::vector<std::string> target = {};
  std::map<std::string, std::vector<std::string>> columns = {};
  std::string like = {};
  std::string header = "auto";
  std::string separator = "auto";
  std::vector<std::string> missing = usual_missing_texts();
  std::string unknown = "error";
  int64_t megabytes = 2048;
  static const Schema<CsvOptions>& schema();
};

[[nodiscard]] Choice<Source> csv(const CsvOptions& options = {});

}  // namespace hearth::sources
