// A plan for scale as text and as JSON.
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/train/scale/scale_plan.h"

namespace hearth::scale {
namespace {

constexpr double kMilliseconds = 1e3;

template <class... Values>
std::string line(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

std::string bytes_text(double bytes) { return human_bytes(static_cast<uint64_t>(bytes)); }

std::string rows_text(const std::vector<ScaleRow>& rows) {
  std::string text =
      "  hosts  ranks  samples  sent a step  computing  waiting     step    samples/s  "
      "efficiency\n";
  for (const ScaleRow& row : rows)
    text += line("  %5lld  %5lld  %7.0f  %11s  %6.1f ms  %4.1f ms  %6.1f ms  %9.0f  %9.0f%%\n",
                 static_cast<long long>(row.hosts), static_cast<long long>(row.ranks), row.samples,
                 bytes_text(row.step.bytes_sent).c_str(),
                 (row.step.seconds - row.step.exposed_seconds) * kMilliseconds,
                 row.step.exposed_seconds * kMilliseconds, row.step.seconds * kMilliseconds,
                 row.samples_per_second, row.efficiency * 100);
  return text;
}

std::string memory_text(const std::vector<RankMemory>& memory) {
  std::string text =
      "  memory of a rank    parameters   gradients   optimizer  activations         all\n";
  for (const RankMemory& row : memory)
    text += line("  %-18s  %10s  %10s  %10s  %11s  %10s\n", row.name.c_str(),
                 bytes_text(row.model.parameters).c_str(), bytes_text(row.model.gradients).c_str(),
                 bytes_text(row.model.optimizer).c_str(), bytes_text(row.other).c_str(),
                 bytes_text(row.all()).c_str());
  return text;
}

Json row_json(const ScaleRow& row) {
  return {{"hosts", row.hosts},
          {"ranks", row.ranks},
          {"samples_per_rank", row.samples},
          {"bytes_sent", row.step.bytes_sent},
          {"buckets", row.step.buckets.size()},
          {"exchange_seconds", row.step.exchange_seconds},
          {"waiting_seconds", row.step.exposed_seconds},
          {"step_seconds", row.step.seconds},
          {"samples_per_second", row.samples_per_second},
          {"efficiency", row.efficiency}};
}

Json memory_json(const RankMemory& row) {
  return {{"name", row.name},
          {"parameters", row.model.parameters},
          {"gradients", row.model.gradients},
          {"optimizer", row.model.optimizer},
          {"activations", row.other},
          {"all", row.all()}};
}

}  // namespace

std::string ScalePlan::text() const { return rows_text(rows) + "\n" + memory_text(memory); }

Json ScalePlan::to_json() const {
  Json json = {{"rows", Json::array()}, {"memory", Json::array()}, {"notes", notes}};
  for (const ScaleRow& row : rows) json["rows"].push_back(row_json(row));
  for (const RankMemory& row : memory) json["memory"].push_back(memory_json(row));
  return json;
}

}  // namespace hearth::scale
