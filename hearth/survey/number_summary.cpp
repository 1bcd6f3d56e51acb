// One pass over many numbers, with Welford's mean and sum of squares.
#include "hearth/survey/number_summary.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace hearth {
namespace {

constexpr size_t kMostKept = 1 << 14;

}  // namespace

void NumberSummary::add(double value) {
  if (std::isnan(value))
    ++missing_;
  else if (std::isinf(value))
    ++infinite_;
  else
    add_many(value, 1);
}

void NumberSummary::add_counts(std::span<const int64_t> counts_of_bytes) {
  for (size_t byte = 0; byte < counts_of_bytes.size(); ++byte)
    if (counts_of_bytes[byte] > 0) add_many(static_cast<double>(byte), counts_of_bytes[byte]);
}

void NumberSummary::add_many(double value, int64_t times) {
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  const auto before = static_cast<double>(count_);
  const auto more = static_cast<double>(times);
  count_ += times;
  const double difference = value - mean_;
  mean_ += difference * more / (before + more);
  squares_ += difference * difference * before * more / (before + more);
  keep(value, times);
}

void NumberSummary::keep(double value, int64_t times) {
  if (until_next_-- > 0) return;
  until_next_ = stride_ - 1;
  kept_.push_back({value, times});
  if (kept_.size() < kMostKept) return;
  for (size_t i = 0; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
  kept_.resize(kept_.size() / 2);
  stride_ *= 2;
}

double NumberSummary::deviation() const {
  return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0;
}

std::vector<int64_t> NumberSummary::histogram(size_t bins) const {
  std::vector<int64_t> counts(bins);
  const double width = most_ - least_;
  for (const Kept& kept : kept_) {
    const double place = width > 0 ? (kept.value - least_) / width : 0;
    const auto bin = static_cast<size_t>(place * static_cast<double>(bins));
    counts[std::min(bin, bins - 1)] += kept.times;
  }
  return counts;
}

double NumberSummary::quantile(double share) const {
  std::vector<Kept> sorted = kept_;
  std::sort(sorted.begin(), sorted.end(),
            [](const Kept& left, const Kept& right) { return left.value < right.value; });
  int64_t all = 0;
  for (const Kept& kept : sorted) all += kept.times;
  auto left = static_cast<int64_t>(share * static_cast<double>(all));
  for (const Kept& kept : sorted)
    if ((left -= kept.times) < 0) return kept.value;
  return sorted.empty() ? 0 : sorted.back().value;
}

Json NumberSummary::to_json() const {
  Json json = {{"count", count_}, {"missing", missing_}, {"infinite", infinite_}};
  if (count_ == 0) return json;
  json["min"] = least_;
  json["max"] = most_;
  json["mean"] = mean_;
  json["std"] = deviation();
  json["median"] = quantile(0.5);
  return json;
}

}  // namespace hearth
