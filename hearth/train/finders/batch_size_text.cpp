// What was found about batch sizes: as text, JSON and a chart.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/train/finders/batch_size_finder.h"
#include "hearth/train/finders/right_cell.h"

namespace hearth {
namespace {

std::string row_text(const BatchSizeRow& row, bool is_suggested) {
  const std::string mark = is_suggested ? " *" : "  ";
  const std::string size = right_cell(std::to_string(row.size), 8) + mark;
  if (!row.refusal.empty()) return size + "  is refused: " + row.refusal + "\n";
  if (!row.fits)
    return size + "  does not fit" +
           (row.memory_bytes > 0 ? ": about " + human_bytes(row.memory_bytes) : "") + "\n";
  return size + right_cell(human_count(static_cast<uint64_t>(row.samples_per_second)), 12) +
         right_cell(rounded_number(row.step_seconds * 1000, 3) + " ms", 12) +
         right_cell(rounded_number(row.wait_share * 100, 2) + "%", 10) +
         right_cell(human_bytes(row.memory_bytes), 12) + "\n";
}

const BatchSizeRow* row_of(const BatchSizeFinding& finding, int64_t size) {
  for (const BatchSizeRow& row : finding.rows)
    if (row.size == size && row.fits) return &row;
  return nullptr;
}

std::string gain_text(const BatchSizeFinding& finding) {
  const BatchSizeRow* now = row_of(finding, finding.configured);
  const BatchSizeRow* then = row_of(finding, *finding.suggestion);
  if (now == nullptr || then == nullptr || now == then) return "";
  return ", " + rounded_number(then->samples_per_second / now->samples_per_second, 3) +
         " x the samples a second of " + std::to_string(finding.configured);
}

std::string effects_text(const BatchSizeFinding& finding) {
  std::string text;
  const BatchSizeRow* now = row_of(finding, finding.configured);
  const BatchSizeRow* then = row_of(finding, *finding.suggestion);
  if (now != nullptr && then != nullptr)
    text += "an epoch    has " + std::to_string(then->steps_per_epoch) + " steps instead of " +
            std::to_string(now->steps_per_epoch) + "; " + std::to_string(finding.epochs) +
            " epochs have " + std::to_string(then->steps_per_epoch * finding.epochs) +
            " instead of " + std::to_string(now->steps_per_epoch * finding.epochs) + "\n";
  for (const StepTime& time : finding.step_times)
    text += "in steps    " + time.path + " is " + std::to_string(time.steps) + "st; " +
            std::to_string(time.same_samples) + "st last for as many samples\n";
  for (const ScaledRate& rate : finding.rates)
    text += "lr          of " + rate.optimizer + ": " + shortest_number(rate.configured) + " -> " +
            shortest_number(rate.is_linear ? rate.linear : rate.square_root) +
            (rate.is_linear ? " in proportion" : " by the square root") + ", as is the custom (" +
            shortest_number(rate.is_linear ? rate.square_root : rate.linear) +
            (rate.is_linear ? " by the square root" : " in proportion") +
            "); hearth find lr tells more\n";
  return text;
}

}  // namespace

std::string BatchSizeFinding::text() const {
  std::string text = "   batch     samples/s        step     waits      memory\n";
  for (const BatchSizeRow& row : rows) text += row_text(row, suggestion == row.size);
  text += "\n";
  if (!suggestion) return text + "no suggestion: " + reason + "\n";
  text += "suggested   " + std::to_string(*suggestion) + gain_text(*this) + ": " + reason + "\n";
  text += "configured  " + std::to_string(configured) +
          (is_scheduled ? ", where its schedule starts" : "") +
          (batches_per_step > 1 ? "; a step takes " + std::to_string(batches_per_step) +
                                      " batches, so that fewer of larger ones give the same steps"
                                : "") +
          "\n";
  if (largest)
    text += "fits        up to about " + human_count(static_cast<uint64_t>(*largest)) + " in " +
            human_bytes(memory_limit) + ", by the memory of the largest two\n";
  if (*suggestion == configured) return text + "nothing to change.\n";
  text += effects_text(*this) + "\nto set it:\n";
  for (const std::string& line : overrides()) text += "  " + line + "\n";
  return text;
}

Chart BatchSizeFinding::chart() const {
  Chart chart;
  chart.title = "samples a second over batch size";
  chart.x_label = "batch size";
  chart.y_label = "samples/s";
  chart.x_kind = AxisKind::kLogarithm;
  ChartLine line{"samples/s", {}, false};
  double most = 0;
  for (const BatchSizeRow& row : rows) {
    if (!row.fits) continue;
    line.points.push_back({static_cast<double>(row.size), row.samples_per_second});
    most = std::max(most, row.samples_per_second);
  }
  chart.lines.push_back(std::move(line));
  if (suggestion)
    chart.lines.push_back(
        {"suggested " + std::to_string(*suggestion),
         {{static_cast<double>(*suggestion), 0}, {static_cast<double>(*suggestion), most}},
         false});
  return chart;
}

Json BatchSizeFinding::to_json() const {
  Json json = {{"rows", Json::array()},
               {"configured", configured},
               {"batches_per_step", batches_per_step},
               {"suggestion", nullptr},
               {"reason", reason},
               {"largest", nullptr},
               {"memory_limit", memory_limit},
               {"step_times", Json::array()},
               {"rates", Json::array()},
               {"overrides", overrides()},
               {"seconds", seconds},
               {"interrupted", was_interrupted}};
  for (const BatchSizeRow& row : rows) {
    json["rows"].push_back({{"size", row.size},
                            {"fits", row.fits},
                            {"samples_per_second", row.samples_per_second},
                            {"step_seconds", row.step_seconds},
                            {"wait_share", row.wait_share},
                            {"memory_bytes", row.memory_bytes},
                            {"steps_per_epoch", row.steps_per_epoch}});
    if (!row.refusal.empty()) json["rows"].back()["refusal"] = row.refusal;
  }
  if (suggestion) json["suggestion"] = *suggestion;
  if (largest) json["largest"] = *largest;
  for (const StepTime& time : step_times)
    json["step_times"].push_back(
        {{"path", time.path}, {"steps", time.steps}, {"same_samples", time.same_samples}});
  for (const ScaledRate& rate : rates)
    json["rates"].push_back({{"optimizer", rate.optimizer},
                             {"configured", rate.configured},
                             {"linear", rate.linear},
                             {"square_root", rate.square_root},
                             {"override", rate.override_text}});
  return json;
}

}  // namespace hearth
