// TensorBoard's records: what its event files hold, as protobuf messages without its schemas.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/table.h"
#include "hearth/tracking/run_facts.h"

namespace hearth {

// A value of a summary, under its tag.
struct SummaryValue {
  std::string bytes;
};

// Bars of equal width from `from` to `to`.
struct EvenHistogram {
  double from = 0;
  double to = 0;
  std::vector<double> counts;
};

[[nodiscard]] SummaryValue scalar_summary(const std::string& tag, double value);
// Sums are those of the bars' middles: what was counted is not known any more.
[[nodiscard]] SummaryValue histogram_summary(const std::string& tag, const EvenHistogram& given);
// Of a PNG file's bytes. DataError when it is none.
[[nodiscard]] SummaryValue image_summary(const std::string& tag, const std::string& png);
[[nodiscard]] SummaryValue text_summary(const std::string& tag, const std::string& markdown);
// The run's options as what hparams compares between runs; and that it has ended, well or not.
[[nodiscard]] SummaryValue session_start_summary(const std::vector<PlainOption>& options,
                                                 double time);
[[nodiscard]] SummaryValue session_end_summary(bool is_success, double time);

// Whole events.
struct SummaryMoment {
  double time = 0;  // seconds since 1970
  int64_t step = 0;
};
[[nodiscard]] std::string summary_event(const SummaryMoment& moment,
                                        std::span<const SummaryValue> values);
[[nodiscard]] std::string file_version_event(double time);
// Whatever an earlier file of the folder says of this step and later ones is void.
[[nodiscard]] std::string session_start_event(const SummaryMoment& moment);
[[nodiscard]] std::string graph_event(const std::vector<LayerFacts>& layers, double time);

}  // namespace hearth
