// Smoothed noise as displacement, and images moved by it.
#include "hearth/data/geometry/displacement_transform.h"

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

constexpr int kPlaceSteps = 20;  // enough for displacements that do not fold the image

// Of this thread: it grows and is kept.
struct NoiseMemory {
  std::vector<float> across, down, between, line, kernel;
};

// An index beyond an end counts back from it.
int64_t mirrored_index(int64_t index, int64_t size) {
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1);
  index = std::abs(index) % period;
  return index < size ? index : period - index;
}

void make_kernel(double deviation, std::vector<float>& kernel) {
  const auto reach = static_cast<int64_t>(4 * deviation);
  kernel.resize(static_cast<size_t>(2 * reach + 1));
  double sum = 0;
  const auto weight = [&](int64_t i) {
    const double at = static_cast<double>(i - reach) / deviation;
    return std::exp(-0.5 * at * at);
  };
  for (int64_t i = 0; i <= 2 * reach; ++i) sum += weight(i);
  for (int64_t i = 0; i <= 2 * reach; ++i)
    kernel[static_cast<size_t>(i)] = static_cast<float>(weight(i) / sum);
}

// to[x] = the sum over i of kernel[i] * from[x + i].
void add_shifted(const float* from, std::span<const float> kernel, int64_t length, float* to) {
  std::fill(to, to + length, 0.0F);
  for (size_t i = 0; i < kernel.size(); ++i)
    for (int64_t x = 0; x < length; ++x) to[x] += kernel[i] * from[static_cast<int64_t>(i) + x];
}

void smooth_rows(const ImageSize& size, NoiseMemory& memory, std::vector<float>& noise) {
  const auto reach = static_cast<int64_t>(memory.kernel.size() / 2);
  memory.line.resize(static_cast<size_t>(size.width + 2 * reach));
  for (int64_t y = 0; y < size.height; ++y) {
    float* row = noise.data() + y * size.width;
    for (int64_t x = 0; x < size.width + 2 * reach; ++x)
      memory.line[static_cast<size_t>(x)] = row[mirrored_index(x - reach, size.width)];
    add_shifted(memory.line.data(), memory.kernel, size.width, row);
  }
}

void smooth_columns(const ImageSize& size, NoiseMemory& memory, std::vector<float>& noise) {
  const auto reach = static_cast<int64_t>(memory.kernel.size() / 2);
  memory.between = noise;
  std::fill(noise.begin(), noise.end(), 0.0F);
  for (int64_t y = 0; y < size.height; ++y)
    for (int64_t i = -reach; i <= reach; ++i) {
      const float weight = memory.kernel[static_cast<size_t>(i + reach)];
      const float* from = memory.between.data() + mirrored_index(y + i, size.height) * size.width;
      float* to = noise.data() + y * size.width;
      for (int64_t x = 0; x < size.width; ++x) to[x] += weight * from[x];
    }
}

void draw_noise(Random& random, const ImageSize& size, double deviation, double strength,
                NoiseMemory& memory, std::vector<float>& noise) {
  noise.resize(static_cast<size_t>(size.height * size.width));
  for (float& value : noise) value = 2 * random.uniform() - 1;
  if (deviation > 0) {
    smooth_rows(size, memory, noise);
    smooth_columns(size, memory, noise);
  }
  for (float& value : noise) value *= static_cast<float>(strength);
}

}  // namespace

Displacement random_displacement(Random& random, const ImageSize& size, double deviation,
                                 double strength) {
  thread_local NoiseMemory memory;
  if (deviation > 0) make_kernel(deviation, memory.kernel);
  draw_noise(random, size, deviation, strength, memory, memory.across);
  draw_noise(random, size, deviation, strength, memory, memory.down);
  return {memory.across, memory.down};
}

void DisplacementTransform::move_pixels(const View& from, std::byte* to) const {
  const auto find = [&](int64_t y, std::span<ImagePlace> places) {
    const auto row = static_cast<size_t>(y * size_.width);
    for (size_t x = 0; x < places.size(); ++x)
      places[x] = {static_cast<double>(x) + 0.5 + double{displacement_.across[row + x]},
                   static_cast<double>(y) + 0.5 + double{displacement_.down[row + x]}};
  };
  warp_rows(from, size_, style_, find, to);
}

// The place of the result whose value comes from here: found by going back and forth.
ImagePlace DisplacementTransform::moved(const ImagePlace& place) const {
  const auto index = [](double at, int64_t size) {
    return static_cast<int64_t>(std::clamp(at, 0.0, static_cast<double>(size - 1)));
  };
  if (!std::isfinite(place.x) || !std::isfinite(place.y)) return place;
  ImagePlace found = place;
  for (int step = 0; step < kPlaceSteps; ++step) {
    const auto at = static_cast<size_t>(index(found.y, size_.height) * size_.width +
                                        index(found.x, size_.width));
    found = {place.x - double{displacement_.across[at]}, place.y - double{displacement_.down[at]}};
  }
  return found;
}

}  // namespace hearth
