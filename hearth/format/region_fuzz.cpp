// Fuzzes run lengths as COCO packs them, and polygons: what is filled lies in the image.
#include <cstdlib>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/format/region.h"

namespace {

constexpr int64_t kHeight = 7;
constexpr int64_t kWidth = 11;

void check_run(int64_t y, int64_t begin, int64_t end) {
  if (y < 0 || y >= kHeight || begin < 0 || begin > end || end > kWidth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto counts = hearth::unpack_run_lengths(text, "fuzz");
    hearth::fill_run_lengths(counts, kHeight, kWidth, check_run, "fuzz");
  } catch (const hearth::DataError&) {
  }
  std::vector<float> corners(size / sizeof(float) / 2 * 2);
  if (!corners.empty()) std::memcpy(corners.data(), data, corners.size() * sizeof(float));
  for (float& corner : corners)
    if (!(corner > -1e7F && corner < 1e7F)) corner = 0;
  hearth::fill_polygon(corners, kHeight, kWidth, check_run);
  return 0;
}
