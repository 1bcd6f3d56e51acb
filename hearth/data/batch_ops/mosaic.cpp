// Four pictures of a batch in one, each brought to its quarter's size; masks, boxes and points go
// with them, and rows that belong to boxes come one after another.
#include "hearth/data/batch_ops/mosaic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/resize_transform.h"
#include "hearth/data/padding.h"

namespace hearth::batch_ops {

namespace {

bool holds_pixels(const Spec& spec) {
  return spec.role == Role::kImage || spec.role == Role::kMask;
}
bool holds_boxes_or_points(const Spec& spec) {
  return spec.role == Role::kBoxes || spec.role == Role::kPoints;
}

// A row of the batch, and the part of the result that it fills.
struct Quarter {
  int64_t row = 0;
  ImageRegion place;
};
// One for a row that stays as it is, else four.
using Quarters = std::vector<Quarter>;

class Mosaic : public BatchOp {
 public:
  using Options = MosaicOptions;
  explicit Mosaic(Options options)
      : options_(std::move(options)),
        how_{resample_filter(options_.interpolation), options_.antialias} {}

  std::vector<std::string> reads() const override { return options_.keys; }
  std::vector<std::string> writes() const override { return options_.keys; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (!is_image(inputs.at(0)))
      throw GraphError(
          "mosaic: the first key must be the image, [B, height, width, channels], but " +
          quote(options_.keys[0]) + " is " + inputs[0].text() + " and " +
          std::string(name(inputs[0].role)) + ". Put decode into data.ops.");
    check_pixels(inputs[0], "mosaic", options_.keys[0]);
    const ImageSize size = result_size(inputs[0]);
    std::vector<Spec> made;
    for (size_t key = 0; key < inputs.size(); ++key) {
      Spec spec = inputs[key];
      if (holds_pixels(spec))
        spec = resized_spec(spec, size, "mosaic", options_.keys[key]);
      else
        check_rows(spec, options_.keys[key]);
      if (!holds_pixels(spec) && spec.shape[0] != kAnyLength) spec.shape[0] *= 4;
      made.push_back(std::move(spec));
    }
    return made;
  }

  void run(Random& random, std::span<const BatchView> inputs,
           std::span<const BatchCell> outputs) const override {
    const ImageSize size = result_size(inputs[0].spec());
    std::vector<Quarters> all;
    for (int64_t row = 0; row < inputs[0].rows(); ++row)
      all.push_back(drawn_quarters(random, row, inputs[0].rows(), size));
    for (size_t key = 0; key < inputs.size(); ++key) {
      if (holds_pixels(inputs[key].spec()))
        write_pixels(all, inputs, key, size, outputs[key]);
      else
        write_rows(all, inputs, key, outputs[key]);
    }
  }

 private:
  [[nodiscard]] ImageSize result_size(const Spec& image) const {
    if (!options_.size.empty()) return {options_.size.front(), options_.size.back()};
    if (image.shape[0] == kAnyLength || image.shape[1] == kAnyLength)
      throw GraphError("mosaic: the image is " + image.text() +
                       ", of any size; give mosaic the `size` of its result.");
    return {image.shape[0], image.shape[1]};
  }

  static void check_rows(const Spec& spec, const std::string& key) {
    if (spec.shape.empty())
      throw GraphError("mosaic: key " + quote(key) + " is " + spec.text() +
                       ", one value for a picture, but the result has four pictures. Leave it out, "
                       "or use cutmix, which blends labels.");
    const int64_t numbers = spec.role == Role::kBoxes ? 4 : 2;
    if (holds_boxes_or_points(spec) &&
        (spec.dtype != DType::kFloat32 || spec.shape.back() != numbers))
      throw GraphError("mosaic: key " + quote(key) + " holds " + std::string(name(spec.role)) +
                       " and must be float32 [B, ..., " + std::to_string(numbers) + "], but is " +
                       spec.text() + ".");
  }

  // Where the quarters meet is drawn; the row's own picture is one of them, at any place.
  [[nodiscard]] Quarters drawn_quarters(Random& random, int64_t row, int64_t rows,
                                        const ImageSize& size) const {
    const bool is_made = static_cast<double>(random.uniform()) < options_.share;
    const auto border = [&](int64_t length) {
      const double share =
          options_.least + (1 - 2 * options_.least) * static_cast<double>(random.uniform());
      return std::clamp<int64_t>(std::llround(share * static_cast<double>(length)), 1,
                                 std::max<int64_t>(length - 1, 1));
    };
    const int64_t y = border(size.height);
    const int64_t x = border(size.width);
    std::array<int64_t, 4> others{};
    for (int64_t& other : others) other = random.below(static_cast<uint32_t>(rows));
    others[random.below(4)] = row;
    if (!is_made || size.height < 2 || size.width < 2)
      return {{row, {0, 0, size.height, size.width}}};
    return {{others[0], {0, 0, y, x}},
            {others[1], {0, x, y, size.width - x}},
            {others[2], {y, 0, size.height - y, x}},
            {others[3], {y, x, size.height - y, size.width - x}}};
  }

  [[nodiscard]] ResizeTransform transform_of(const View& image, const ImageRegion& place) const {
    if (image.elements() == 0) throw DataError("the image has no points.");
    return {{0, 0, image.shape[0], image.shape[1]}, {place.height, place.width}, how_};
  }

