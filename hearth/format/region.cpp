// Rows of a polygon between the sides it crosses; columns of run lengths.
#include "hearth/format/region.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hearth/base/error.h"

namespace hearth {

void fill_polygon(std::span<const float> corners, int64_t height, int64_t width,
                  const FillRun& fill) {
  const size_t count = corners.size() / 2;
  std::vector<double> crossings;
  for (int64_t y = 0; y < height; ++y) {
    const double middle = static_cast<double>(y) + 0.5;
    crossings.clear();
    for (size_t i = 0; i < count; ++i) {
      const size_t next = (i + 1) % count;
      const double from = corners[2 * i + 1];
      const double to = corners[2 * next + 1];
      if ((from <= middle) == (to <= middle)) continue;
      const double share = (middle - from) / (to - from);
      crossings.push_back(corners[2 * i] + share * (corners[2 * next] - corners[2 * i]));
    }
    std::sort(crossings.begin(), crossings.end());
    const auto point = [&](double x) {
      return static_cast<int64_t>(std::clamp(std::ceil(x - 0.5), 0.0, static_cast<double>(width)));
    };
    for (size_t i = 0; i + 1 < crossings.size(); i += 2)
      if (const int64_t begin = point(crossings[i]), end = point(crossings[i + 1]); begin < end)
        fill(y, begin, end);
  }
}

void fill_run_lengths(std::span<const uint32_t> counts, int64_t height, int64_t width,
                      const FillRun& fill, const std::string& what) {
  int64_t at = 0;
  bool is_inside = false;
  for (const uint32_t count : counts) {
    if (count > height * width - at)
      throw DataError(what + ": the run lengths go beyond the image of " + std::to_string(width) +
                      " x " + std::to_string(height) + " points.");
    for (const int64_t end = at + count; at < end; ++at)
      if (is_inside) fill(at % height, at / height, at / height + 1);
    is_inside = !is_inside;
  }
  if (at != height * width)
    throw DataError(what + ": the run lengths make up " + std::to_string(at) + " points, but the " +
                    "image has " + std::to_string(height * width) + ".");
}

// Each number is cut into five bits, the lowest first, with a sixth that says that more follow;
// from the third on it is the difference to the number two before it.
std::vector<uint32_t> unpack_run_lengths(const std::string& text, const std::string& what) {
  std::vector<uint32_t> counts;
  for (size_t at = 0; at < text.size();) {
    int64_t value = 0;
    int shift = 0;
    bool has_more = true;
    for (; has_more; ++at, shift += 5) {
      const int part = at < text.size() ? text[at] - 48 : -1;
      if (part < 0 || part > 63 || shift > 30)
        throw DataError(what + ": the packed run lengths are damaged at letter " +
                        std::to_string(at + 1) + ".");
      value |= int64_t{part & 31} << shift;
      has_more = (part & 32) != 0;
      if (!has_more && (part & 16) != 0) value -= int64_t{1} << (shift + 5);
    }
    if (counts.size() > 2) value += counts[counts.size() - 2];
    if (value < 0 || value > std::numeric_limits<uint32_t>::max())
      throw DataError(what + ": the packed run lengths are damaged: a run has " +
                      std::to_string(value) + " points.");
    counts.push_back(static_cast<uint32_t>(value));
  }
  return counts;
}

}  // namespace hearth
