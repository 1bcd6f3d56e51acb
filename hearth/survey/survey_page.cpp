// A survey as one HTML page that needs no other file: pictures inside, histograms as SVG.
#include <algorithm>
#include <cmath>

#include "hearth/base/text.h"
#include "hearth/format/markup.h"
#include "hearth/format/png.h"
#include "hearth/survey/data_survey.h"

namespace hearth {
namespace {

constexpr size_t kBins = 40;
constexpr size_t kMostBars = 100;

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}h1,h2,h3{line-height:1.2}table{border-collapse:collapse}"
    "td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}"
    "img{max-width:100%;border:1px solid #ddd}code{background:#f3f3f3;padding:.1rem .3rem}"
    "figure{margin:.5rem 0}figcaption{color:#666}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}code{background:#333}}";

std::string figure(const Image& image, const std::string& caption) {
  if (image.pixels.empty()) return "";
  return "<figure><img alt=\"" + caption + "\" src=\"data:image/png;base64," +
         base64(encode_png(image)) + "\"><figcaption>" + caption + "</figcaption></figure>\n";
}

std::string bars(const std::vector<int64_t>& counts, const std::vector<std::string>& names) {
  const int64_t most = std::max<int64_t>(*std::max_element(counts.begin(), counts.end()), 1);
  constexpr double kHeight = 60;
  const double width = std::clamp(360.0 / static_cast<double>(counts.size()), 3.0, 24.0);
  std::string svg = "<svg role=\"img\" width=\"" +
                    rounded_number(width * static_cast<double>(counts.size()), 0) +
                    "\" height=\"62\">";
  for (size_t i = 0; i < counts.size(); ++i) {
    const double height = kHeight * static_cast<double>(counts[i]) / static_cast<double>(most);
    svg += "<rect x=\"" + rounded_number(width * static_cast<double>(i), 1) + "\" y=\"" +
           rounded_number(kHeight - height, 1) + "\" width=\"" + rounded_number(width - 1, 1) +
           "\" height=\"" + rounded_number(height + 1, 1) + "\" fill=\"#3572b0\"><title>" +
           (i < names.size() ? for_markup(names[i]) + ": " : "") + std::to_string(counts[i]) +
           "</title></rect>";
  }
  return svg + "</svg>";
}

std::string histogram_row(const std::string& title, const NumberSummary& summary) {
  if (summary.count() == 0) return "";
  return "<tr><td>" + title + "</td><td>" + rounded_number(summary.least(), 4) + " to " +
         rounded_number(summary.most(), 4) + "<br>mean " + rounded_number(summary.mean(), 4) +
         ", std " + rounded_number(summary.deviation(), 4) +
         (summary.missing() > 0 ? "<br>" + std::to_string(summary.missing()) + " missing" : "") +
         "</td><td>" + bars(summary.histogram(kBins), {}) + "</td></tr>\n";
}

std::string class_rows(const KeySurvey& key) {
  std::vector<int64_t> counts = key.classes();
  if (counts.size() > kMostBars) counts.resize(kMostBars);
  std::vector<std::string> names = key.key().spec.class_names;
  return "<tr><td>classes</td><td>" + std::to_string(key.classes().size()) + "</td><td>" +
         bars(counts, names) + "</td></tr>\n";
}

std::string key_part(const KeySurvey& key) {
  std::string html = "<h3>" + for_markup(key.key().key) + "</h3><p><code>" +
                     for_markup(key.key().spec.text()) + "</code> " +
                     std::string(name(key.key().spec.role)) + "</p><table>\n";
  for (const NumberSummary& lengths : key.lengths()) html += histogram_row("length", lengths);
  if (!key.classes().empty())
    html += class_rows(key);
  else
    for (size_t c = 0; c < key.numbers().size(); ++c)
      html += histogram_row(for_markup(key.title_of_numbers(c)), key.numbers()[c]);
  html += "</table>\n";
  if (const std::string doubt = key.doubt(); !doubt.empty())
    html += "<p>Doubtful: " + for_markup(doubt) + "</p>\n";
  if (const std::string line = key.normalize_line(); !line.empty())
    html += "<p><code>- " + for_markup(line) + "</code></p>\n";
  return html;
}

std::string broken_part(const SetSurvey& set) {
  if (set.broken.empty()) return "";
  std::string html = "<h3>" + std::to_string(set.broken.size()) + " broken samples</h3><table>\n";
  for (const BrokenSample& sample : set.broken)
    html += "<tr><td>" + for_markup(sample.name) + "</td><td>" + for_markup(sample.reason) +
            "</td></tr>\n";
  return html + "</table>\n";
}

std::string set_part(const SetSurvey& set) {
  std::string html = "<h2>" + for_markup(set.name) + "</h2><p>" + std::to_string(set.samples) +
                     " samples, " + std::to_string(set.looked_at) + " looked at</p>\n";
  html += figure(set.before, "before ops") + figure(set.after, "after all ops");
  for (const KeySurvey& key : set.keys) html += key_part(key);
  return html + broken_part(set);
}

std::string duplicates_part(const DataSurvey& survey) {
  const Duplicates& found = survey.duplicates;
  std::string html = "<h2>Duplicates</h2><p>Equal: " + std::to_string(found.exact_within) +
                     " within a set, " + std::to_string(found.exact_across) +
                     " between sets. Similar pictures: " + std::to_string(found.near_within) +
                     " within, " + std::to_string(found.near_across) + " between.</p><table>\n";
  for (size_t i = 0; i < found.pairs.size(); ++i)
    html += "<tr><td>" + for_markup(survey.duplicate_names[i][0]) + "</td><td>" +
            (found.pairs[i].is_exact ? "=" : "~") + "</td><td>" +
            for_markup(survey.duplicate_names[i][1]) + "</td></tr>\n";
  return html + "</table>\n";
}

}  // namespace

std::string DataSurvey::page() const {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>Data</title><style>";
  html += kStyle;
  html += "</style></head><body><h1>Data</h1>\n";
  for (const SetSurvey& set : sets) html += set_part(set);
  return html + duplicates_part(*this) + "</body></html>\n";
}

}  // namespace hearth