  void write_pixels(const std::vector<Quarters>& all, std::span<const BatchView> inputs, size_t key,
                    const ImageSize& size, const BatchCell& output) const {
    thread_local std::vector<std::byte> quarter_pixels;
    std::array<int64_t, kMostDimensions> shape{};
    const auto rank = inputs[key].spec().shape.size();
    std::copy_n(inputs[key].row(0).shape.begin(), rank, shape.begin());
    shape[0] = size.height;
    shape[1] = size.width;
    const BatchView to = output.take(std::span(shape).first(rank));
    const int64_t point = size_of(inputs[key].spec().dtype) * (rank > 2 ? shape[2] : 1);
    for (size_t row = 0; row < all.size(); ++row)
      for (const Quarter& quarter : all[row]) {
        const View from = inputs[key].row(quarter.row);
        const View image = inputs[0].row(quarter.row);
        if (from.shape[0] != image.shape[0] || from.shape[1] != image.shape[1])
          throw DataError("key " + quote(options_.keys[key]) +
                          " is of another size than its image.");
        const ImageRegion& place = quarter.place;
        quarter_pixels.resize(static_cast<size_t>(place.height * place.width * point));
        transform_of(from, place).move_pixels(from, quarter_pixels.data());
        for (int64_t y = 0; y < place.height; ++y)
          std::memcpy(to.row(static_cast<int64_t>(row)).data +
                          ((place.top + y) * size.width + place.left) * point,
                      quarter_pixels.data() + y * place.width * point,
                      static_cast<size_t>(place.width * point));
      }
  }

  // What belongs to boxes and points: rows of all quarters one after another, then filler.
  void write_rows(const std::vector<Quarters>& all, std::span<const BatchView> inputs, size_t key,
                  const BatchCell& output) const {
    const BatchView& in = inputs[key];
    const auto rank = in.spec().shape.size();
    std::array<int64_t, kMostDimensions> shape{};
    std::copy_n(in.row(0).shape.begin(), rank, shape.begin());
    shape[0] = output.spec().shape[0] != kAnyLength ? output.spec().shape[0] : longest(all, in);
    const BatchView to = output.take(std::span(shape).first(rank));
    const int64_t per_row = elements_of(std::span(shape).first(rank).subspan(1));
    const int64_t element = size_of(in.spec().dtype);
    for (size_t row = 0; row < all.size(); ++row) {
      const View made = to.row(static_cast<int64_t>(row));
      int64_t filled = 0;
      for (const Quarter& quarter : all[row]) {
        const View from = in.row(quarter.row);
        std::byte* target = made.data + filled * per_row * element;
        const auto bytes = from.elements() * static_cast<size_t>(element);
        if (bytes > 0) std::memcpy(target, from.data, bytes);
        if (holds_boxes_or_points(in.spec()))
          move_places({reinterpret_cast<float*>(target), from.elements()},
                      transform_of(inputs[0].row(quarter.row), quarter.place), quarter.place);
        filled += from.shape[0];
      }
      fill_with(in.spec().dtype, holds_boxes_or_points(in.spec()) ? 0 : options_.row_fill,
                (shape[0] - filled) * per_row, made.data + filled * per_row * element);
    }
  }

  static int64_t longest(const std::vector<Quarters>& all, const BatchView& in) {
    int64_t most = 1;
    for (const Quarters& quarters : all) {
      int64_t rows = 0;
      for (const Quarter& quarter : quarters) rows += in.row(quarter.row).shape[0];
      most = std::max(most, rows);
    }
    return most;
  }

  static void move_places(std::span<float> places, const ResizeTransform& transform,
                          const ImageRegion& quarter) {
    for (size_t i = 0; i + 1 < places.size(); i += 2) {
      const ImagePlace moved = transform.moved({places[i], places[i + 1]});
      places[i] = static_cast<float>(moved.x + static_cast<double>(quarter.left));
      places[i + 1] = static_cast<float>(moved.y + static_cast<double>(quarter.top));
    }
  }

  Options options_;
  Resampling how_;
};

}  // namespace

const Schema<MosaicOptions>& MosaicOptions::schema() {
  using O = MosaicOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields
        .field(&O::keys, "keys",
               "The images, then their masks, boxes and points, and what else has a row for each "
               "box, such as their classes.",
               not_empty())
        .field(&O::size, "size",
               "Height and width of the result, or one number for both; left out: the images'.",
               at_least(1), at_most(65'500))
        .field(&O::share, "share", "How many images become a mosaic; others are only resized.",
               at_least(0), at_most(1))
        .field(&O::least, "least",
               "The least share of height and width that a picture gets; where the four meet is "
               "drawn.",
               at_least(0), at_most(0.5))
        .field(
            &O::row_fill, "row_fill",
            "Boxes differ in number, so that all rows of the batch are filled up to the longest: "
            "boxes and points with 0, what belongs to them with this.")
        .check("'size' must hold one number, or height and width.",
               [](const O& options) { return options.size.size() <= 2; });
    add_resampling_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<BatchOp> mosaic(const MosaicOptions& options) { return choose<BatchOp>("mosaic", options); }

void register_mosaic(Registry<BatchOp>& registry) {
  registry.add<Mosaic>("mosaic",
                       "Puts four pictures of a batch into one, with their masks and boxes.");
}

}  // namespace hearth::batch_ops
