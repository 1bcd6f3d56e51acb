// What a file beside the data says of each sample.
#include "hearth/data/side_table.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/csv.h"
#include "hearth/format/json.h"

namespace hearth {

namespace {

std::string side_place(const SideTableRequest& request, int64_t line) {
  return request.file + ":" + std::to_string(line) + ": ";
}

size_t side_column(const std::vector<std::string>& header, const std::string& name,
                   const SideTableRequest& request) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<size_t>(found - header.begin());
  throw DataError(quote(name) + " is no column of " + request.file + "." +
                  did_you_mean(name, header));
}

// A number as JSON writes it, a text as it is.
std::string side_value(const nlohmann::json& object, const std::string& name,
                       const SideTableRequest& request, int64_t line) {
  const auto found = object.find(name);
  if (found == object.end())
    throw DataError(side_place(request, line) + "has no field " + quote(name) + ".");
  if (found->is_structured())
    throw DataError(side_place(request, line) + "field " + quote(name) +
                    " must be a text or a number.");
  return found->is_string() ? found->get<std::string>() : found->dump();
}

}  // namespace

SideTable::SideTable(const SideTableRequest& request) : columns_(request.columns) {
  const std::string text = read_file(request.file);
  const bool is_json = request.file.ends_with(".jsonl") || request.file.ends_with(".json");
  is_json ? read_json_lines(text, request) : read_csv(text, request);
}

const std::vector<std::string>* SideTable::find(const std::string& key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : &found->second.values;
}

void SideTable::add(const SideTableRequest& request, int64_t line, const std::string& key,
                    std::vector<std::string> values) {
  const auto [found, is_new] = rows_.try_emplace(key, Row{line, {}});
  if (!is_new)
    throw DataError(side_place(request, line) + quote(key) + " stands here again, after line " +
                    std::to_string(found->second.line) + ".");
  found->second.values = std::move(values);
}

void SideTable::read_csv(const std::string& text, const SideTableRequest& request) {
  const std::vector<CsvRow> rows = parse_csv(text, request.file);
  if (rows.empty()) throw DataError(request.file + ": is empty; expected a line of column names.");
  const std::vector<std::string>& header = rows[0].fields;
  const size_t key = side_column(header, request.key, request);
  if (columns_.empty())
    std::copy_if(header.begin(), header.end(), std::back_inserter(columns_),
                 [&](const std::string& name) { return name != request.key; });
  std::vector<size_t> places;
  for (const std::string& name : columns_) places.push_back(side_column(header, name, request));
  for (size_t r = 1; r < rows.size(); ++r) {
    const CsvRow& row = rows[r];
    if (row.fields.size() == 1 && row.fields[0].empty()) continue;
    if (row.fields.size() != header.size())
      throw DataError(side_place(request, row.line) + "has " + std::to_string(row.fields.size()) +
                      " fields, but the header has " + std::to_string(header.size()) + ".");
    std::vector<std::string> values;
    for (const size_t place : places) values.push_back(row.fields[place]);
    add(request, row.line, row.fields[key], std::move(values));
  }
}

void SideTable::read_json_lines(const std::string& text, const SideTableRequest& request) {
  int64_t line = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view written = trim(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++line;
    if (written.empty()) continue;
    const nlohmann::json object = parse_json(written, request.file + ":" + std::to_string(line));
    if (!object.is_object())
      throw DataError(side_place(request, line) + "expected an object in braces.");
    if (columns_.empty())
      for (const auto& [name, value] : object.items())
        if (name != request.key) columns_.push_back(name);
    std::vector<std::string> values;
    for (const std::string& name : columns_)
      values.push_back(side_value(object, name, request, line));
    add(request, line, side_value(object, request.key, request, line), std::move(values));
  }
}

}  // namespace hearth
