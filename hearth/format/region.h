// Regions of points as annotations give them: polygons and run lengths, filled into a mask.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hearth {

// Calls `fill(y, begin, end)` for runs of points in an image of height x width. Runs may overlap.
using FillRun = std::function<void(int64_t y, int64_t begin, int64_t end)>;

// Points whose middle lies in the polygon of corners x, y, x, y, ..., by the even-odd rule.
void fill_polygon(std::span<const float> corners, int64_t height, int64_t width,
                  const FillRun& fill);

// Lengths of runs outside and inside by turns, down the columns from the left. DataError names
// `what` unless they make up the image.
void fill_run_lengths(std::span<const uint32_t> counts, int64_t height, int64_t width,
                      const FillRun& fill, const std::string& what);
// Run lengths as COCO packs them into text. DataError names `what` when it is none of that form.
[[nodiscard]] std::vector<uint32_t> unpack_run_lengths(const std::string& text,
                                                       const std::string& what);

}  // namespace hearth
