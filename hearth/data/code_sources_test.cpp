// Tests of sources from code.
#include "hearth/data/code_sources.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/sample_of_test.h"

namespace hearth {
namespace {

using sources::code_tensor;

TEST(CodeSources, TensorsAreASourceByName) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const std::vector<int64_t> labels = {0, 2, 1};
  const auto choice = sources::tensors("my_rows", {code_tensor<float>("x", {2}, values),
                                                   code_tensor<int64_t>("label", {}, labels, 3)});
  const auto source = registry<Source>().make(choice);
  EXPECT_EQ(source->size(), 3);
  EXPECT_EQ(source->keys()[1].spec.text(), "int64 [B], 3 classes");
  EXPECT_EQ(testing_data::floats_of(*source, "x", 1), (std::vector<float>{3, 4}));
  EXPECT_EQ(testing_data::number_of(*source, "label", 1), 2);
  EXPECT_EQ(source->describe(2), "my_rows[2]");
  EXPECT_EQ(source->resident_bytes(), 48U);
}

TEST(CodeSources, AGeneratorComputesItsSamples) {
  const auto choice =
      sources::generator("squares", {.keys = {{"x", {.dtype = DType::kFloat32}}},
                                     .size = 10,
                                     .sample = [](int64_t index, std::span<const Cell> cells) {
                                       cells[0].set(static_cast<float>(index * index));
                                     }});
  const auto source = registry<Source>().make(choice);
  EXPECT_EQ(testing_data::floats_of(*source, "x", 3), std::vector<float>{9});
}

TEST(CodeSources, SayWhatDoesNotFit) {
  const std::vector<float> three = {1, 2, 3};
  EXPECT_EQ(message_of<ConfigError>(
                [&] { (void)sources::tensors("odd", {code_tensor<float>("x", {2}, three)}); }),
            "source 'odd': the 12 bytes of 'x' are no whole number of samples, float32 [B, 2] "
            "each.");
  EXPECT_EQ(message_of<ConfigError>([&] {
              (void)sources::tensors(
                  "odd", {code_tensor<float>("x", {3}, three), code_tensor<float>("y", {}, three)});
            }),
            "source 'odd': 'y' has 3 samples, but 'x' has 1.");
  EXPECT_EQ(message_of<ConfigError>([] { (void)sources::generator("none", {}); }),
            "source 'none' needs keys, a size and a way to make a sample.");
}

}  // namespace
}  // namespace hearth
