// What traces share that look at rows of samples.
#include "hearth/train/rows_trace.h"

#include <nlohmann/json.hpp>

namespace hearth {

std::vector<Interest> RowsTrace::interests() const {
  return {{Occasion::kEvaluationBegin, {}, interval_},
          {Occasion::kBatchEnd, Mode::kEval, interval_},
          {Occasion::kEvaluationEnd, {}, interval_},
          {Occasion::kEpochEnd}};
}

void RowsTrace::hear(const Happening& happening, RunControl& run) {
  FirstRows& rows = happening.mode == Mode::kTrain ? training_ : evaluation_;
  if (happening.occasion == Occasion::kBatchEnd) return rows.add(happening);
  if (happening.occasion != Occasion::kEvaluationBegin && !rows.is_empty())
    show(happening, rows, run);
  rows.clear();
}

}  // namespace hearth
