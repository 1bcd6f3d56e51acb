// EXIF's orientation lies in a small TIFF file, which JPEG, PNG and WebP hold in parts of their
// own.
#include "hearth/format/picture_turn.h"

#include <algorithm>
#include <optional>

namespace hearth {

namespace {

// Numbers of a part of a file; nothing beyond its end.
struct PartNumbers {
  std::string_view bytes;
  bool is_big = true;  // the highest byte first

  [[nodiscard]] std::optional<uint64_t> at(uint64_t place, size_t count) const {
    if (place > bytes.size() || count > bytes.size() - place) return std::nullopt;
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t from = is_big ? i : count - 1 - i;
      value = value << 8 | static_cast<unsigned char>(bytes[static_cast<size_t>(place) + from]);
    }
    return value;
  }
};

std::optional<PictureTurn> turn_of_tiff(std::string_view tiff) {
  constexpr uint64_t kOrientation = 0x0112;
  constexpr uint64_t kShort = 3;
  if (!tiff.starts_with("MM") && !tiff.starts_with("II")) return std::nullopt;
  const PartNumbers numbers{tiff, tiff.starts_with("MM")};
  const auto directory = numbers.at(4, 4);
  const auto count = directory ? numbers.at(*directory, 2) : std::nullopt;
  for (uint64_t i = 0; count && i < *count; ++i) {
    const uint64_t entry = *directory + 2 + i * 12;
    const auto tag = numbers.at(entry, 2);
    if (!tag) return std::nullopt;
    if (*tag != kOrientation) continue;
    const auto turn = numbers.at(entry + 8, 2);
    if (numbers.at(entry + 2, 2) != kShort || !turn || *turn < 1 || *turn > 8) return std::nullopt;
    return static_cast<PictureTurn>(*turn);
  }
  return std::nullopt;
}

std::string_view part(std::string_view file, uint64_t begin, uint64_t bytes) {
  if (begin >= file.size()) return {};
  return file.substr(static_cast<size_t>(begin), static_cast<size_t>(bytes));
}

// Segments before the picture's points: a mark, a length with its own two bytes, and the rest.
std::string_view tiff_of_jpeg(std::string_view file) {
  constexpr std::string_view kExif{"Exif\0\0", 6};
  const PartNumbers numbers{file};
  for (uint64_t at = 2; numbers.at(at, 1) == 0xFFU;) {
    const auto mark = numbers.at(at + 1, 1);
    const auto bytes = numbers.at(at + 2, 2);
    if (!mark || !bytes || *bytes < 2 || *mark == 0xDA) return {};
    const std::string_view content = part(file, at + 4, *bytes - 2);
    if (*mark == 0xE1 && content.starts_with(kExif)) return content.substr(kExif.size());
    at += 2 + *bytes;
  }
  return {};
}

// Chunks: a length, a name, the rest and a checksum.
std::string_view tiff_of_png(std::string_view file) {
  const PartNumbers numbers{file};
  for (uint64_t at = 8;;) {
    const auto bytes = numbers.at(at, 4);
    const std::string_view name = part(file, at + 4, 4);
    if (!bytes || name.size() < 4 || name == "IEND") return {};
    if (name == "eXIf") return part(file, at + 8, *bytes);
    at += 12 + *bytes;
  }
}

// Chunks: a name, a length, the rest, filled up to an even length.
std::string_view tiff_of_webp(std::string_view file) {
  const PartNumbers numbers{file, false};
  for (uint64_t at = 12;;) {
    const auto bytes = numbers.at(at + 4, 4);
    if (!bytes) return {};
    if (part(file, at, 4) == "EXIF") {
      std::string_view tiff = part(file, at + 8, *bytes);
      if (tiff.starts_with("Exif")) tiff.remove_prefix(std::min<size_t>(6, tiff.size()));
      return tiff;
    }
    at += 8 + *bytes + *bytes % 2;
  }
}

// Where a point of the turned picture lies in the one of the file.
struct TurnedPlace {
  int64_t row = 0;
  int64_t column = 0;
};
TurnedPlace place_before(PictureTurn turn, const PictureSize& size, int64_t row, int64_t column) {
  const int64_t bottom = size.height - 1, right = size.width - 1;
  switch (turn) {
    case PictureTurn::kNone:
      break;
    case PictureTurn::kMirror:
      return {row, right - column};
    case PictureTurn::kHalf:
      return {bottom - row, right - column};
    case PictureTurn::kMirrorHalf:
      return {bottom - row, column};
    case PictureTurn::kTranspose:
      return {column, row};
    case PictureTurn::kRight:
      return {bottom - column, row};
    case PictureTurn::kTransposeOther:
      return {bottom - column, right - row};
    case PictureTurn::kLeft:
      return {column, right - row};
  }
  return {row, column};
}

}  // namespace

bool swaps_sides(PictureTurn turn) { return turn >= PictureTurn::kTranspose; }

PictureTurn picture_turn(std::string_view file) {
  std::string_view tiff;
  if (file.starts_with("\xFF\xD8"))
    tiff = tiff_of_jpeg(file);
  else if (file.starts_with("\x89PNG"))
    tiff = tiff_of_png(file);
  else if (file.starts_with("RIFF") && part(file, 8, 4) == "WEBP")
    tiff = tiff_of_webp(file);
  return turn_of_tiff(tiff).value_or(PictureTurn::kNone);
}

void turn_picture(const uint8_t* from, const PictureSize& size, int64_t channels, PictureTurn turn,
                  uint8_t* to) {
  const bool swaps = swaps_sides(turn);
  const int64_t rows = swaps ? size.width : size.height;
  const int64_t columns = swaps ? size.height : size.width;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column, to += channels) {
      const TurnedPlace place = place_before(turn, size, row, column);
      std::copy_n(from + (place.row * size.width + place.column) * channels, channels, to);
    }
}

}  // namespace hearth
