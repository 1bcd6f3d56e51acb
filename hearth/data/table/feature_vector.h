// What ops on tables share: keys that hold numbers, one for each column.
#pragma once

#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/data/sample_op.h"

namespace hearth {

// GraphError unless the key holds float32 of a fixed size. `op` is how messages begin.
void require_floats(const std::string& op, const std::string& key, const Spec& spec);
// GraphError unless there are as many values as the key has numbers, or a single one.
void require_count(const std::string& op, const std::string& key, const Spec& spec,
                   const std::string& option, size_t count);
// A value for each number: the only one, or the one of the same place.
[[nodiscard]] inline double value_at(const std::vector<double>& values, size_t at) {
  return values.size() == 1 ? values[0] : values[at];
}
// The place of a column in a key of a table; GraphError with the nearest name.
[[nodiscard]] size_t column_place(const std::string& op, const std::string& key, const Spec& spec,
                                  const std::string& column);
// DataError of an op that runs before it was shown the training data.
[[noreturn]] void throw_not_fitted(const std::string& op);
// How columns are named in messages and in keys made of several.
[[nodiscard]] std::vector<std::string> column_names(const std::string& key, const Spec& spec);

}  // namespace hearth
