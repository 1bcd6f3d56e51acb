// What the numbers of a file's tensors are like, and how those of two files differ.
#include "hearth/format/weight_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hearth/base/text.h"
#include "hearth/format/array_names.h"

namespace hearth {

namespace {

// How far apart two numbers are; equal ones, also two NaN or two of the same infinity, are not.
double distance_between(double left, double right) {
  if (left == right || (std::isnan(left) && std::isnan(right))) return 0;
  const double distance = std::abs(left - right);
  return std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity();
}

void compare_numbers(const WeightFile& left, const WeightFile& right,
                     WeightDifference& difference) {
  std::vector<std::byte> left_room;
  std::vector<std::byte> right_room;
  const auto left_bytes = left.bytes(*difference.left, left_room);
  const auto right_bytes = right.bytes(*difference.right, right_room);
  for (uint64_t i = 0; i < difference.left->count(); ++i) {
    const double distance = distance_between(number_at(difference.left->type, left_bytes, i),
                                             number_at(difference.right->type, right_bytes, i));
    if (distance == 0) continue;
    if (difference.differing++ > 0 && distance <= difference.largest) continue;
    difference.largest = distance;
    difference.largest_at = i;
  }
}

}  // namespace

std::vector<double> numbers_of(const WeightFile& file, const WeightEntry& entry) {
  std::vector<std::byte> room;
  const auto bytes = file.bytes(entry, room);
  std::vector<double> numbers(entry.count());
  for (uint64_t i = 0; i < numbers.size(); ++i) numbers[i] = number_at(entry.type, bytes, i);
  return numbers;
}

WeightStatistics statistics_of(const WeightFile& file, const WeightEntry& entry) {
  WeightStatistics found;
  std::vector<std::byte> room;
  const auto bytes = file.bytes(entry, room);
  double square = 0;  // of distances from the mean so far: Welford's way, one pass
  for (uint64_t i = 0; i < entry.count(); ++i) {
    const double value = number_at(entry.type, bytes, i);
    if (std::isnan(value)) {
      ++found.nan;
    } else if (std::isinf(value)) {
      ++found.infinite;
    } else {
      ++found.finite;
      found.least = found.finite == 1 ? value : std::min(found.least, value);
      found.most = found.finite == 1 ? value : std::max(found.most, value);
      const double before = value - found.mean;
      found.mean += before / static_cast<double>(found.finite);
      square += before * (value - found.mean);
    }
  }
  if (found.finite > 0) found.deviation = std::sqrt(square / static_cast<double>(found.finite));
  return found;
}

std::vector<WeightDifference> differences(const WeightFile& left, const WeightFile& right) {
  std::vector<WeightDifference> found;
  for (const WeightEntry& entry : left.entries()) {
    WeightDifference difference{entry.name, &entry, right.find(entry.name)};
    if (difference.has_same_shape()) compare_numbers(left, right, difference);
    found.push_back(std::move(difference));
  }
  for (const WeightEntry& entry : right.entries())
    if (left.find(entry.name) == nullptr) found.push_back({entry.name, nullptr, &entry});
  return found;
}

std::string text_of(const WeightEntry& entry) {
  std::vector<std::string> lengths;
  for (const int64_t length : entry.shape) lengths.push_back(std::to_string(length));
  return name_of(entry.type) + " [" + join(lengths, ", ") + "]";
}

}  // namespace hearth
