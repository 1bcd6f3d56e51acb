// What ops on tables share.
#include "hearth/data/table/feature_vector.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

void require_floats(const std::string& op, const std::string& key, const Spec& spec) {
  if (spec.dtype == DType::kFloat32 && !spec.is_ragged()) return;
  throw GraphError(
      op + ": key " + quote(key) + " must hold float32 of one size, but is " + spec.text() + "." +
      (spec.classes > 0 ? " Put one_hot before it, which makes numbers of classes." : ""));
}

void require_count(const std::string& op, const std::string& key, const Spec& spec,
                   const std::string& option, size_t count) {
  if (count <= 1 || static_cast<int64_t>(count) == spec.elements()) return;
  throw GraphError(op + ": " + option + " has " + std::to_string(count) + " values, but key " +
                   quote(key) + " is " + spec.text() + ". Give one value, or one for each number.");
}

size_t column_place(const std::string& op, const std::string& key, const Spec& spec,
                    const std::string& column) {
  const auto found = std::find(spec.columns.begin(), spec.columns.end(), column);
  if (found != spec.columns.end()) return static_cast<size_t>(found - spec.columns.begin());
  throw GraphError(op + ": key " + quote(key) + " has no column " + quote(column) + "." +
                   did_you_mean(column, spec.columns));
}

void throw_not_fitted(const std::string& op) {
  throw DataError(op + " runs before it has learned from the training data.");
}

std::vector<std::string> column_names(const std::string& key, const Spec& spec) {
  const auto count = static_cast<size_t>(spec.elements());
  if (spec.columns.size() == count) return spec.columns;
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i)
    names.push_back(count == 1 ? key : key + "." + std::to_string(i));
  return names;
}

}  // namespace hearth
