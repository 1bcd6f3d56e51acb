// Tables and pictures of a report: the newest of each name.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/csv.h"
#include "hearth/format/markup.h"
#include "hearth/format/png.h"
#include "hearth/tracking/chart/fixed_number.h"
#include "hearth/tracking/markdown.h"
#include "hearth/tracking/report/report_parts.h"
#include "hearth/tracking/run_facts.h"

namespace hearth {
namespace {

constexpr size_t kMostCells = 40;  // columns of a table that is coloured
constexpr size_t kMostRows = 50;
constexpr size_t kMostPictures = 40;
constexpr uint64_t kMostPictureBytes = 4 << 20;

std::map<std::string, Event> newest_named(const std::filesystem::path& run) {
  std::map<std::string, Event> newest;
  LogReader log(run / "log.jsonl");
  for (LogNews news = log.next(); news.index() != 0; news = log.next())
    if (auto* event = std::get_if<Event>(&news))
      if (event->kind == "table" || event->kind == "image")
        if (const auto name = event->details.find("name");
            name != event->details.end() && name->is_string())
          newest[event->kind + "/" + name->get<std::string>()] = *event;
  return newest;
}

std::string file_of(const Event& event) {
  const auto file = event.details.find("file");
  return file != event.details.end() && file->is_string() ? file->get<std::string>() : "";
}

// Only what lies within the run's folder, whatever a log says.
bool is_within(const std::string& file) {
  const std::filesystem::path path = file;
  return !path.is_absolute() && std::ranges::none_of(path, [](const auto& p) { return p == ".."; });
}

// A square of counts: the darker a cell, the larger its share of the row.
std::string confusion_table(const ReportRows& rows) {
  std::string html = "<div class=\"wide\"><table class=\"confusion\">";
  for (size_t i = 0; i < rows.size(); ++i) {
    double sum = 0;
    for (size_t k = 1; i > 0 && k < rows[i].size(); ++k) sum += read_number(rows[i][k]).value_or(0);
    html += "<tr>";
    for (size_t k = 0; k < rows[i].size(); ++k) {
      const std::string text = for_markup(visible(rows[i][k]));
      const double share = sum > 0 ? read_number(rows[i][k]).value_or(0) / sum : 0;
      if (i == 0 || k == 0)
        html += "<th>" + text + "</th>";
      else
        html += "<td style=\"background:rgba(" + std::string(i == k ? "0,114,178" : "213,94,0") +
                "," + fixed_number(share > 0 ? 0.1 + share * 0.75 : 0, 3) + ")\" title=\"" +
                fixed_number(100 * share, 1) + " % of the row\">" + text + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

// Rows and columns of the same names: what was taken for what.
bool is_confusion(const ReportRows& rows) {
  if (rows.size() < 2 || rows.size() > kMostCells) return false;
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].size() != rows.size() || (i > 0 && rows[i][0] != rows[0][i])) return false;
  return true;
}

// What is exact in a file is for people to look at here.
std::string shown_cell(const std::string& cell) {
  constexpr size_t kLong = 9;
  constexpr int kDigits = 5;
  const auto number = read_number(cell);
  const bool is_long = cell.size() > kLong && cell.find('.') != std::string::npos;
  return number && is_long ? rounded_number(*number, kDigits) : cell;
}

ReportRows rows_of_file(const std::string& text, const std::string& file) {
  ReportRows rows;
  for (const CsvRow& row : parse_csv(text, file)) {
    rows.emplace_back();
    for (const std::string& cell : row.fields) rows.back().push_back(shown_cell(cell));
  }
  return rows;
}

std::string table_html(const std::filesystem::path& run, const Event& event) {
  ReportRows rows;
  if (const std::string file = file_of(event); file.empty()) {
    rows = table_rows(event.details);
  } else if (const auto text = is_within(file) ? run_file(run, file) : std::nullopt) {
    rows = rows_of_file(*text, file);
  }
  if (rows.empty()) return "";
  return is_confusion(rows) ? confusion_table(rows) : report_table(rows, kMostRows);
}

std::string picture_html(const std::filesystem::path& run, const Event& event) {
  const std::string file = file_of(event);
  if (file.empty() || !is_within(file)) return "";
  const auto png = run_file(run, file, kMostPictureBytes);
  if (!png || !is_png(*png)) return "";
  return "<img alt=\"" + for_markup(visible(file)) + "\" src=\"data:image/png;base64," +
         base64(*png) + "\">\n";
}

}  // namespace

std::string report_tables(const std::filesystem::path& run) {
  std::string tables;
  std::string pictures;
  size_t shown_pictures = 0;
  for (const auto& [name, event] : newest_named(run)) {
    const std::string title = "<h3>" + for_markup(visible(name.substr(name.find('/') + 1))) +
                              " <small>after step " + std::to_string(event.step) +
                              "</small></h3>\n";
    try {
      if (event.kind == "image" && shown_pictures++ < kMostPictures) {
        const std::string html = picture_html(run, event);
        if (!html.empty()) pictures += title + html;
      } else if (event.kind == "table") {
        const std::string html = table_html(run, event);
        if (!html.empty()) tables += title + html;
      }
    } catch (const Error& error) {
      tables += title + "<p>" + for_markup(visible(error.what())) + "</p>\n";
    }
  }
  return report_section("Tables", tables) + report_section("Pictures", pictures);
}

}  // namespace hearth
