// Rows of a query to an SQLite database.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct SqliteOptions {
  std::string file = {};   // must be given
  std::string query = {};  // must be given
  std::vector<std::string> target = {};
  std::map<std::string, std::vector<std::string>> columns = {};
  std::string unknown = "error";
  int64_t megabytes = 2048;
  static const Schema<SqliteOptions>& schema();
};

[[nodiscard]] Choice<Source> sqlite(const SqliteOptions& options = {});

}  // namespace hearth::sources
