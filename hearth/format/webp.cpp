// WebP through libwebp: the size is checked before any pixel gets memory.
#include "hearth/format/webp.h"

#include <webp/decode.h>

#include <algorithm>
#include <new>

#include "hearth/base/error.h"
#include "hearth/format/image.h"

namespace hearth {

namespace {

const uint8_t* webp_data(std::string_view bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

[[noreturn]] void fail_webp(VP8StatusCode code, const std::string& what) {
  if (code == VP8_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code == VP8_STATUS_NOT_ENOUGH_DATA || code == VP8_STATUS_SUSPENDED)
    throw DataError(what + ": the WebP ends too early; it is truncated, get it again.");
  throw DataError(what + ": not a WebP that can be read" +
                  (code == VP8_STATUS_UNSUPPORTED_FEATURE ? ": it has a feature that is not known."
                                                          : "; it is damaged."));
}

WebPBitstreamFeatures webp_features(std::string_view bytes, const std::string& what,
                                    const PictureLimits& limits) {
  WebPBitstreamFeatures features;
  const VP8StatusCode code = WebPGetFeatures(webp_data(bytes), bytes.size(), &features);
  if (code != VP8_STATUS_OK) fail_webp(code, what);
  if (features.has_animation != 0)
    throw DataError(what + ": the WebP is an animation; one picture was expected. Take it apart.");
  if (features.width > limits.side || features.height > limits.side ||
      int64_t{features.width} * features.height > limits.pixels)
    throw DataError(what + ": the WebP is " + std::to_string(features.width) + " x " +
                    std::to_string(features.height) + ", the limit is " +
                    std::to_string(limits.pixels) + " pixels. Scale it down.");
  return features;
}

void decode_webp_colours(std::string_view bytes, const WebPBitstreamFeatures& features,
                         bool has_alpha, const std::string& what, uint8_t* to) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0)
    throw InternalError("libwebp is of another version than its header.");
  const int channels = has_alpha ? 4 : 3;
  config.output.colorspace = has_alpha ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = to;
  config.output.u.RGBA.stride = features.width * channels;
  config.output.u.RGBA.size = size_t{1} * static_cast<size_t>(features.width) *
                              static_cast<size_t>(features.height) * static_cast<size_t>(channels);
  const VP8StatusCode code = WebPDecode(webp_data(bytes), bytes.size(), &config);
  if (code != VP8_STATUS_OK) fail_webp(code, what);
}

}  // namespace

bool is_webp(std::string_view bytes) {
  return bytes.size() >= 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP";
}

PictureSize webp_size(std::string_view bytes, const std::string& what,
                      const PictureLimits& limits) {
  const WebPBitstreamFeatures features = webp_features(bytes, what, limits);
  return {features.height, features.width};
}

void decode_webp_into(std::string_view bytes, int64_t channels, const std::string& what,
                      const PicturePlace& place, const PictureLimits& limits) {
  if (channels != 1 && channels != 3 && channels != 4)
    throw InternalError("decode_webp: channels must be 1, 3 or 4, but is " +
                        std::to_string(channels) + ".");
  const WebPBitstreamFeatures features = webp_features(bytes, what, limits);
  uint8_t* to = place(features.height, features.width);
  if (channels != 1) return decode_webp_colours(bytes, features, channels == 4, what, to);
  Image colour{features.width, features.height, 3, {}};
  colour.pixels.resize(size_t{3} * static_cast<size_t>(features.width) *
                       static_cast<size_t>(features.height));
  decode_webp_colours(bytes, features, false, what, colour.pixels.data());
  const Image gray = to_gray(colour);
  std::copy(gray.pixels.begin(), gray.pixels.end(), to);
}

}  // namespace hearth
