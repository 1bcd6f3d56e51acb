// Detected boxes beside true ones, by the rules of COCO's evaluation.
#include "hearth/metric/box_matching.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hearth {
namespace {

double area(const std::array<double, 4>& box) { return (box[2] - box[0]) * (box[3] - box[1]); }

double overlap_of(const std::array<double, 4>& one, const std::array<double, 4>& other) {
  const double width = std::min(one[2], other[2]) - std::max(one[0], other[0]);
  const double height = std::min(one[3], other[3]) - std::max(one[1], other[1]);
  if (width <= 0 || height <= 0) return 0;
  return width * height / (area(one) + area(other) - width * height);
}

bool is_outside(const std::array<double, 4>& box, const AreaRange& areas) {
  return area(box) < areas.least || area(box) > areas.most;
}

constexpr size_t kNone = std::numeric_limits<size_t>::max();

// Boxes that count come first, so that a detection that has one stops at the others.
size_t best_box(const std::vector<TrueBox>& boxes, const std::vector<bool>& is_outside,
                const std::vector<bool>& is_taken, const DetectedBox& detection, double overlap) {
  size_t best = kNone;
  double most = std::min(overlap, 1 - 1e-10);
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (is_taken[i]) continue;
    if (best != kNone && !is_outside[best] && is_outside[i]) break;
    const double found = overlap_of(boxes[i].sides, detection.sides);
    if (found < most) continue;
    most = found;
    best = i;
  }
  return best;
}

}  // namespace

ImageMatches matched(const std::vector<TrueBox>& given, std::vector<DetectedBox> detections,
                     double overlap, const AreaRange& areas, size_t most) {
  std::vector<TrueBox> boxes = given;
  std::stable_partition(boxes.begin(), boxes.end(),
                        [&](const TrueBox& box) { return !is_outside(box.sides, areas); });
  std::vector<bool> outside;
  for (const TrueBox& box : boxes) outside.push_back(is_outside(box.sides, areas));
  std::stable_sort(detections.begin(), detections.end(),
                   [](const auto& left, const auto& right) { return left.score > right.score; });
  if (detections.size() > most) detections.resize(most);
  ImageMatches found;
  found.boxes = std::count(outside.begin(), outside.end(), false);
  std::vector<bool> is_taken(boxes.size());
  for (const DetectedBox& detection : detections) {
    const size_t box = best_box(boxes, outside, is_taken, detection, overlap);
    if (box != kNone) is_taken[box] = true;
    const bool is_ignored = box != kNone ? outside[box] : is_outside(detection.sides, areas);
    found.detections.push_back({detection.score, box != kNone, !is_ignored});
  }
  return found;
}

AveragePrecision average_precision(const std::vector<ImageMatches>& images,
                                   const std::vector<double>& weights) {
  struct Weighed {
    double score;
    bool is_right;
    double weight;
  };
  std::vector<Weighed> all;
  double boxes = 0;
  for (size_t i = 0; i < images.size(); ++i) {
    boxes += weights[i] * static_cast<double>(images[i].boxes);
    for (const MatchedDetection& one : images[i].detections)
      if (one.counts && weights[i] > 0) all.push_back({one.score, one.is_right, weights[i]});
  }
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  if (boxes == 0) return {kNothing, kNothing};
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& left, const auto& right) { return left.score > right.score; });
  std::vector<double> recalls;
  std::vector<double> precisions;
  double right = 0;
  double wrong = 0;
  for (const Weighed& one : all) {
    (one.is_right ? right : wrong) += one.weight;
    recalls.push_back(right / boxes);
    precisions.push_back(right / (right + wrong));
  }
  // A higher recall never has a higher precision.
  for (size_t i = precisions.size(); i-- > 1;)
    precisions[i - 1] = std::max(precisions[i - 1], precisions[i]);
  double sum = 0;
  for (int step = 0; step <= 100; ++step) {
    const auto place = std::lower_bound(recalls.begin(), recalls.end(), step / 100.0);
    if (place != recalls.end()) sum += precisions[static_cast<size_t>(place - recalls.begin())];
  }
  return {sum / 101, right / boxes};
}

}  // namespace hearth
