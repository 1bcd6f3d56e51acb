// Where the time of a training step goes, as a table and as JSON.
#include "hearth/train/profile_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr double kShownShare = 0.001;
constexpr size_t kProfileNameWidth = 24;

std::string profile_cell(double value, const char* format, bool is_shown = true) {
  char text[32] = "";
  if (is_shown) std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string profile_line(const ProfileRow& row, size_t width) {
  const bool has_work = row.share_of_peak > 0 || row.forward_gigaflops > 0;
  const std::string name = row.is_fused ? row.name + " (fused)" : row.name;
  char line[512];
  std::snprintf(line, sizeof(line), "%-*s %10.3f %10.3f %8.1f %8s %8s %8s", static_cast<int>(width),
                name.c_str(), row.forward_seconds * 1e3, row.backward_seconds * 1e3,
                row.share * 100, profile_cell(row.forward_gigaflops, "%.1f", has_work).c_str(),
                profile_cell(row.backward_gigaflops, "%.1f", has_work).c_str(),
                profile_cell(row.share_of_peak * 100, "%.1f", row.share_of_peak > 0).c_str());
  std::string text = line;
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string profile_heading(size_t width) {
  char lines[1024];
  std::snprintf(lines, sizeof(lines),
                "%-*s %10s %10s %8s %8s %8s %8s\n%-*s %10s %10s %8s %8s %8s %8s\n",
                static_cast<int>(width), "", "forward", "backward", "share", "forward", "backward",
                "of peak", static_cast<int>(width), "", "ms", "ms", "%", "GF/s", "GF/s", "%");
  return lines;
}

// What is too small to be shown, as one row.
ProfileRow others_of(const std::vector<ProfileRow>& rows) {
  ProfileRow others;
  int64_t count = 0;
  for (const ProfileRow& row : rows) {
    if (row.is_fused || row.share > kShownShare) continue;
    ++count;
    others.forward_seconds += row.forward_seconds;
    others.backward_seconds += row.backward_seconds;
    others.share += row.share;
  }
  if (count > 0) others.name = std::to_string(count) + (count == 1 ? " other" : " others");
  return others;
}

ProfileRow sum_of(const ProfileReport& report) {
  ProfileRow sum;
  sum.name = "step";
  for (const ProfileRow& row : report.rows) {
    sum.forward_seconds += row.forward_seconds;
    sum.backward_seconds += row.backward_seconds;
  }
  sum.share = 1;
  return sum;
}

std::string profile_head(const ProfileReport& report) {
  char line[256];
  std::snprintf(
      line, sizeof(line), "%lld steps of %s samples on %lld threads: %.3f ms a step, %s samples/s",
      static_cast<long long>(report.steps), shortest_number(report.samples_per_step).c_str(),
      static_cast<long long>(report.threads), report.step_seconds * 1e3,
      human_count(static_cast<uint64_t>(report.samples_per_step / report.step_seconds)).c_str());
  std::string text = std::string(line) + "\n";
  if (report.peak_gigaflops == 0) return text;
  std::snprintf(line, sizeof(line), "%.1f GF/s of counted work; at most this machine does %.1f\n",
                report.gigaflops, report.peak_gigaflops);
  return text + line;
}

}  // namespace

std::string ProfileReport::text() const {
  size_t width = kProfileNameWidth;
  for (const ProfileRow& row : rows)
    if (row.is_fused || row.share > kShownShare) width = std::max(width, row.name.size() + 8);
  std::string text = profile_head(*this) + "\n" + profile_heading(width);
  for (const ProfileRow& row : rows)
    if (row.is_fused || row.share > kShownShare) text += profile_line(row, width);
  if (const ProfileRow others = others_of(rows); !others.name.empty())
    text += profile_line(others, width);
  text += profile_line(sum_of(*this), width);
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

Json ProfileReport::to_json() const {
  Json json = {{"steps", steps},
               {"threads", threads},
               {"samples_per_step", samples_per_step},
               {"step_seconds", step_seconds},
               {"gigaflops", gigaflops},
               {"peak_gigaflops", peak_gigaflops},
               {"notes", notes},
               {"rows", Json::array()}};
  for (const ProfileRow& row : rows)
    json["rows"].push_back({{"name", row.name},
                            {"forward_seconds", row.forward_seconds},
                            {"backward_seconds", row.backward_seconds},
                            {"share", row.share},
                            {"forward_gigaflops", row.forward_gigaflops},
                            {"backward_gigaflops", row.backward_gigaflops},
                            {"share_of_peak", row.share_of_peak},
                            {"fused", row.is_fused}});
  return json;
}

}  // namespace hearth
