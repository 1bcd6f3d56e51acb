// The parts of a run's report, each as HTML; empty where the run has nothing of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/tracking/series.h"

namespace hearth {

using ReportRows = std::vector<std::vector<std::string>>;

// A heading with what follows it; nothing when that is empty.
[[nodiscard]] std::string report_section(const std::string& title, const std::string& content);
// The first row is the head; everything is escaped.
[[nodiscard]] std::string report_table(const ReportRows& rows, size_t most_rows = 1000);

[[nodiscard]] std::string report_summary(const std::filesystem::path& run, const RunSeries& series);
[[nodiscard]] std::string report_curves(const RunSeries& series);
[[nodiscard]] std::string report_tables(const std::filesystem::path& run);
[[nodiscard]] std::string report_model(const std::filesystem::path& run);
[[nodiscard]] std::string report_config(const std::filesystem::path& run);
[[nodiscard]] std::string report_data(const std::filesystem::path& run);
[[nodiscard]] std::string report_machine(const std::filesystem::path& run);
[[nodiscard]] std::string report_history(const std::filesystem::path& run);

extern const char* const kReportStyle;
extern const char* const kReportScript;

}  // namespace hearth
