// What a file beside the data says of each sample: CSV with a header, or JSON lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth {

struct SideTableRequest {
  std::string file;
  std::string key;                   // the column that says which sample a row is about
  std::vector<std::string> columns;  // those that are wanted; none: all others
};

class SideTable {
 public:
  // DataError names file, line and column: no such column, a key twice, a missing field.
  explicit SideTable(const SideTableRequest& request);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  // A text for each column; null when no row has this key.
  [[nodiscard]] const std::vector<std::string>* find(const std::string& key) const;

 private:
  void read_csv(const std::string& text, const SideTableRequest& request);
  void read_json_lines(const std::string& text, const SideTableRequest& request);
  void add(const SideTableRequest& request, int64_t line, const std::string& key,
           std::vector<std::string> values);

  struct Row {
    int64_t line = 0;
    std::vector<std::string> values;
  };
  std::vector<std::string> columns_;
  std::unordered_map<std::string, Row> rows_;
};

}  // namespace hearth
