// An image as its file has it, to bytes of height x width x channels.
#include "hearth/data/ops/image/decode.h"

#include <algorithm>
#include <array>
#include <bit>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/part_reader.h"
#include "hearth/format/picture.h"
#include "hearth/format/picture_turn.h"

namespace hearth::sample_ops {

namespace {

class Decode : public SampleOp, public PartReader {
 public:
  using Options = DecodeOptions;
  explicit Decode(Options options) : options_(std::move(options)) {
    spec_ = {.dtype = DType::kUint8, .shape = {kAnyLength, kAnyLength, options_.channels}};
    spec_.role = Role::kImage;
    spec_.image_range = {0.0, 255.0};
  }

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (inputs.at(0).role != Role::kEncodedImage)
      throw GraphError("decode: key " + quote(options_.key) +
                       " must hold images as their files have them (role encoded_image), but is " +
                       inputs[0].text() + " and " + std::string(name(inputs[0].role)) + ".");
    return {spec_};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const PicturePlace place = [&](int64_t height, int64_t width) {
      return outputs[0].take({height, width, options_.channels}).as<uint8_t>().data();
    };
    const PictureTurn turn = turn_of(inputs[0]);
    if (turn != PictureTurn::kNone)
      decode_turned(inputs[0], turn, place);
    else
      decode_picture_into(bytes_of(inputs[0]), options_.channels, "the image", place);
  }

  const Spec& image_spec() const override { return spec_; }
  bool may_shrink() const override { return options_.scaled; }
  ImageSize size_of(const View& file) const override {
    const PictureSize size = picture_size(bytes_of(file), "the image");
    if (swaps_sides(turn_of(file))) return {size.width, size.height};
    return {size.height, size.width};
  }
  Part read(const View& file, const ImageRegion& region, int64_t most_shrink) const override {
    thread_local std::vector<uint8_t> pixels;
    thread_local std::array<int64_t, 3> shape;
    const auto place = [&](int64_t height, int64_t width) {
      shape = {height, width, options_.channels};
      const auto bytes = static_cast<size_t>(height * width * options_.channels);
      if (pixels.size() < bytes) pixels.resize(bytes);
      return pixels.data();
    };
    const PictureTurn turn = turn_of(file);
    if (turn != PictureTurn::kNone) {
      decode_turned(file, turn, place);
      return {{reinterpret_cast<std::byte*>(pixels.data()), &spec_, shape},
              {{0, 0, {shape[0], shape[1]}}, 1}};
    }
    const PicturePart made = decode_picture_part(
        bytes_of(file), options_.channels, part_for(region, options_.scaled ? most_shrink : 1),
        "the image", place);
    return {{reinterpret_cast<std::byte*>(pixels.data()), &spec_, shape}, made};
  }

 private:
  static std::string_view bytes_of(const View& file) {
    const auto bytes = file.as<char>();
    return {bytes.data(), bytes.size()};
  }
  [[nodiscard]] PictureTurn turn_of(const View& file) const {
    return options_.upright ? picture_turn(bytes_of(file)) : PictureTurn::kNone;
  }

  // The whole picture; what a camera turned is not read in parts.
  void decode_turned(const View& file, PictureTurn turn, const PicturePlace& place) const {
    thread_local std::vector<uint8_t> lying;
    PictureSize size;
    decode_picture_into(bytes_of(file), options_.channels, "the image",
                        [&](int64_t height, int64_t width) {
                          size = {height, width};
                          lying.resize(static_cast<size_t>(height * width * options_.channels));
                          return lying.data();
                        });
    uint8_t* to =
        swaps_sides(turn) ? place(size.width, size.height) : place(size.height, size.width);
    turn_picture(lying.data(), size, options_.channels, turn, to);
  }

  // The region in points of the image made smaller by a power of two, as JPEG can.
  static PicturePart part_for(const ImageRegion& region, int64_t most_shrink) {
    constexpr uint64_t kMostShrink = 8;
    const auto shrink = static_cast<int64_t>(
        std::bit_floor(std::min(static_cast<uint64_t>(most_shrink), kMostShrink)));
    const int64_t top = region.top / shrink;
    const int64_t left = region.left / shrink;
    const int64_t bottom = (region.top + region.height + shrink - 1) / shrink;
    const int64_t right = (region.left + region.width + shrink - 1) / shrink;
    return {{top, left, {bottom - top, right - left}}, shrink};
  }

  Options options_;
  Spec spec_;
};

}  // namespace

const Schema<DecodeOptions>& DecodeOptions::schema() {
  using O = DecodeOptions;
  static const auto schema =
      Schema<O>()
          .field(
              &O::key, "key",
              "The key that holds images as their files have them: PNG, JPEG, WebP or BMP. Colour "
              "profiles and gamma are not looked at.",
              not_empty())
          .field(&O::channels, "channels",
                 "1 for gray, 3 for red, green and blue, 4 with transparency, which is dropped "
                 "otherwise; whatever the file holds.")
          .field(
              &O::scaled, "scaled",
              "Where an op right after this one makes a JPEG at least four times smaller a side, "
              "read it at a half, a quarter or an eighth of its size, which is faster. Points lie "
              "within a quarter of a point, and photographs differ by about 1 of 255 in the mean. "
              "Without it every point is exact.")
          .field(&O::upright, "upright",
                 "Turn a picture as its camera noted (EXIF's orientation), in JPEG, PNG and WebP. "
                 "Boxes and masks must be made for the turned picture then.")
          .check("'channels' must be 1, 3 or 4.", [](const O& options) {
            return options.channels == 1 || options.channels == 3 || options.channels == 4;
          });
  return schema;
}

Choice<SampleOp> decode(DecodeOptions options) { return choose<SampleOp>("decode", options); }

void register_decode(Registry<SampleOp>& registry) {
  registry.add<Decode>(
      "decode", "Reads a picture file, whatever its format: bytes of height x width x channels.");
}

}  // namespace hearth::sample_ops
