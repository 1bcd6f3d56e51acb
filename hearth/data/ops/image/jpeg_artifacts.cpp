// What JPEG leaves of an image, at a quality drawn for each.
#include "hearth/data/ops/image/jpeg_artifacts.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/drawn_range.h"
#include "hearth/data/pixel_op.h"
#include "hearth/format/jpeg.h"
#include "hearth/format/jpeg_writer.h"

namespace hearth::sample_ops {

namespace {

class JpegArtifacts : public PixelOp<JpegArtifactsOptions> {
 public:
  explicit JpegArtifacts(Options options)
      : PixelOp("jpeg_artifacts", std::move(options), {.takes_any_colors = false}) {}

 private:
  void change(Random& random, const View& view) const override {
    thread_local std::string jpeg;  // keeps its memory
    if (view.elements() == 0) return;
    const auto pixels = view.as<uint8_t>();
    const int64_t channels = view.shape[2];
    const int64_t quality = random.between(options_.quality.front(), options_.quality.back());
    encode_jpeg_into({view.shape[1], view.shape[0], channels, pixels.data()},
                     {.quality = static_cast<int>(quality)}, jpeg);
    decode_jpeg_into(jpeg, channels, "the image", [&](int64_t, int64_t) { return pixels.data(); });
  }
};

}  // namespace

const Schema<JpegArtifactsOptions>& JpegArtifactsOptions::schema() {
  using O = JpegArtifactsOptions;
  static const auto schema =
      pixel_schema<O>()
          .field(&O::quality, "quality",
                 "From 1, where little is left, to 100: one number, or the least and the greatest.",
                 not_empty(), at_least(1), at_most(100))
          .check("'quality' must hold one number, or two in order.",
                 [](const O& options) { return is_one_or_range(options.quality); });
  return schema;
}

Choice<SampleOp> jpeg_artifacts(JpegArtifactsOptions options) {
  return choose<SampleOp>("jpeg_artifacts", options);
}

void register_jpeg_artifacts(Registry<SampleOp>& registry) {
  registry.add<JpegArtifacts>("jpeg_artifacts",
                              "Writes the image as a JPEG of a random quality and reads it back.");
}

}  // namespace hearth::sample_ops
