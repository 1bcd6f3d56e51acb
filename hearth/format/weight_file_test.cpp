// Tests of files of weights: what one format holds, each other one holds after a conversion.
#include "hearth/format/weight_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/format/array_names.h"
#include "hearth/format/lora_merge.h"
#include "hearth/format/weight_statistics.h"

namespace hearth {
namespace {

class WeightFiles : public testing::Test {
 protected:
  WeightFiles() { make_folder(folder_); }
  ~WeightFiles() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::temp_directory_path() / ("hearth_weights_" + std::to_string(getpid()));
};

std::span<const std::byte> bytes_of(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

TEST_F(WeightFiles, HoldTheSameInEveryFormat) {
  const std::vector<float> values = {1, -2.5F, 3, 4, 5, 6};
  const std::vector<int64_t> counts = {7};
  const std::vector<WeightView> views = {
      {"a.weight", ArrayType::kFloat32, {2, 3}, bytes_of(values)},
      {"count", ArrayType::kInt64, {}, std::as_bytes(std::span(counts))},
      {"none", ArrayType::kFloat16, {0, 4}, {}}};
  for (const char* name : {"w.safetensors", "w.pt", "w.npz"}) {
    const fs::path path = folder_ / name;
    write_weights(path, weight_format_of(path), views);
    const WeightFile file(path);
    EXPECT_EQ(file.format(), weight_format_of(path));
    ASSERT_EQ(file.entries().size(), 3U);
    for (const WeightView& view : views) {
      const WeightEntry* entry = file.find(view.name);
      ASSERT_NE(entry, nullptr) << name;
      EXPECT_EQ(entry->type, view.type);
      EXPECT_EQ(entry->shape, view.shape);
      std::vector<std::byte> room;
      const auto bytes = file.bytes(*entry, room);
      EXPECT_TRUE(std::ranges::equal(bytes, view.data)) << name << " " << view.name;
    }
  }
}

TEST_F(WeightFiles, AreKnownByTheirContent) {
  const std::vector<float> values = {1};
  write_weights(folder_ / "w.npz", "pt", {{"a", ArrayType::kFloat32, {1}, bytes_of(values)}});
  EXPECT_EQ(WeightFile(folder_ / "w.npz").format(), "pt");
  write_weights(folder_ / "model.safetensors", "safetensors",
                {{"a", ArrayType::kFloat32, {1}, bytes_of(values)}});
  EXPECT_EQ(WeightFile(folder_).format(), "safetensors");
  write_file_durably(folder_ / "text", "only a text, of some length");
  EXPECT_EQ(message_of<DataError>([&] { WeightFile(folder_ / "text"); }),
            (folder_ / "text").string() +
                ": is no file of weights that Hearth knows: safetensors, .pt or .pth of "
                "torch.save, or .npz.");
}

TEST_F(WeightFiles, SayWhatAFormatDoesNotHave) {
  const std::vector<uint16_t> values = {1};
  const auto bytes = std::as_bytes(std::span(values));
  EXPECT_EQ(message_of<DataError>([&] {
              write_weights(folder_ / "w.npz", "npz", {{"a", ArrayType::kBFloat16, {1}, bytes}});
            }),
            "tensor 'a' is bfloat16, which NumPy does not have. Write .safetensors, or convert "
            "with --dtype float32.");
  EXPECT_FALSE(fs::exists(folder_ / "w.npz"));
  EXPECT_EQ(message_of<ConfigError>([] { (void)weight_format_of("w.bin"); }),
            "w.bin: the name must end in .safetensors, .pt, .pth or .npz, which says what to "
            "write. Known: .safetensors, .pt, .pth, .npz.");
}

TEST_F(WeightFiles, AreMergedWithTheirLowRankParts) {
  const WeightFile file(fs::path(HEARTH_SOURCE_DIR) / "tests/corpus/pt/lora.pt");
  const MergedWeights merged = merged_weights(file, file);
  EXPECT_EQ(merged.merged, std::vector<std::string>{"0.weight"});
  ASSERT_EQ(merged.tensors.size(), 2U);
  const auto number = [&](const std::string& name, uint64_t index) {
    std::vector<std::byte> room;
    const WeightEntry& entry = *file.find(name);
    return number_at(entry.type, file.bytes(entry, room), index);
  };
  for (uint64_t row = 0; row < 3; ++row)
    for (uint64_t column = 0; column < 4; ++column) {
      double expected = number("0.weight", row * 4 + column);
      for (uint64_t middle = 0; middle < 2; ++middle)
        expected +=
            2 * number("0.lora_b", row * 2 + middle) * number("0.lora_a", middle * 4 + column);
      EXPECT_EQ(number_at(ArrayType::kFloat32, merged.tensors[0].data, row * 4 + column), expected);
    }
}

TEST_F(WeightFiles, AreDescribedAndCompared) {
  const float nan = std::nanf("");
  const std::vector<float> left = {1, 2, 3, nan};
  const std::vector<float> right = {1, 2.5F, 3, nan};
  write_weights(folder_ / "a.pt", "pt", {{"w", ArrayType::kFloat32, {4}, bytes_of(left)}});
  write_weights(folder_ / "b.npz", "npz",
                {{"w", ArrayType::kFloat32, {4}, bytes_of(right)},
                 {"more", ArrayType::kFloat32, {2, 2}, bytes_of(right)}});
  const WeightFile first(folder_ / "a.pt");
  const WeightFile second(folder_ / "b.npz");
  const WeightStatistics numbers = statistics_of(first, first.entries()[0]);
  EXPECT_EQ(numbers.mean, 2);
  EXPECT_EQ(numbers.least, 1);
  EXPECT_EQ(numbers.most, 3);
  EXPECT_EQ(numbers.nan, 1U);
  EXPECT_NEAR(numbers.deviation, std::sqrt(2.0 / 3), 1e-12);
  const auto found = differences(first, second);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].differing, 1U);
  EXPECT_EQ(found[0].largest, 0.5);
  EXPECT_EQ(found[0].largest_at, 1U);
  EXPECT_EQ(found[1].left, nullptr);
  EXPECT_TRUE(differences(first, first)[0].is_equal());
}

TEST(ArrayNames, NumbersOfHalvesAreExact) {
  const std::vector<uint16_t> bits = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x7e00};
  const auto bytes = std::as_bytes(std::span(bits));
  EXPECT_EQ(number_at(ArrayType::kFloat16, bytes, 0), 1);
  EXPECT_EQ(number_at(ArrayType::kFloat16, bytes, 1), -2);
  EXPECT_EQ(number_at(ArrayType::kFloat16, bytes, 2), std::ldexp(1, -24));
  EXPECT_EQ(number_at(ArrayType::kFloat16, bytes, 3), 65504);
  EXPECT_TRUE(std::isinf(number_at(ArrayType::kFloat16, bytes, 4)));
  EXPECT_TRUE(std::isnan(number_at(ArrayType::kFloat16, bytes, 5)));
  EXPECT_EQ(number_at(ArrayType::kBFloat16, bytes, 0), 0.0078125);
}

}  // namespace
}  // namespace hearth
