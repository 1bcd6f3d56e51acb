// Options that metrics of classes share.
#include "hearth/metric/class_options.h"

#include "hearth/metric/class_metric.h"

namespace hearth::metrics {

const Schema<ClassMetricOptions>& ClassMetricOptions::schema() {
  static const auto fields = measured_by_weight(thresholded_answers_schema<ClassMetricOptions>());
  return fields;
}

const Schema<AveragedClassOptions>& AveragedClassOptions::schema() {
  using O = AveragedClassOptions;
  static const auto fields = measured_by_weight(thresholded_answers_schema<O>().field(
      &O::average, "average", kAverageHelp, one_of({"macro", "micro", "weighted"})));
  return fields;
}

const Schema<ClassShareOptions>& ClassShareOptions::schema() {
  static const auto fields = measured_by_weight(class_shares_schema<ClassShareOptions>());
  return fields;
}

const Schema<ClassMarginOptions>& ClassMarginOptions::schema() {
  static const auto fields = measured_by_weight(class_answers_schema<ClassMarginOptions>());
  return fields;
}

const Schema<ClassRankOptions>& ClassRankOptions::schema() {
  using O = ClassRankOptions;
  static const auto fields = measured_by_weight(class_shares_schema<O>().field(
      &O::average, "average",
      "What is reported under its own name: `macro`, the mean over the classes of which there are "
      "samples and others; `micro`, of all samples and classes in one order; `weighted`, the mean "
      "by samples of a class.",
      one_of({"macro", "micro", "weighted"})));
  return fields;
}

}  // namespace hearth::metrics
