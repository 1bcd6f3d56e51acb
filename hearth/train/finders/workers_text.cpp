// What was found about workers: as text, JSON and a chart.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/train/finders/right_cell.h"
#include "hearth/train/finders/workers_finder.h"

namespace hearth {
std::string WorkersRow::name() const {
  const std::string many = workers
                               ? std::to_string(*workers) + (*workers == 1 ? " worker" : " workers")
                               : "workers that adapt";
  return many + ", depth " + std::to_string(depth);
}

std::vector<std::string> WorkersFinding::overrides() const {
  if (fastest == 0) return {};
  std::vector<std::string> all;
  const WorkersRow& now = rows.front();
  const WorkersRow& best = rows[fastest];
  if (best.workers && best.workers != now.workers)
    all.push_back("data.workers=" + std::to_string(*best.workers));
  if (best.depth != now.depth) all.push_back("data.depth=" + std::to_string(best.depth));
  return all;
}

std::string WorkersFinding::text() const {
  std::string text = " workers   depth     samples/s     waits\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const WorkersRow& row = rows[i];
    text += right_cell(row.workers ? std::to_string(*row.workers) : "adapt", 8) +
            right_cell(std::to_string(row.depth), 8) +
            right_cell(human_count(static_cast<uint64_t>(row.samples_per_second)), 14) +
            right_cell(rounded_number(row.wait_share * 100, 2) + "%", 10) +
            (i == 0 ? "  as configured" : "") +
            (i == fastest && fastest != 0
                 ? "  fastest, " + rounded_number(gain, 3) + " x the configured"
                 : "") +
            "\n";
  }
  text += "\n" + reason + "\n";
  if (fastest == 0) return text;
  text += "\nto set it; the results stay the same, bit for bit:\n";
  for (const std::string& line : overrides()) text += "  " + line + "\n";
  return text;
}

// Over the number of workers, at the configured depth.
Chart WorkersFinding::chart() const {
  Chart chart;
  chart.title = "samples a second over workers";
  chart.x_label = "workers";
  chart.y_label = "samples/s";
  ChartLine line{"depth " + std::to_string(rows.front().depth), {}, false};
  for (const WorkersRow& row : rows)
    if (row.workers && row.depth == rows.front().depth)
      line.points.push_back({static_cast<double>(*row.workers), row.samples_per_second});
  std::stable_sort(line.points.begin(), line.points.end(),
                   [](const Spot& a, const Spot& b) { return a.x < b.x; });
  chart.lines.push_back(std::move(line));
  return chart;
}

Json WorkersFinding::to_json() const {
  Json json = {{"rows", Json::array()},
               {"fastest", fastest},
               {"gain", gain},
               {"reason", reason},
               {"seconds", seconds},
               {"overrides", overrides()},
               {"interrupted", was_interrupted}};
  for (const WorkersRow& row : rows) {
    Json one = {{"workers", nullptr},
                {"depth", row.depth},
                {"samples_per_second", row.samples_per_second},
                {"wait_share", row.wait_share},
                {"trials", row.trials}};
    if (row.workers) one["workers"] = *row.workers;
    json["rows"].push_back(std::move(one));
  }
  return json;
}

}  // namespace hearth
