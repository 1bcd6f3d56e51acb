// PNG through libspng: size and claims are checked before any pixel gets memory.
#include "hearth/format/png.h"

#include <spng.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "hearth/base/error.h"
#include "hearth/base/files.h"

namespace hearth {

namespace {

constexpr size_t kPngChunkLimit = 16 << 20;
constexpr size_t kPngCacheLimit = 32 << 20;
constexpr uint64_t kPngFileLimit = 1ULL << 30;
// Deflate cannot pack better; a header that claims more pixels than this is a lie.
constexpr uint64_t kDeflateRatio = 1032;

struct PngContextDeleter {
  void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using PngContext = std::unique_ptr<spng_ctx, PngContextDeleter>;

PngContext new_png_context(int flags) {
  PngContext context(spng_ctx_new(flags));
  if (!context) throw std::bad_alloc();
  return context;
}

void check_png(int code, const std::string& what) {
  if (code == SPNG_EMEM) throw std::bad_alloc();
  if (code == SPNG_OK || code == SPNG_EOI) return;
  if (code == SPNG_IO_EOF || code == SPNG_EOF)
    throw DataError(what + ": the PNG ends too early; it is truncated, get it again.");
  throw DataError(what + ": not a PNG that can be read: " + spng_strerror(code) + ".");
}

uint64_t png_bits_per_pixel(const spng_ihdr& header) {
  switch (header.color_type) {
    case SPNG_COLOR_TYPE_TRUECOLOR:
      return uint64_t{3} * header.bit_depth;
    case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA:
      return uint64_t{2} * header.bit_depth;
    case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA:
      return uint64_t{4} * header.bit_depth;
    default:
      return header.bit_depth;
  }
}

void check_png_claims(const spng_ihdr& header, uint64_t file_bytes, const std::string& what,
                      const PngLimits& limits) {
  const uint64_t pixels = uint64_t{header.width} * header.height;
  const std::string size = std::to_string(header.width) + " x " + std::to_string(header.height);
  if (pixels > static_cast<uint64_t>(limits.pixels))
    throw DataError(what + ": the PNG is " + size + ", the limit is " +
                    std::to_string(limits.pixels) + " pixels. Scale it down.");
  if (pixels * png_bits_per_pixel(header) / 8 > file_bytes * kDeflateRatio)
    throw DataError(what + ": the PNG claims " + size + " pixels, but its " +
                    std::to_string(file_bytes) +
                    " bytes cannot hold them; it is truncated or damaged.");
}

struct OpenPng {
  PngContext context;
  spng_ihdr header{};
};

OpenPng open_png(std::string_view bytes, const std::string& what, const PngLimits& limits) {
  OpenPng png{new_png_context(0)};
  spng_ctx* context = png.context.get();
  const auto side = static_cast<uint32_t>(limits.side);
  check_png(spng_set_image_limits(context, side, side), what);
  check_png(spng_set_chunk_limits(context, kPngChunkLimit, kPngCacheLimit), what);
  check_png(spng_set_png_buffer(context, bytes.data(), bytes.size()), what);
  check_png(spng_get_ihdr(context, &png.header), what);
  check_png_claims(png.header, bytes.size(), what, limits);
  return png;
}

// libspng makes G8 only from gray of up to eight bits.
bool is_plain_gray(const spng_ihdr& header) {
  return header.color_type == SPNG_COLOR_TYPE_GRAYSCALE && header.bit_depth <= 8;
}

int png_format(int64_t channels) {
  if (channels == 1) return SPNG_FMT_G8;
  return channels == 3 ? SPNG_FMT_RGB8 : SPNG_FMT_RGBA8;
}

void decode_png_pixels(spng_ctx* context, const spng_ihdr& header, int64_t channels,
                       const std::string& what, uint8_t* to) {
  size_t bytes = 0;
  check_png(spng_decoded_image_size(context, png_format(channels), &bytes), what);
  if (bytes != uint64_t{header.width} * header.height * static_cast<uint64_t>(channels))
    throw InternalError(what + ": libspng wants another size for the pixels than Hearth.");
  const int flags = channels == 4 ? SPNG_DECODE_TRNS : 0;
  check_png(spng_decode_image(context, to, bytes, png_format(channels), flags), what);
  check_png(spng_decode_chunks(context), what);  // up to the end mark
}

}  // namespace

bool is_png(std::string_view bytes) {
  constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
  return bytes.starts_with(kSignature);
}

void decode_png_into(std::string_view bytes, int64_t channels, const std::string& what,
                     const PicturePlace& place, const PngLimits& limits) {
  if (channels != 1 && channels != 3 && channels != 4)
    throw InternalError("decode_png: channels must be 1, 3 or 4, but is " +
                        std::to_string(channels) + ".");
  const auto [context, header] = open_png(bytes, what, limits);
  uint8_t* to = place(header.height, header.width);
  if (channels != 1 || is_plain_gray(header))
    return decode_png_pixels(context.get(), header, channels, what, to);
  Image colour{header.width, header.height, 3, {}};
  colour.pixels.resize(size_t{3} * header.width * header.height);
  decode_png_pixels(context.get(), header, 3, what, colour.pixels.data());
  const Image gray = to_gray(colour);
  std::copy(gray.pixels.begin(), gray.pixels.end(), to);
}

void decode_png_numbers_into(std::string_view bytes, const std::string& what,
                             const PicturePlace& place, const PngLimits& limits) {
  const auto [context, header] = open_png(bytes, what, limits);
  const bool is_of_numbers = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE ||
                             header.color_type == SPNG_COLOR_TYPE_INDEXED;
  if (!is_of_numbers || header.bit_depth > 8)
    throw DataError(what +
                    ": expected a PNG of gray or of a palette, with up to eight bits a pixel, "
                    "whose values are class numbers; it has " +
                    (is_of_numbers ? "sixteen bits." : "colours."));
  size_t row_bytes = (size_t{header.width} * header.bit_depth + 7) / 8;
  std::vector<uint8_t> packed(row_bytes * header.height);
  check_png(spng_decode_image(context.get(), packed.data(), packed.size(), SPNG_FMT_PNG, 0), what);
  check_png(spng_decode_chunks(context.get()), what);
  uint8_t* to = place(header.height, header.width);
  const uint32_t depth = header.bit_depth;
  for (size_t y = 0; y < header.height; ++y)
    for (size_t x = 0; x < header.width; ++x) {
      const uint32_t byte = packed[y * row_bytes + x * depth / 8];
      *to++ = static_cast<uint8_t>((byte >> (8 - depth - x * depth % 8)) & ((1U << depth) - 1));
    }
}

PictureSize png_size(std::string_view bytes, const std::string& what, const PngLimits& limits) {
  const spng_ihdr header = open_png(bytes, what, limits).header;
  return {header.height, header.width};
}

Image decode_png(std::string_view bytes, int64_t channels, const std::string& what,
                 const PngLimits& limits) {
  Image image{0, 0, channels, {}};
  decode_png_into(
      bytes, channels, what,
      [&](int64_t height, int64_t width) {
        image.width = width;
        image.height = height;
        image.pixels.resize(static_cast<size_t>(height * width * channels));
        return image.pixels.data();
      },
      limits);
  return image;
}

Image load_png(const std::filesystem::path& path, int64_t channels, const PngLimits& limits) {
  return decode_png(read_file(path, kPngFileLimit), channels, path.string(), limits);
}

std::string encode_png(const Image& image) {
  const std::string what = "encode_png";
  spng_ihdr header{};
  header.width = static_cast<uint32_t>(image.width);
  header.height = static_cast<uint32_t>(image.height);
  header.bit_depth = 8;
  header.color_type = static_cast<uint8_t>(image.channels == 1   ? SPNG_COLOR_TYPE_GRAYSCALE
                                           : image.channels == 3 ? SPNG_COLOR_TYPE_TRUECOLOR
                                                                 : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA);
  const PngContext context = new_png_context(SPNG_CTX_ENCODER);
  check_png(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1), what);
  check_png(spng_set_ihdr(context.get(), &header), what);
  check_png(spng_encode_image(context.get(), image.pixels.data(), image.pixels.size(), SPNG_FMT_PNG,
                              SPNG_ENCODE_FINALIZE),
            what);
  size_t size = 0;
  int code = 0;
  const std::unique_ptr<void, decltype(&std::free)> buffer(
      spng_get_png_buffer(context.get(), &size, &code), &std::free);
  check_png(code, what);
  return {static_cast<const char*>(buffer.get()), size};
}

}  // namespace hearth
