#include "hearth/data/bytes_to_floats.h"

#include <gtest/gtest.h>

#include <vector>

namespace hearth {
namespace {

TEST(BytesToFloats, RoundsEveryValueAsOneByOneForAnyChannelsAndLength) {
  const BytesToFloats unit{3.0F, 1.0F / 251.0F};
  const std::vector<float> scales = {3.1F, 4.37F, 5.0F / 7.0F, 0.9F};
  const std::vector<float> shifts = {-0.3F, 1.7F, -2.2F, 0.1F};
  for (size_t channels = 1; channels <= 4; ++channels)
    for (size_t points = 0; points < 40; ++points) {
      std::vector<uint8_t> bytes(points * channels);
      for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 53 + 7);
      std::vector<float> found(bytes.size());
      bytes_to_floats(bytes, unit, {scales.data(), channels}, {shifts.data(), channels}, found);
      for (size_t i = 0; i < bytes.size(); ++i) {
        volatile float value = static_cast<float>(bytes[i]) - unit.black;
        value = value * unit.per_step;
        value = value * scales[i % channels];
        value = value + shifts[i % channels];
        ASSERT_EQ(found[i], value) << channels << " channels, value " << i;
      }
    }
}

}  // namespace
}  // namespace hearth
