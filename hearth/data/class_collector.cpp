// Classes as they occur in records.
#include "hearth/data/class_collector.h"

#include <algorithm>

#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr int64_t kMostClassNumber = 10'000'000;

}  // namespace

uint64_t ClassCollector::add(std::string_view text) {
  const auto known = found_.find(text);
  if (known != found_.end()) return known->second;
  const uint64_t number = found_.size();
  found_.emplace(text, number);
  return number;
}

bool ClassCollector::are_numbers() const {
  return std::all_of(found_.begin(), found_.end(), [](const auto& entry) {
    const auto number = read_integer(entry.first);
    return number && *number >= 0 && *number <= kMostClassNumber;
  });
}

ClassCollector::Classes ClassCollector::finish() const {
  Classes classes;
  classes.numbers.resize(found_.size());
  const bool is_number = are_numbers();
  for (const auto& [text, given] : found_) {
    const auto own =
        is_number ? static_cast<uint64_t>(*read_integer(text)) : uint64_t{classes.names.size()};
    if (!is_number) classes.names.push_back(text);
    classes.numbers[given] = own;
    classes.count = std::max(classes.count, static_cast<int64_t>(own) + 1);
  }
  return classes;
}

}  // namespace hearth
