// A picture of any size and colour, brought into the form of the training data's pictures.
#include "hearth/train/raw_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/image.h"
#include "hearth/format/picture.h"

namespace hearth {
namespace {

constexpr double kBright = 0.6;
constexpr int64_t kRgba = 4;

// Red, green and blue from 0 to 1, as the picture has them before it is inverted.
using Colour = std::array<double, 3>;

void require_picture_key(const std::string& name, const KeySpec& key) {
  const Spec& spec = key.spec;
  if (is_image(spec) && spec.image_range && (spec.shape[2] == 1 || spec.shape[2] == 3)) return;
  throw DataError(name + " is a picture, but the model's input '" + key.key + "' is " +
                  spec.text() + ", which is not an image. Give a CSV file with " +
                  (spec.is_ragged() ? "" : std::to_string(spec.elements()) + " ") +
                  "numbers a row.");
}

bool has_background(const Spec& spec) {
  return !spec.background.empty() && spec.background.size() == static_cast<size_t>(spec.shape[2]);
}

// The training data's background from 0, its black, to 1, its white.
Colour background_levels(const Spec& spec) {
  const auto [black, white] = *spec.image_range;
  Colour levels{};
  for (size_t c = 0; c < levels.size(); ++c) {
    const double value = spec.background[std::min(c, spec.background.size() - 1)];
    levels[c] = std::clamp((value - black) / (white - black), 0.0, 1.0);
  }
  return levels;
}

std::string colour_text(const Colour& colour) {
  const auto [least, most] = std::minmax_element(colour.begin(), colour.end());
  if (*most < 0.02) return "black";
  if (*least > 0.98) return "white";
  std::vector<std::string> parts;
  for (const double level : colour) parts.push_back(std::to_string(std::lround(255 * level)));
  return *least == *most ? "gray of brightness " + parts[0] : "the colour " + join(parts, " ");
}

Image over_background(const Image& image, const Spec& spec, bool is_inverted,
                      PictureValues& input) {
  Colour colour = has_background(spec) ? background_levels(spec) : Colour{1, 1, 1};
  input.notes.push_back("the picture is transparent; it was laid on " + colour_text(colour) +
                        (has_background(spec)
                             ? ", as in the training data."
                             : ", since the training data has no background of one colour."));
  std::array<uint8_t, 3> bytes{};
  for (size_t c = 0; c < bytes.size(); ++c) {
    const bool is_swapped = is_inverted && has_background(spec);
    bytes[c] = static_cast<uint8_t>(std::lround(255 * (is_swapped ? 1 - colour[c] : colour[c])));
  }
  return laid_over(image, bytes);
}

double border_brightness(const Image& image) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t y = 0; y < image.height; ++y)
    for (int64_t x = 0; x < image.width; ++x) {
      if (y != 0 && x != 0 && y != image.height - 1 && x != image.width - 1) continue;
      sum += image.pixels[static_cast<size_t>((y * image.width + x) * image.channels)];
      ++count;
    }
  return count == 0 ? 0 : sum / (255.0 * static_cast<double>(count));
}

void note_if_blank(const Image& image, bool is_inverted, PictureValues& input) {
  const auto [least, most] = std::minmax_element(image.pixels.begin(), image.pixels.end());
  if (*least == *most)
    input.notes.push_back(
        std::string("nothing can be seen on the picture, it has one colour only; try it ") +
        (is_inverted ? "without" : "with") + " --invert.");
}

// Whether dark and light seem to be the wrong way round for the model.
void note_border(const Image& image, const Spec& spec, PictureValues& input) {
  if (spec.shape[2] != 1) return;
  const double border = border_brightness(image);
  if (has_background(spec) ? std::abs(border - background_levels(spec)[0]) > kBright
                           : border > kBright)
    input.notes.push_back(
        border > 0.5 ? "the picture's border is bright; for dark ink on light paper use --invert."
                     : "the picture's border is dark; for light ink on a dark page use --invert.");
}

void fill_values(const Image& image, const Spec& spec, bool is_inverted, PictureValues& input) {
  const auto [black, white] = *spec.image_range;
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const double level = image.pixels[i] / 255.0;
    const double value = black + (is_inverted ? 1 - level : level) * (white - black);
    input.values[i] = spec.dtype == DType::kUint8 ? std::round(value) : value;
  }
}

}  // namespace

bool is_read_as_picture(std::string_view bytes, const std::filesystem::path& file,
                        const Spec& spec) {
  return is_picture(bytes) || (is_image(spec) && has_picture_name(file));
}

PictureValues picture_values(const std::string& bytes, const std::string& name, const KeySpec& key,
                             bool is_inverted) {
  require_picture_key(name, key);
  const Spec& spec = key.spec;
  PictureValues input{std::vector<double>(static_cast<size_t>(spec.elements())), {}};
  const Image decoded = decode_picture(bytes, kRgba, name);
  const bool shows_through = is_transparent(decoded);
  Image image =
      shows_through ? over_background(decoded, spec, is_inverted, input) : laid_over(decoded, {});
  if (spec.shape[2] == 1) image = to_gray(image);
  image = resize(image, spec.shape[1], spec.shape[0]);
  if (shows_through) note_if_blank(image, is_inverted, input);
  if (!shows_through && !is_inverted) note_border(image, spec, input);
  fill_values(image, spec, is_inverted, input);
  return input;
}

}  // namespace hearth
