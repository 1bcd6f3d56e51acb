// The samples of each class.
#include "hearth/data/class_members.h"

#include "hearth/base/error.h"

namespace hearth {

std::vector<std::vector<int64_t>> group_members(const std::vector<int64_t>& group_of,
                                                int64_t groups) {
  std::vector<int64_t> counts(static_cast<size_t>(groups));
  for (const int64_t group : group_of) ++counts[static_cast<size_t>(group)];
  std::vector<std::vector<int64_t>> members(static_cast<size_t>(groups));
  for (size_t i = 0; i < members.size(); ++i) members[i].reserve(static_cast<size_t>(counts[i]));
  for (size_t i = 0; i < group_of.size(); ++i)
    members[static_cast<size_t>(group_of[i])].push_back(static_cast<int64_t>(i));
  return members;
}

ClassMembers class_members(const Source& source, const ColumnKey& asked,
                           const std::vector<double>& weights) {
  const std::vector<int64_t> labels = class_column(source, asked);
  const int64_t classes = column_spec(source, asked).classes;
  if (!weights.empty() && static_cast<int64_t>(weights.size()) != classes)
    throw DataError(asked.reader + ": weights holds " + std::to_string(weights.size()) +
                    " numbers, but there are " + std::to_string(classes) +
                    " classes. Give one for each class.");
  ClassMembers found;
  std::vector<std::vector<int64_t>> all = group_members(labels, classes);
  for (size_t i = 0; i < all.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    if (weight <= 0 || all[i].empty()) continue;
    found.members.push_back(std::move(all[i]));
    found.weights.push_back(weight);
  }
  if (found.members.empty())
    throw DataError(asked.reader + ": no sample has a class whose weight is above 0.");
  return found;
}

}  // namespace hearth
