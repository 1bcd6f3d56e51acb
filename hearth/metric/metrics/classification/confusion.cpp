// How often each class was taken for which: a table with a row for each true class and a column for
// each predicted one.
#include "hearth/metric/metrics/classification/confusion.h"

#include "hearth/config/registry.h"
#include "hearth/metric/class_matrix.h"

namespace hearth::metrics {
namespace {

struct Confusion {
  using Options = ConfusionOptions;
  static constexpr const char* kName = "confusion";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kHasHeadline = false;
  static Measured value(const Options&, const ClassMatrix& matrix,
                        const std::vector<std::string>& names) {
    Measured measured;
    measured.table = {
        .corner = "true \\ predicted", .columns = names, .rows = names, .cells = matrix.counts};
    return measured;
  }
};

}  // namespace

const Schema<ConfusionOptions>& ConfusionOptions::schema() {
  using O = ConfusionOptions;
  static const auto fields =
      with_weight(thresholded_answers_schema<O>())
          .field(&O::out, "out", "Name the table is reported under.", not_empty());
  return fields;
}

Choice<Metric> confusion(ConfusionOptions options) { return choose<Metric>("confusion", options); }

void register_confusion(Registry<Metric>& metrics) {
  metrics.add<ClassMatrixMetric<Confusion>>("confusion",
                                            "A table of how often each class was taken for which.");
}

}  // namespace hearth::metrics
