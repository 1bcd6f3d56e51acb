// Statistics of columns of numbers.
#include "hearth/data/table/column_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr size_t kMostDifferentNumbers = 1'000'000;
constexpr uint32_t kHalfBits = 16;
constexpr size_t kHalves = size_t{1} << kHalfBits;
constexpr uint32_t kSign = 0x8000'0000U;

// Whole numbers in the order of the floats they stand for.
uint32_t ordered_bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value + 0.0F);  // -0 becomes 0
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

float float_of(uint32_t ordered) {
  return std::bit_cast<float>((ordered & kSign) != 0 ? ordered & ~kSign : ~ordered);
}

// Where the number of a rank lies in counts, and how many come before it there.
std::pair<size_t, int64_t> rank_place(const std::vector<int64_t>& counts, int64_t rank) {
  size_t at = 0;
  while (rank >= counts[at]) rank -= counts[at++];
  return {at, rank};
}

}  // namespace

void ColumnMoments::add(std::span<const float> row) {
  for (size_t i = 0; i < sums_.size(); ++i) {
    const double value = row[i];
    if (std::isnan(value)) continue;
    Sums& sums = sums_[i];
    if (sums.count++ == 0) sums.first = value;
    const double rest = value - sums.first;
    sums.sum += rest;
    sums.squares += rest * rest;
  }
}

std::vector<double> ColumnMoments::means() const {
  std::vector<double> means;
  for (const Sums& sums : sums_)
    means.push_back(sums.count == 0 ? 0 : sums.first + sums.sum / static_cast<double>(sums.count));
  return means;
}

std::vector<double> ColumnMoments::deviations() const {
  std::vector<double> deviations;
  for (const Sums& sums : sums_) {
    const auto count = static_cast<double>(std::max<int64_t>(sums.count, 1));
    const double variance = (sums.squares - sums.sum * sums.sum / count) / count;
    deviations.push_back(variance > 0 ? std::sqrt(variance) : 1);
  }
  return deviations;
}

ColumnQuantiles::ColumnQuantiles(size_t columns, std::vector<double> shares)
    : shares_(std::move(shares)), columns_(columns) {
  for (Column& column : columns_) column.upper.resize(kHalves);
}

void ColumnQuantiles::add(std::span<const float> row) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (std::isnan(row[i])) continue;
    const uint32_t bits = ordered_bits(row[i]);
    Column& column = columns_[i];
    if (!is_second_) {
      ++column.upper[bits >> kHalfBits];
      ++column.count;
      continue;
    }
    const auto lower = column.lower.find(bits >> kHalfBits);
    if (lower != column.lower.end()) ++lower->second[bits & (kHalves - 1)];
  }
}

std::vector<int64_t> ColumnQuantiles::ranks(const Column& column) const {
  std::vector<int64_t> ranks;
  for (const double share : shares_)
    ranks.push_back(static_cast<int64_t>(share * static_cast<double>(column.count - 1)));
  return ranks;
}

void ColumnQuantiles::choose_uppers(Column& column) const {
  if (column.count == 0) return;
  for (const int64_t rank : ranks(column))
    column.lower[static_cast<uint32_t>(rank_place(column.upper, rank).first)].resize(kHalves);
}

std::vector<double> ColumnQuantiles::found(const Column& column) const {
  std::vector<double> numbers;
  if (column.count == 0) return numbers;
  for (const int64_t rank : ranks(column)) {
    const auto [upper, rest] = rank_place(column.upper, rank);
    const auto high = static_cast<uint32_t>(upper);
    const size_t lower = rank_place(column.lower.at(high), rest).first;
    numbers.push_back(float_of(high << kHalfBits | static_cast<uint32_t>(lower)));
  }
  return numbers;
}

bool ColumnQuantiles::finish() {
  if (!std::exchange(is_second_, true)) {
    for (Column& column : columns_) choose_uppers(column);
    return false;
  }
  for (const Column& column : columns_) quantiles_.push_back(found(column));
  return true;
}

void ColumnModes::add(std::span<const float> row) {
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (std::isnan(row[i])) continue;
    ++counts_[i][row[i]];
    if (counts_[i].size() > kMostDifferentNumbers)
      throw DataError("column " + std::to_string(i) + " has more than " +
                      human_count(kMostDifferentNumbers) +
                      " different numbers; none of them says what a missing one may be. Use the "
                      "mean or the median.");
  }
}

std::vector<double> ColumnModes::modes() const {
  std::vector<double> modes;
  for (const auto& counts : counts_) {
    double mode = 0;
    int64_t most = 0;
    for (const auto& [value, count] : counts)
      if (count > most || (count == most && value < mode)) {
        most = count;
        mode = value;
      }
    modes.push_back(mode);
  }
  return modes;
}

}  // namespace hearth
