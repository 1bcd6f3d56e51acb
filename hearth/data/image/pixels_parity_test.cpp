// The functions of this folder beside torchvision's on tensors of bytes: equal, but for the blur,
// which may be off by one level.
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearth/data/image/augment.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/filter.h"
#include "hearth/data/image/tone.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;
using Numbers = std::vector<double>;

const Json& truth() {
  static const Json json = [] {
    std::ifstream file(std::string(HEARTH_SOURCE_DIR) + "/tests/parity/pixels.json");
    return Json::parse(file);
  }();
  return json;
}

Bytes bytes_of(const Json& hex) {
  const auto text = hex.get<std::string>();
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

Pixels over(const Json& image, Bytes& bytes) {
  return {image["height"], image["width"], image["channels"], bytes.data()};
}

using Function = std::function<void(const Pixels&, const Numbers&)>;

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> all = {
      {"adjust_brightness",
       [](const Pixels& image, const Numbers& n) { pixels::adjust_brightness(image, n[0]); }},
      {"adjust_contrast",
       [](const Pixels& image, const Numbers& n) { pixels::adjust_contrast(image, n[0]); }},
      {"adjust_saturation",
       [](const Pixels& image, const Numbers& n) { pixels::adjust_saturation(image, n[0]); }},
      {"adjust_sharpness",
       [](const Pixels& image, const Numbers& n) { pixels::adjust_sharpness(image, n[0]); }},
      {"adjust_hue",
       [](const Pixels& image, const Numbers& n) { pixels::adjust_hue(image, n[0]); }},
      {"grayscale", [](const Pixels& image, const Numbers&) { pixels::grayscale(image); }},
      {"invert", [](const Pixels& image, const Numbers&) { pixels::invert(image); }},
      {"posterize", [](const Pixels& image,
                       const Numbers& n) { pixels::posterize(image, static_cast<int64_t>(n[0])); }},
      {"solarize", [](const Pixels& image, const Numbers& n) { pixels::solarize(image, n[0]); }},
      {"autocontrast", [](const Pixels& image, const Numbers&) { pixels::autocontrast(image); }},
      {"equalize", [](const Pixels& image, const Numbers&) { pixels::equalize(image); }},
      {"gaussian_blur",
       [](const Pixels& image, const Numbers& n) {
         pixels::gaussian_blur(image, {static_cast<int64_t>(n[0]), n[2]},
                               {static_cast<int64_t>(n[1]), n[2]});
       }},
  };
  return all;
}

int largest_difference(const Bytes& left, const Bytes& right) {
  int largest = 0;
  for (size_t i = 0; i < left.size(); ++i)
    largest = std::max(largest, std::abs(left[i] - right[i]));
  return largest;
}

TEST(Pixels, AreChangedAsByTorchvision) {
  for (const Json& image : truth()["functions"])
    for (const Json& result : image["results"]) {
      Bytes bytes = bytes_of(image["pixels"]);
      const Bytes expected = bytes_of(result["pixels"]);
      ASSERT_EQ(bytes.size(), expected.size());
      const auto name = result["function"].get<std::string>();
      functions().at(name)(over(image, bytes), result["numbers"].get<Numbers>());
      EXPECT_LE(largest_difference(bytes, expected), name == "gaussian_blur" ? 1 : 0)
          << name << " " << result["numbers"] << " of " << image["height"] << " x "
          << image["width"] << " x " << image["channels"];
    }
}

pixels::Change change_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(pixels::Change::kInvert); ++i)
    if (pixels::name(static_cast<pixels::Change>(i)) == name) return static_cast<pixels::Change>(i);
  throw std::invalid_argument(name);
}

TEST(Augment, ChangesAsTorchvisionDoes) {
  for (const Json& image : truth()["changes"])
    for (const Json& result : image["results"]) {
      Bytes bytes = bytes_of(image["pixels"]);
      const auto fill = image["fill"].get<Bytes>();
      pixels::apply_change(over(image, bytes), change_named(result["change"]), result["magnitude"],
                           fill);
      EXPECT_EQ(largest_difference(bytes, bytes_of(result["pixels"])), 0)
          << result["change"] << " " << result["magnitude"] << " of " << image["height"] << " x "
          << image["width"] << " x " << image["channels"];
    }
}

TEST(Augment, HasTorchvisionsMagnitudes) {
  const std::map<std::string, pixels::Strengths> strengths = {
      {"rand_augment", pixels::kRandAugmentStrengths},
      {"trivial_augment", pixels::kTrivialAugmentStrengths},
      {"auto_augment", pixels::kRandAugmentStrengths},
      {"aug_mix", pixels::kAugMixStrengths}};
  const Json& sized = truth()["magnitudes"];
  const Pixels image{sized["height"], sized["width"], 3, nullptr};
  for (const Json& result : sized["results"]) {
    const pixels::Change change = change_named(result["change"]);
    EXPECT_EQ(pixels::is_signed(change), result["signed"].get<bool>()) << result["change"];
    const auto values = result["values"].get<Numbers>();
    for (size_t bin = 0; bin < values.size(); ++bin) {
      const double ours = pixels::magnitude_of(change, strengths.at(result["policy"]),
                                               {static_cast<int64_t>(bin), result["bins"]}, image);
      EXPECT_FLOAT_EQ(ours, values[bin])
          << result["policy"] << " " << result["change"] << " " << bin;
      EXPECT_EQ(std::trunc(ours), std::trunc(values[bin])) << result["change"] << " " << bin;
    }
  }
}

}  // namespace
}  // namespace hearth
