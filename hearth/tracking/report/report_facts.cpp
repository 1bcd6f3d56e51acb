// What a report says in words and tables: results, model, config, data, machine, history.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/core/log_reader.h"
#include "hearth/format/markup.h"
#include "hearth/tracking/chart/fixed_number.h"
#include "hearth/tracking/report/report_parts.h"
#include "hearth/tracking/run_facts.h"

namespace hearth {
namespace {

std::string safe_text(const std::string& text) { return for_markup(visible(text)); }

std::string utc_text(double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (::gmtime_r(&whole, &parts) == nullptr) return "";
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts));
  return text;
}

std::string value_text(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return "";
  const auto value = found->get<double>();
  return value >= 0 && value < 1e18 ? human_count(static_cast<uint64_t>(value)) : "";
}

std::string words_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> result_row(const Series& series) {
  const auto less = [](const SeriesPoint& a, const SeriesPoint& b) {
    return std::isfinite(a.value) && (!std::isfinite(b.value) || a.value < b.value);
  };
  const auto more = [](const SeriesPoint& a, const SeriesPoint& b) {
    return std::isfinite(a.value) && (!std::isfinite(b.value) || a.value > b.value);
  };
  const auto at = [](const SeriesPoint& point) {
    return rounded_number(point.value, 4) + " (epoch " + fixed_number(point.epoch, 0) + ")";
  };
  const auto lowest = std::min_element(series.points.begin(), series.points.end(), less);
  const auto highest = std::min_element(series.points.begin(), series.points.end(), more);
  return {series.name, rounded_number(series.points.back().value, 4), at(*lowest), at(*highest)};
}

std::string said_state(const std::string& kind) {
  if (kind == "end") return "done";
  if (kind == "interrupted") return "stopped; it can be resumed";
  if (kind == "diverged") return "stopped, as a value was no finite number";
  if (kind == "failed") return "stopped by an error; it can be resumed";
  return kind.empty() ? "of unknown state" : "in training, or killed";
}

bool is_of_epochs(const std::string& name) {
  return name.starts_with("train/") || name.starts_with("eval/") || name.starts_with("eval.");
}

// A list of objects within a file of the run.
Json list_in(const Json& json, const char* key) {
  if (!json.is_object()) return Json::array();
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : Json::array();
}

}  // namespace

std::string report_section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "<h2>" + title + "</h2>\n" + content;
}

std::string report_table(const ReportRows& rows, size_t most_rows) {
  if (rows.empty()) return "";
  std::string html = "<div class=\"wide\"><table><tr>";
  for (const std::string& cell : rows.front()) html += "<th>" + safe_text(cell) + "</th>";
  html += "</tr>\n";
  const size_t count = std::min(rows.size() - 1, most_rows);
  for (size_t i = 1; i <= count; ++i) {
    html += "<tr>";
    for (const std::string& cell : rows[i]) html += "<td>" + safe_text(cell) + "</td>";
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  if (count < rows.size() - 1)
    html +=
        "<p>" + std::to_string(count) + " of " + std::to_string(rows.size() - 1) + " rows</p>\n";
  return html;
}

std::string report_summary(const std::filesystem::path& run, const RunSeries& series) {
  int64_t steps = 0;
  double epochs = 0;
  double seconds = 0;
  ReportRows rows = {{"metric", "last", "lowest", "highest"}};
  for (const Series& each : series.all) {
    if (each.points.empty()) continue;
    steps = std::max(steps, each.points.back().step);
    epochs = std::max(epochs, each.points.back().epoch);
    seconds = std::max(seconds, each.points.back().seconds);
    if (is_of_epochs(each.name)) rows.push_back(result_row(each));
  }
  const RunState state = run_state(run);
  const std::string said = said_state(state.kind);
  return "<p>" + said + "; " + shortest_number(std::round(epochs * 100) / 100) + " epochs, " +
         human_count(static_cast<uint64_t>(steps)) + " steps, " + human_seconds(seconds) +
         " from the first to the last event</p>\n" +
         (rows.size() > 1 ? report_table(rows) : "<p>No epoch is done yet.</p>\n");
}

std::string report_model(const std::filesystem::path& run) {
  std::string html;
  for (const Json& model : list_in(run_json(run, "model.json"), "models")) {
    if (!model.is_object()) continue;
    html += "<h3>" + safe_text(words_at(model, "name")) + "</h3><p>" +
            number_at(model, "parameters") + " parameters, " + number_at(model, "learned") +
            " of them learn; " + number_at(model, "flops") + " FLOP for a sample forwards</p>\n";
    ReportRows rows = {{"layer", "kind", "gives", "parameters"}};
    for (const Json& layer : list_in(model, "layers"))
      if (layer.is_object() && !words_at(layer, "path").empty())
        rows.push_back({words_at(layer, "path"), words_at(layer, "kind"), words_at(layer, "output"),
                        number_at(layer, "learned")});
    html += "<details><summary>" + std::to_string(rows.size() - 1) + " layers</summary>" +
            report_table(rows) + "</details>\n";
  }
  return html;
}

std::string report_config(const std::filesystem::path& run) {
  std::string html;
  const auto written = run_file(run, "config.as_written.yaml");
  if (written) html += "<pre>" + safe_text(*written) + "</pre>\n";
  if (const auto whole = run_file(run, "config.yaml"))
    html += "<details" + std::string(written ? "" : " open") +
            "><summary>in full, as it is carried out</summary><pre>" + safe_text(*whole) +
            "</pre></details>\n";
  return html;
}

std::string report_data(const std::filesystem::path& run) {
  ReportRows rows = {{"key", "what it is", "values"}};
  try {
    for (const KeySpec& key : key_specs_from(run_json(run, "specs.json"), "specs.json")) {
      std::vector<std::string> names = key.spec.class_names;
      constexpr size_t kMostNames = 20;
      if (names.size() > kMostNames) {
        names.resize(kMostNames);
        names.emplace_back("...");
      }
      rows.push_back({key.key, std::string(name(key.spec.role)),
                      key.spec.text() + (names.empty() ? "" : ": " + join(names, ", "))});
    }
  } catch (const Error&) {
    return "";
  }
  return rows.size() > 1 ? report_table(rows) : "";
}

std::string report_machine(const std::filesystem::path& run) {
  const Json facts = run_json(run, "machine.json");
  ReportRows rows = {{"fact", "value"}};
  if (facts.is_object())
    for (const auto& [key, value] : facts.items()) rows.push_back({key, value_text(value)});
  return rows.size() > 1 ? report_table(rows) : "";
}

std::string report_history(const std::filesystem::path& run) {
  ReportRows rows = {{"when", "step", "what", "details"}};
  try {
    LogReader history(run / "history.jsonl");
    for (LogNews news = history.next(); news.index() != 0; news = history.next())
      if (const auto* event = std::get_if<Event>(&news); event != nullptr)
        if (event->kind != "checkpoint")
          rows.push_back({utc_text(event->time), std::to_string(event->step), event->kind,
                          event->details.is_null() ? "" : value_text(event->details)});
  } catch (const Error&) {
    return "";
  }
  return rows.size() > 1 ? report_table(rows) : "";
}

}  // namespace hearth
