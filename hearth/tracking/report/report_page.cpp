// A run as one HTML page.
#include "hearth/tracking/report/report_page.h"

#include "hearth/format/markup.h"
#include "hearth/tracking/report/report_parts.h"
#include "hearth/tracking/run_facts.h"

namespace hearth {
namespace {

// A page that asks for anything from elsewhere is refused it by the browser.
constexpr const char* kPolicy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

}  // namespace

std::string report_page(const std::filesystem::path& run) {
  const RunSeries series = read_series(run, [](const std::string&) { return true; });
  const std::string name = for_markup(run_name(run));
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
      std::string(kPolicy) + "\"><meta name=\"viewport\" content=\"width=device-width\"><title>" +
      name + "</title><style>" + kReportStyle + "</style></head><body><h1>" + name + "</h1>\n";
  html += report_section("Result", report_summary(run, series));
  html += report_section("Curves", report_curves(series));
  html += report_tables(run);
  html += report_section("Config", report_config(run));
  html += report_section("Model", report_model(run));
  html += report_section("Data", report_data(run));
  html += report_section("Machine", report_machine(run));
  html += report_section("History", report_history(run));
  return html + "<script>" + kReportScript + "</script></body></html>\n";
}

}  // namespace hearth
