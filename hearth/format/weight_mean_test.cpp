#include "hearth/format/weight_mean.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "hearth/base/error.h"

namespace hearth {
namespace {

std::filesystem::path mean_file(const std::string& name, const std::vector<float>& weights,
                                int64_t count, std::vector<int64_t> shape = {}) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  if (shape.empty()) shape = {static_cast<int64_t>(weights.size())};
  write_weights(path, "safetensors",
                {{"weight", ArrayType::kFloat32, shape, std::as_bytes(std::span(weights))},
                 {"count", ArrayType::kInt64, {1}, std::as_bytes(std::span(&count, 1))}});
  return path;
}

std::vector<WeightFile> opened(const std::vector<std::filesystem::path>& paths) {
  return {paths.begin(), paths.end()};
}

TEST(WeightMean, IsTheMeanOfRealNumbersAndTheLastOfOthers) {
  const auto files = opened(
      {mean_file("a.safetensors", {1, 2, 0.1F}, 3), mean_file("b.safetensors", {3, 6, 0.1F}, 5)});
  const WeightMean mean = weight_mean(files, [](std::string_view) { return true; });
  EXPECT_EQ(mean.averaged, 1U);
  for (const WeightView& tensor : mean.tensors) {
    if (tensor.name == "count") {
      int64_t count = 0;
      std::memcpy(&count, tensor.data.data(), sizeof count);
      EXPECT_EQ(count, 5);
      continue;
    }
    float numbers[3];
    std::memcpy(numbers, tensor.data.data(), sizeof numbers);
    EXPECT_EQ(numbers[0], 2);
    EXPECT_EQ(numbers[1], 4);
    EXPECT_EQ(numbers[2], 0.1F);
  }
}

TEST(WeightMean, RefusesTensorsThatAreNotTheSame) {
  const auto all = [](std::string_view) { return true; };
  EXPECT_THROW((void)weight_mean(opened({mean_file("c.safetensors", {1, 2}, 3),
                                         mean_file("d.safetensors", {3, 6, 1}, 5)}),
                                 all),
               DataError);
  EXPECT_THROW((void)weight_mean(opened({mean_file("e.safetensors", {1, 2}, 3),
                                         mean_file("f.safetensors", {3, 6}, 5, {2, 1})}),
                                 all),
               DataError);
}

TEST(WeightMean, TakesTheLastOfWhatIsNotWanted) {
  const auto files =
      opened({mean_file("g.safetensors", {1}, 3), mean_file("h.safetensors", {3}, 5)});
  EXPECT_EQ(weight_mean(files, [](std::string_view) { return false; }).averaged, 0U);
}

}  // namespace
}  // namespace hearth
