// The mean average precision of a detector's boxes: over classes, over overlaps from 0.5 to 0.95,
// and by the size of boxes.
#include "hearth/metric/metrics/detection/coco_map.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/box_matching.h"
#include "hearth/metric/gather_metric.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::metrics {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr int kOverlaps = 10;
double overlap_number(int index) { return 0.5 + 0.05 * index; }

// Of all that is a number.
class MeanOfKnown {
 public:
  void add(double number) {
    if (std::isnan(number)) return;
    sum_ += number;
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ == 0 ? kNothing : sum_ / count_; }

 private:
  double sum_ = 0;
  double count_ = 0;
};

// The boxes of one class in every image.
struct ClassBoxes {
  std::vector<std::vector<TrueBox>> boxes;
  std::vector<std::vector<DetectedBox>> detections;
  explicit ClassBoxes(size_t images) : boxes(images), detections(images) {}
};

std::array<double, 4> sides_of(const double* from) { return {from[0], from[1], from[2], from[3]}; }

// By class. Nothing when a score is not a number.
std::optional<std::map<int64_t, ClassBoxes>> boxes_by_class(const Samples& samples) {
  std::map<int64_t, ClassBoxes> classes;
  const at::Tensor detections = samples[0].to(at::kDouble).contiguous();
  const at::Tensor boxes = samples[1].to(at::kDouble).contiguous();
  const at::Tensor labels = samples[2].contiguous();
  const auto images = static_cast<size_t>(labels.size(0));
  for (size_t i = 0; i < images; ++i) {
    const auto image = static_cast<int64_t>(i);
    for (int64_t k = 0; k < labels.size(1); ++k) {
      const int64_t label = labels.data_ptr<int64_t>()[image * labels.size(1) + k];
      const double* box = boxes.data_ptr<double>() + (image * boxes.size(1) + k) * 4;
      if (label != kIgnoredLabel)
        classes.try_emplace(label, images).first->second.boxes[i].push_back({sides_of(box)});
    }
    for (int64_t k = 0; k < detections.size(1); ++k) {
      const double* row = detections.data_ptr<double>() + (image * detections.size(1) + k) * 6;
      if (std::isnan(row[4])) return std::nullopt;
      if (row[4] <= 0) continue;  // no box
      const auto label = static_cast<int64_t>(row[5]);
      classes.try_emplace(label, images)
          .first->second.detections[i]
          .push_back({sides_of(row), row[4]});
    }
  }
  return classes;
}

struct CocoMap {
  using Options = CocoMapOptions;
  static constexpr const char* kName = "coco_map";
  static constexpr bool kIsBetterWhenHigher = true;
  static constexpr bool kMayBeUndefined = true;
  static constexpr bool kReadsMaskItself = true;
  static std::vector<std::string> numbers(const Options&) {
    return {"at_50", "at_75", "small", "medium", "large", "recall"};
  }
  static std::vector<std::string> keys(const Options& options) {
    std::vector<std::string> keys = options.in;
    if (!options.mask.empty()) keys.push_back(options.mask);
    return keys;
  }
  static Known check(const Options&, std::span<const KeySpec> keys);
  static Rows rows(const Options&, const Known&, const MetricBatch& batch) {
    at::Tensor labels = batch[2];
    if (batch.values.size() > 3)
      labels = labels.masked_fill(batch[3].to(at::kBool).logical_not(), kIgnoredLabel);
    return {{batch[0], batch[1], labels}, labels.narrow(1, 0, 0).sum(1)};
  }
  static Measured value(const Options& options, const Samples& samples);
};

Known CocoMap::check(const Options&, std::span<const KeySpec> keys) {
  const auto is_rows = [](const Spec& spec, int64_t numbers) {
    return is_floating(spec.dtype) && !spec.is_per_batch && spec.shape.size() == 2 &&
           spec.shape[1] == numbers;
  };
  if (!is_rows(keys[0].spec, 6))
    throw GraphError("needs boxes with score and class, float [B, boxes, 6], in " +
                     quote(keys[0].key) + ", but it is " + keys[0].spec.text() +
                     ". Name the key that `detections` writes.");
  if (!is_rows(keys[1].spec, 4))
    throw GraphError("needs true boxes, float [B, boxes, 4], in " + quote(keys[1].key) +
                     ", but it is " + keys[1].spec.text() + ".");
  for (size_t i = 2; i < keys.size(); ++i)
    if (keys[i].spec.shape.size() != 1 || is_floating(keys[i].spec.dtype) ||
        keys[i].spec.shape[0] != keys[1].spec.shape[0])
      throw GraphError("needs a whole number for each box of " + quote(keys[1].key) + ", in " +
                       quote(keys[i].key) + ", but it is " + keys[i].spec.text() + ".");
  return {.names = keys[2].spec.class_names};
}

