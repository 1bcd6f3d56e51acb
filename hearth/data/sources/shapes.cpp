// Drawn shapes: a disc, a square or a cross in one of four colours, somewhere in the image. Sample
// i is always the same. Keys that nobody needs are not drawn.
#include "hearth/data/sources/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"

namespace hearth::sources {
namespace {

constexpr int64_t kShapeChannels = 3;
const std::vector<std::string> kShapeNames = {"disc", "square", "cross"};
const std::vector<std::string> kColorNames = {"red", "green", "blue", "white"};
constexpr std::array<std::array<float, 3>, 4> kColors = {
    {{1, 0.1F, 0.1F}, {0.1F, 1, 0.1F}, {0.1F, 0.1F, 1}, {1, 1, 1}}};

// What one image shows.
struct Drawing {
  int64_t shape = 0;
  int64_t color = 0;
  double row = 0;
  double column = 0;
  double radius = 1;

  [[nodiscard]] bool covers(int64_t at_row, int64_t at_column) const {
    const double down = std::abs(static_cast<double>(at_row) - row);
    const double across = std::abs(static_cast<double>(at_column) - column);
    if (shape == 0) return down * down + across * across <= radius * radius;
    if (shape == 1) return std::max(down, across) <= 0.85 * radius;
    return std::min(down, across) <= 0.3 * radius && std::max(down, across) <= radius;
  }
};

class Shapes : public Source {
 public:
  using Options = ShapesOptions;
  explicit Shapes(Options options) : options_(options) {
    image_ = {.dtype = DType::kUint8,
              .shape = {options_.side, options_.side, kShapeChannels},
              .role = Role::kImage,
              .image_range = std::pair(0.0, 255.0)};
    std::vector<std::string> places = {"background"};
    places.insert(places.end(), kShapeNames.begin(), kShapeNames.end());
    mask_ = {.dtype = DType::kInt64,
             .shape = {options_.side, options_.side},
             .classes = static_cast<int64_t>(places.size()),
             .class_names = places,
             .role = Role::kMask};
  }

  std::vector<KeySpec> keys() const override {
    return {{"image", image_},
            {"mask", mask_},
            {"shape", named(kShapeNames)},
            {"color", named(kColorNames)},
            {"same", image_},
            {"different", image_}};
  }
  int64_t size() const override { return options_.size; }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const Drawing drawing = drawn(index, "shapes.image", -1, 0);
    if (cells[0].is_wanted()) paint(index, "shapes.noise", drawing, cells[0]);
    if (cells[1].is_wanted()) paint_mask(drawing, cells[1]);
    if (cells[2].is_wanted()) cells[2].set(drawing.shape);
    if (cells[3].is_wanted()) cells[3].set(drawing.color);
    if (cells[4].is_wanted())
      paint(index, "shapes.same_noise", drawn(index, "shapes.same", drawing.shape, 0), cells[4]);
    if (cells[5].is_wanted())
      paint(index, "shapes.different_noise", drawn(index, "shapes.different", drawing.shape, 1),
            cells[5]);
  }

  std::string fingerprint() const override {
    return join({"shapes", std::to_string(options_.size), std::to_string(options_.side),
                 shortest_number(options_.noise), std::to_string(options_.seed)},
                ":");
  }
  std::string describe(int64_t index) const override {
    return "shapes[" + std::to_string(index) + "]";
  }

 private:
  static Spec named(const std::vector<std::string>& names) {
    return {.dtype = DType::kInt64,
            .classes = static_cast<int64_t>(names.size()),
            .class_names = names,
            .role = Role::kClass};
  }

  [[nodiscard]] Random draws_of(int64_t index, std::string_view what) const {
    return Random({.seed = static_cast<uint64_t>(options_.seed),
                   .epoch = 0,
                   .sample = static_cast<uint64_t>(index),
                   .op = op_number(what)});
  }

  // Of any shape when `like` is negative; of that one, or of one of those `others` away from it.
  [[nodiscard]] Drawing drawn(int64_t index, std::string_view what, int64_t like,
                              int64_t others) const {
    Random random = draws_of(index, what);
    const auto count = static_cast<int64_t>(kShapeNames.size());
    Drawing drawing;
    drawing.shape = random.between(0, count - 1);
    if (like >= 0)
      drawing.shape = others == 0 ? like : (like + 1 + drawing.shape % (count - 1)) % count;
    drawing.color = random.between(0, static_cast<int64_t>(kColorNames.size()) - 1);
    const auto side = static_cast<double>(options_.side);
    drawing.radius = side * (0.15 + 0.15 * random.uniform());
    const double room = side - 1 - 2 * drawing.radius;
    drawing.row = drawing.radius + room * random.uniform();
    drawing.column = drawing.radius + room * random.uniform();
    return drawing;
  }

  void paint(int64_t index, std::string_view what, const Drawing& drawing, const Cell& cell) const {
    Random noise = draws_of(index, what);
    uint8_t* values = cell.as<uint8_t>().data();
    const auto scale = static_cast<float>(options_.noise);
    for (int64_t row = 0; row < options_.side; ++row)
      for (int64_t column = 0; column < options_.side; ++column) {
        const bool is_drawn = drawing.covers(row, column);
        for (const float ink : kColors[static_cast<size_t>(drawing.color)]) {
          const float value = (is_drawn ? ink : 0) + scale * noise.normal();
          *values++ = static_cast<uint8_t>(std::lround(255 * std::clamp(value, 0.0F, 1.0F)));
        }
      }
  }

  void paint_mask(const Drawing& drawing, const Cell& cell) const {
    int64_t* values = cell.as<int64_t>().data();
    for (int64_t row = 0; row < options_.side; ++row)
      for (int64_t column = 0; column < options_.side; ++column)
        *values++ = drawing.covers(row, column) ? drawing.shape + 1 : 0;
  }

  Options options_;
  Spec image_;
  Spec mask_;
};

}  // namespace

const Schema<ShapesOptions>& ShapesOptions::schema() {
  using O = ShapesOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::size, "size", "How many samples there are.", at_least(1))
          .field(&O::side, "side", "Side of an image.", at_least(8), at_most(4096))
          .field(&O::noise, "noise", "Deviation of the noise on every point.", at_least(0))
          .field(&O::seed, "seed", "Another seed gives other samples.", at_least(0), of_64_bits());
  return schema;
}

Choice<Source> shapes(ShapesOptions options) { return choose<Source>("shapes", options); }

void register_shapes(Registry<Source>& registry) {
  registry.add<Shapes>("shapes",
                       "Drawn shapes with masks, classes and colours, and a second image of the "
                       "same and of another shape.");
}

}  // namespace hearth::sources
