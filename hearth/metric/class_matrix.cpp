// Metrics that are functions of how often each class was taken for which.
#include "hearth/metric/class_matrix.h"

#include <ATen/TensorOperators.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr int64_t kMostConfusedClasses = 1024;  // a million cells, at every epoch

}  // namespace

int64_t matrix_places(int64_t classes, const std::string& scores) {
  if (classes > kMostConfusedClasses)
    throw GraphError("counts every class against every other, at most " +
                     std::to_string(kMostConfusedClasses) + ", but " + quote(scores) + " scores " +
                     human_count(static_cast<uint64_t>(classes)) +
                     ". Use f1, which counts each class by itself.");
  return classes * classes + 1;
}

at::Tensor matrix_places_of(const ClassAnswers& answers, int64_t classes) {
  return (answers.label * classes + answers.predicted).clamp_max(classes * classes);
}

}  // namespace hearth