Measured CocoMap::value(const Options& options, const Samples& samples) {
  const auto classes = boxes_by_class(samples);
  const auto* weight = samples.weights.data_ptr<double>();
  const std::vector<double> weights(weight, weight + samples.weights.numel());
  const auto found = [&](const ClassBoxes& one, double overlap, const AreaRange& areas) {
    std::vector<ImageMatches> images;
    for (size_t i = 0; i < weights.size(); ++i)
      images.push_back(matched(one.boxes[i], one.detections[i], overlap, areas,
                               static_cast<size_t>(options.most)));
    return average_precision(images, weights);
  };
  MeanOfKnown all;
  MeanOfKnown at_50;
  MeanOfKnown at_75;
  MeanOfKnown recall;
  std::array<MeanOfKnown, 3> sizes;
  constexpr AreaRange kSizes[] = {{0, 32 * 32}, {32 * 32, 96 * 96}, {96 * 96, 1e10}};
  Table table{.corner = "class", .columns = {kName, "at_50", "at_75", "boxes"}};
  for (const auto& [label, one] : classes.value_or(std::map<int64_t, ClassBoxes>())) {
    MeanOfKnown of_class;
    std::array<double, kOverlaps> precisions{};
    for (int i = 0; i < kOverlaps; ++i) {
      const AveragePrecision each = found(one, overlap_number(i), {});
      precisions[static_cast<size_t>(i)] = each.precision;
      of_class.add(each.precision);
      all.add(each.precision);
      recall.add(each.recall);
      for (size_t size = 0; size < 3; ++size)
        sizes[size].add(found(one, overlap_number(i), kSizes[size]).precision);
    }
    at_50.add(precisions[0]);
    at_75.add(precisions[5]);
    double boxes = 0;
    for (size_t i = 0; i < weights.size(); ++i)
      boxes += weights[i] * static_cast<double>(one.boxes[i].size());
    const auto place = static_cast<size_t>(label);
    table.rows.push_back(label >= 0 && place < samples.names.size() ? samples.names[place]
                                                                    : std::to_string(label));
    table.cells.insert(table.cells.end(), {of_class.value(), precisions[0], precisions[5], boxes});
  }
  Measured measured(all.value());
  measured.numbers = {{"at_50", at_50.value()},    {"at_75", at_75.value()},
                      {"small", sizes[0].value()}, {"medium", sizes[1].value()},
                      {"large", sizes[2].value()}, {"recall", recall.value()}};
  measured.table = std::move(table);
  return measured;
}

}  // namespace

const Schema<CocoMapOptions>& CocoMapOptions::schema() {
  using O = CocoMapOptions;
  static const auto fields =
      Schema<O>()
          .field(
              &O::in, "in",
              "Keys of the detections, float [B, boxes, 6] as `detections` writes them (left, "
              "top, right, bottom, score, class; no box where the score is 0), of the true boxes "
              "and of their labels. A label of -100 stands for no box.")
          .field(&O::most, "most", "How many detections of an image and class count, the best.",
                 at_least(1))
          .field(&O::weight, "weight", "Key of a number for each sample, how much it counts.")
          .field(&O::mask, "mask",
                 "Key that says which rows of the true boxes hold one, such as the `mask` of "
                 "pad_longest. Left out: all.")
          .field(&O::bootstrap, "bootstrap",
                 "A confidence interval of the headline, as the numbers `low` and `high`.")
          .field(&O::out, "out", "Name that all is reported under. Left out: the metric's own.")
          .check("in must name three keys: the detections, the true boxes and their labels.",
                 [](const O& options) { return options.in.size() == 3; });
  return fields;
}

Choice<Metric> coco_map(const CocoMapOptions& options) {
  return choose<Metric>("coco_map", options);
}

void register_coco_map(Registry<Metric>& metrics) {
  metrics.add<GatherMetric<CocoMap>>(
      "coco_map",
      "Mean average precision of boxes as COCO has it, over overlaps from 0.5 to 0.95, at 0.5, at "
      "0.75, and of small, medium and large boxes (by their own area).");
}

}  // namespace hearth::metrics
