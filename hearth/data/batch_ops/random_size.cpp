// Images of a batch at a size drawn from a list for each batch; masks, boxes and points go with
// them.
#include "hearth/data/batch_ops/random_size.h"

#include <algorithm>
#include <array>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/resize_transform.h"

namespace hearth::batch_ops {

namespace {

bool holds_places(const Spec& spec) {
  return spec.role == Role::kBoxes || spec.role == Role::kPoints;
}

class RandomSize : public BatchOp {
 public:
  using Options = RandomSizeOptions;
  explicit RandomSize(Options options)
      : options_(std::move(options)),
        keys_("random_size", options_.keys),
        how_{resample_filter(options_.interpolation), options_.antialias} {}

  std::vector<std::string> reads() const override { return options_.keys; }
  std::vector<std::string> writes() const override { return options_.keys; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    (void)keys_.size_of(inputs);
    check_pixels(inputs[0], "random_size", options_.keys[0]);
    return keys_.specs(inputs, {kAnyLength, kAnyLength});
  }

  void run(Random& random, std::span<const BatchView> inputs,
           std::span<const BatchCell> outputs) const override {
    const int64_t side = options_.sizes[random.below(static_cast<uint32_t>(options_.sizes.size()))];
    for (size_t key = 0; key < inputs.size(); ++key) {
      const BatchView to = outputs[key].take(shape_of(inputs[key], key, side));
      for (int64_t row = 0; row < inputs[key].rows(); ++row)
        move(inputs[0].row(row), inputs[key].row(row), side, to.row(row));
    }
  }

 private:
  using Shape = std::array<int64_t, kMostDimensions>;

  // Rows of one shape; boxes and points must have one already.
  [[nodiscard]] std::span<const int64_t> shape_of(const BatchView& values, size_t key,
                                                  int64_t side) const {
    thread_local Shape shape;
    const View first = values.row(0);
    std::copy(first.shape.begin(), first.shape.end(), shape.begin());
    if (!holds_places(values.spec())) {
      shape[0] = shape[1] = side;
      return std::span(shape).first(first.shape.size());
    }
    for (int64_t row = 1; row < values.rows(); ++row)
      if (!std::ranges::equal(values.row(row).shape, first.shape))
        throw DataError("random_size: " + quote(options_.keys[key]) +
                        " has a different number of rows from sample to sample. Put pad_longest "
                        "before it, or pad_to into data.ops.");
    return std::span(shape).first(first.shape.size());
  }

  void move(const View& image, const View& value, int64_t side, const View& to) const {
    if (image.elements() == 0) throw DataError("the image has no points.");
    const ImageRegion whole{0, 0, image.shape[0], image.shape[1]};
    const ResizeTransform transform(whole, {side, side}, how_);
    if (!holds_places(*value.spec)) {
      if (value.shape[0] != image.shape[0] || value.shape[1] != image.shape[1])
        throw DataError("a mask is of another size than its image.");
      return transform.move_pixels(value, to.data);
    }
    const auto from = value.as<float>();
    const auto made = to.as<float>();
    for (size_t i = 0; i + 1 < from.size(); i += 2) {
      const ImagePlace place = transform.moved({from[i], from[i + 1]});
      made[i] = static_cast<float>(place.x);
      made[i + 1] = static_cast<float>(place.y);
    }
  }

  Options options_;
  MovedKeys keys_;
  Resampling how_;
};

}  // namespace

const Schema<RandomSizeOptions>& RandomSizeOptions::schema() {
  using O = RandomSizeOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields
        .field(&O::keys, "keys",
               "The images, and their masks, boxes and points, which are resized with them.",
               not_empty())
        .field(&O::sizes, "sizes", "The sizes to draw from, each height and width.", required(),
               not_empty(), at_least(1), at_most(65'500));
    add_resampling_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<BatchOp> random_size(const RandomSizeOptions& options) {
  return choose<BatchOp>("random_size", options);
}

void register_random_size(Registry<BatchOp>& registry) {
  registry.add<RandomSize>("random_size",
                           "Brings the images of a batch to one size, each batch to another one.");
}

}  // namespace hearth::batch_ops
