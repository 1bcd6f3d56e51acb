// Outlines as polygons, cut off at the four sides of an image one after another.
#include "hearth/data/geometry/box_outline.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hearth {

namespace {

using Outline = std::vector<ImagePlace>;

// Around the box, from its upper left corner on.
void move_outline(const ImageTransform& transform, const float* box, Outline& outline) {
  const double left = box[0], top = box[1], right = box[2], bottom = box[3];
  const ImagePlace corners[] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  const int places = transform.places_of_side();
  outline.clear();
  for (size_t side = 0; side < 4; ++side) {
    const ImagePlace& from = corners[side];
    const ImagePlace& to = corners[(side + 1) % 4];
    for (int i = 0; i < places; ++i) {
      const double share = static_cast<double>(i) / places;
      outline.push_back(
          transform.moved({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)}));
    }
  }
}

// Keeps the part where `inside` is 0 or more; it is linear along a line.
template <class Inside>
void cut_outline(const Inside& inside, Outline& outline, Outline& kept) {
  kept.clear();
  for (size_t i = 0; i < outline.size(); ++i) {
    const ImagePlace& from = outline[i];
    const ImagePlace& to = outline[(i + 1) % outline.size()];
    const double at_from = inside(from), at_to = inside(to);
    if (at_from >= 0) kept.push_back(from);
    if ((at_from >= 0) == (at_to >= 0)) continue;
    const double share = at_from / (at_from - at_to);
    kept.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
  }
  outline.swap(kept);
}

PlacedBox box_around(const Outline& outline) {
  if (outline.empty()) return {};
  PlacedBox box{outline[0].x, outline[0].y, outline[0].x, outline[0].y};
  for (const ImagePlace& place : outline)
    box = {std::min(box.left, place.x), std::min(box.top, place.y), std::max(box.right, place.x),
           std::max(box.bottom, place.y)};
  return box;
}

}  // namespace

MovedBox moved_box(const ImageTransform& transform, const float* box) {
  thread_local Outline outline, kept;
  move_outline(transform, box, outline);
  for (const ImagePlace& place : outline)
    if (!std::isfinite(place.x) || !std::isfinite(place.y)) return {};
  const PlacedBox whole = box_around(outline);
  const auto width = static_cast<double>(transform.size().width);
  const auto height = static_cast<double>(transform.size().height);
  cut_outline([](const ImagePlace& place) { return place.x; }, outline, kept);
  cut_outline([](const ImagePlace& place) { return place.y; }, outline, kept);
  cut_outline([&](const ImagePlace& place) { return width - place.x; }, outline, kept);
  cut_outline([&](const ImagePlace& place) { return height - place.y; }, outline, kept);
  const PlacedBox visible = box_around(outline);
  return {whole, visible.has_points() ? visible : PlacedBox{}};
}

}  // namespace hearth
