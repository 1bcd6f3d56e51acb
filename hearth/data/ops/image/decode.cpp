// An image as its file has it, to bytes of height x width x channels.
#include "hearth/data/ops/image/decode.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/format/picture.h"

namespace hearth::sample_ops {

namespace {

class Decode : public SampleOp {
 public:
  using Options = DecodeOptions;
  explicit Decode(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (inputs.at(0).role != Role::kEncodedImage)
      throw GraphError("decode: key " + quote(options_.key) +
                       " must hold images as their files have them (role encoded_image), but is " +
                       inputs[0].text() + " and " + std::string(name(inputs[0].role)) + ".");
    Spec spec{.dtype = DType::kUint8, .shape = {kAnyLength, kAnyLength, options_.channels}};
    spec.role = Role::kImage;
    spec.image_range = {0.0, 255.0};
    return {spec};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const auto encoded = inputs[0].as<char>();
    decode_picture_into(
        {encoded.data(), encoded.size()}, options_.channels, "the image",
        [&](int64_t height, int64_t width) {
          return outputs[0].take({height, width, options_.channels}).as<uint8_t>().data();
        });
  }

 private:
  Options options_;
};

}  // namespace

const Schema<DecodeOptions>& DecodeOptions::schema() {
  using O = DecodeOptions;
  static const auto schema =
      Schema<O>()
          .field(
              &O::key, "key",
              "The key that holds images as their files have them: PNG, JPEG, WebP or BMP. Colour "
              "profiles, gamma and the turn that a camera noted are not looked at.",
              not_empty())
          .field(&O::channels, "channels",
                 "1 for gray, 3 for red, green and blue, 4 with transparency, which is dropped "
                 "otherwise; whatever the file holds.")
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
