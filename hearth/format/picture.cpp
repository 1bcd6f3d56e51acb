// Which reader a picture file is for.
#include "hearth/format/picture.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "hearth/base/error.h"
#include "hearth/format/bmp.h"
#include "hearth/format/jpeg.h"
#include "hearth/format/png.h"
#include "hearth/format/webp.h"

namespace hearth {

namespace {

struct PictureFormat {
  bool (*is_it)(std::string_view bytes);
  PictureSize (*size)(std::string_view bytes, const std::string& what);
  void (*decode)(std::string_view bytes, int64_t channels, const std::string& what,
                 const PicturePlace& place);
};

const std::array<PictureFormat, 4> kFormats = {{
    {is_jpeg,
     [](std::string_view bytes, const std::string& what) { return jpeg_size(bytes, what); },
     [](std::string_view bytes, int64_t channels, const std::string& what,
        const PicturePlace& place) { decode_jpeg_into(bytes, channels, what, place); }},
    {is_png, [](std::string_view bytes, const std::string& what) { return png_size(bytes, what); },
     [](std::string_view bytes, int64_t channels, const std::string& what,
        const PicturePlace& place) { decode_png_into(bytes, channels, what, place); }},
    {is_webp,
     [](std::string_view bytes, const std::string& what) { return webp_size(bytes, what); },
     [](std::string_view bytes, int64_t channels, const std::string& what,
        const PicturePlace& place) { decode_webp_into(bytes, channels, what, place); }},
    {is_bmp, [](std::string_view bytes, const std::string& what) { return bmp_size(bytes, what); },
     [](std::string_view bytes, int64_t channels, const std::string& what,
        const PicturePlace& place) { decode_bmp_into(bytes, channels, what, place); }},
}};

// Formats that people have and Hearth does not read, by bytes at a place.
struct ForeignFormat {
  size_t at;
  std::string_view mark;
  std::string_view name;
};
constexpr std::array<ForeignFormat, 15> kForeign = {{
    {0, "GIF8", "a GIF"},
    {0, std::string_view("II*\0", 4), "a TIFF"},
    {0, std::string_view("MM\0*", 4), "a TIFF"},
    {4, "ftypheic", "an HEIC"},
    {4, "ftypheix", "an HEIC"},
    {4, "ftypmif1", "an HEIF"},
    {4, "ftypavif", "an AVIF"},
    {4, "ftyp", "a video"},
    {4, "jP  ", "a JPEG 2000"},
    {0, "\xff\x0a", "a JPEG XL"},
    {0, "8BPS", "a Photoshop file"},
    {0, "%PDF", "a PDF"},
    {0, "PK\x03\x04", "a ZIP archive"},
    {0, "\x1f\x8b", "a gzip file"},
    {0, "<svg", "an SVG"},
}};

[[noreturn]] void refuse(std::string_view bytes, const std::string& what) {
  if (bytes.empty()) throw DataError(what + ": is empty, which is no picture.");
  for (const ForeignFormat& format : kForeign)
    if (bytes.size() > format.at && bytes.substr(format.at).starts_with(format.mark))
      throw DataError(what + ": is " + std::string(format.name) +
                      ", which cannot be read. Convert it to " + std::string(kPictureFormats) +
                      ".");
  throw DataError(what + ": is no picture that can be read; expected " +
                  std::string(kPictureFormats) + ".");
}

const PictureFormat& format_of(std::string_view bytes, const std::string& what) {
  for (const PictureFormat& format : kFormats)
    if (format.is_it(bytes)) return format;
  refuse(bytes, what);
}

}  // namespace

bool is_picture(std::string_view bytes) {
  return std::any_of(kFormats.begin(), kFormats.end(),
                     [&](const PictureFormat& format) { return format.is_it(bytes); });
}

bool has_picture_name(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 6> kEndings = {".png", ".jpg",  ".jpeg",
                                                        ".jpe", ".webp", ".bmp"};
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

PictureSize picture_size(std::string_view bytes, const std::string& what) {
  return format_of(bytes, what).size(bytes, what);
}

void decode_picture_into(std::string_view bytes, int64_t channels, const std::string& what,
                         const PicturePlace& place) {
  format_of(bytes, what).decode(bytes, channels, what, place);
}

Image decode_picture(std::string_view bytes, int64_t channels, const std::string& what) {
  Image image{0, 0, channels, {}};
  decode_picture_into(bytes, channels, what, [&](int64_t height, int64_t width) {
    image.width = width;
    image.height = height;
    image.pixels.resize(static_cast<size_t>(height * width * channels));
    return image.pixels.data();
  });
  return image;
}

PicturePart decode_picture_part(std::string_view bytes, int64_t channels, const PicturePart& part,
                                const std::string& what, const PicturePlace& place) {
  if (is_jpeg(bytes)) return {decode_jpeg_part(bytes, channels, part, what, place), part.shrink};
  PicturePart whole;
  decode_picture_into(bytes, channels, what, [&](int64_t height, int64_t width) {
    whole.window.size = {height, width};
    return place(height, width);
  });
  return whole;
}

}  // namespace hearth
