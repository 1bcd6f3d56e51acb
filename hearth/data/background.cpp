// What lies behind the things in a source's pictures, looked up in some of them.
#include "hearth/data/background.h"

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

constexpr int64_t kPictures = 64;
constexpr double kShareAlike = 0.6;  // of the borders' points
constexpr double kAlike = 0.1;       // of the way from black to white

std::vector<float> sample_of(const Source& source, size_t place, int64_t index, const Spec& spec) {
  std::vector<std::byte> bytes(static_cast<size_t>(spec.bytes()));
  std::vector<Cell> cells(source.keys().size());
  cells[place] = Cell(bytes.data(), spec);
  source.read(index, cells);
  if (spec.dtype == DType::kUint8) {
    const auto values = cells[place].as<uint8_t>();
    return {values.begin(), values.end()};
  }
  const auto values = cells[place].as<float>();
  return {values.begin(), values.end()};
}

void add_borders(const std::vector<float>& image, const Spec& spec,
                 std::vector<std::vector<float>>& borders) {
  const int64_t height = spec.shape[0];
  const int64_t width = spec.shape[1];
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      if (y == 0 || x == 0 || y == height - 1 || x == width - 1)
        for (size_t c = 0; c < borders.size(); ++c)
          borders[c].push_back(image[static_cast<size_t>(y * width + x) * borders.size() + c]);
}

bool is_picture(const Spec& spec) {
  return is_image(spec) && spec.image_range && !spec.is_ragged() &&
         (spec.dtype == DType::kFloat32 || spec.dtype == DType::kUint8);
}

std::vector<double> common_colour(std::vector<std::vector<float>>& borders, double range) {
  std::vector<double> colour;
  for (std::vector<float>& border : borders) {
    const auto middle = border.begin() + static_cast<int64_t>(border.size() / 2);
    std::nth_element(border.begin(), middle, border.end());
    const double value = *middle;
    const auto alike = std::count_if(border.begin(), border.end(), [&](float other) {
      return std::abs(other - value) <= kAlike * range;
    });
    if (static_cast<double>(alike) < kShareAlike * static_cast<double>(border.size())) return {};
    colour.push_back(value);
  }
  return colour;
}

}  // namespace

std::vector<double> background_of(const Source& source, const std::string& key) {
  const std::vector<KeySpec> keys = source.keys();
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const KeySpec& known) { return known.key == key; });
  if (found == keys.end() || !is_picture(found->spec) || source.size() == 0) return {};
  const Spec& spec = found->spec;
  const auto [black, white] = *spec.image_range;
  std::vector<std::vector<float>> borders(static_cast<size_t>(spec.shape[2]));
  const int64_t pictures = std::min(kPictures, source.size());
  for (int64_t i = 0; i < pictures; ++i) {
    add_borders(sample_of(source, static_cast<size_t>(found - keys.begin()),
                          i * source.size() / pictures, spec),
                spec, borders);
  }
  return common_colour(borders, std::abs(white - black));
}

}  // namespace hearth
