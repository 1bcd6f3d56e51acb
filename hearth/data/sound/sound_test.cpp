#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/op_runner_test.h"
#include "hearth/data/ops/sound/mel.h"
#include "hearth/data/ops/sound/resample.h"
#include "hearth/data/ops/sound/spectrogram.h"
#include "hearth/data/sound/fft.h"

namespace hearth {
namespace {

using Floats = std::vector<float>;

const nlohmann::json& stored() {
  static const auto json =
      nlohmann::json::parse(read_file(std::string(HEARTH_SOURCE_DIR) + "/tests/parity/sound.json"));
  return json;
}

Floats test_sound() { return stored()["sound"].get<Floats>(); }

Spec sound_spec(int64_t length = kAnyLength, int64_t rate = 8000) {
  Spec spec{.dtype = DType::kFloat32, .shape = {length}};
  spec.role = Role::kSound;
  spec.rate = rate;
  return spec;
}

void expect_near(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 2e-5 * (1 + std::abs(expected[i]))) << i;
}

Floats joined(const nlohmann::json& rows) {
  Floats values;
  for (const auto& row : rows)
    for (const auto& value : row) values.push_back(value.get<float>());
  return values;
}

TEST(Fft, GivesTheSumsOverSines) {
  for (const auto& example : stored()["fft"]) {
    const auto values = example["values"].get<Floats>();
    const Fft fft(static_cast<int64_t>(values.size()));
    std::vector<std::complex<float>> found(static_cast<size_t>(fft.bins()));
    std::vector<std::complex<float>> work;
    fft.run(values, found, work);
    Floats real;
    Floats imaginary;
    for (const auto& value : found) {
      real.push_back(value.real());
      imaginary.push_back(value.imag());
    }
    expect_near(real, example["real"].get<Floats>());
    expect_near(imaginary, example["imaginary"].get<Floats>());
  }
}

TEST(Fft, KnowsItsLengths) {
  for (const int64_t length : {1, 2, 400, 882, 1024, 65536}) EXPECT_TRUE(is_fft_length(length));
  for (const int64_t length : {0, -4, 17, 1021}) EXPECT_FALSE(is_fft_length(length));
}

TEST(Spectrogram, IsWhatTheFormulaGives) {
  for (const auto& example : stored()["spectrogram"]) {
    OpRunner op(sample_ops::spectrogram({.size = example["size"],
                                         .hop = example["hop"],
                                         .center = example["center"],
                                         .layout = "sequence"}),
                {sound_spec()});
    expect_near(op.values<float>(test_sound()), joined(example["rows"]));
  }
}

TEST(Spectrogram, IsAnImageOfFrequenciesAndFrames) {
  OpRunner op(sample_ops::spectrogram({.size = 40, .hop = 16, .log = "decibel"}),
              {sound_spec(150)});
  EXPECT_EQ(op.specs[0].text(), "float32 [B, 21, 10, 1]");
  EXPECT_EQ(op.specs[0].role, Role::kImage);
  const Floats found = op.values<float>(test_sound());
  const auto rows = stored()["spectrogram"][0]["rows"];
  EXPECT_NEAR(found[3 * 10 + 7], 10 * std::log10(rows[7][3].get<float>()), 1e-3);
}

TEST(Spectrogram, SaysWhatIsTooShortOrNoSound) {
  OpRunner op(sample_ops::spectrogram({.size = 40, .hop = 16}), {sound_spec()});
  EXPECT_EQ(message_of<DataError>([&] { (void)op.run(Floats(20)); }),
            "the sound has 20 samples, but a frame needs 21. Fill it up with pad_to, or use a "
            "smaller size.");
  EXPECT_EQ(op.run(Floats(21))[0].shape[1], 2);
  const Spec plain{.dtype = DType::kFloat32, .shape = {kAnyLength}};
  EXPECT_EQ(message_of<GraphError>([&] { (void)op.op->infer({plain}); }),
            "spectrogram: key 'sound' must hold a sound, but is float32 [B, ?] and plain.");
}

TEST(Mel, IsWhatTheFormulaGives) {
  for (const auto& example : stored()["mel"]) {
    OpRunner op(sample_ops::mel({.bands = example["bands"],
                                 .size = 64,
                                 .hop = 32,
                                 .lowest = example["lowest"],
                                 .highest = example["highest"],
                                 .scale = example["scale"],
                                 .normalized = example["normalized"],
                                 .log = "none",
                                 .layout = "sequence"}),
                {sound_spec()});
    expect_near(op.values<float>(test_sound()), joined(example["rows"]));
  }
}

TEST(Mel, GivesSilenceAFiniteLogarithm) {
  OpRunner op(sample_ops::mel({.bands = 4, .size = 64, .hop = 32}), {sound_spec()});
  for (const float value : op.values<float>(Floats(100))) EXPECT_FLOAT_EQ(value, std::log(1e-10F));
}

TEST(Mel, RefusesFrequenciesAboveHalfTheRate) {
  EXPECT_EQ(message_of<GraphError>(
                [] { const OpRunner op(sample_ops::mel({.highest = 8000}), {sound_spec()}); }),
            "mel: key 'sound' has 8000 samples a second and so no frequencies above 4000, but "
            "lowest is 0 and highest 8000.");
}

TEST(Resample, IsWhatTheFormulaGives) {
  for (const auto& example : stored()["resample"]) {
    OpRunner op(sample_ops::resample({.rate = example["to"]}), {sound_spec()});
    expect_near(op.values<float>(test_sound()), example["values"].get<Floats>());
    EXPECT_EQ(op.specs[0].rate, example["to"]);
  }
}

TEST(Resample, RefusesRatesWithoutACommonFactor) {
  EXPECT_NE(message_of<GraphError>([] {
              const OpRunner op(sample_ops::resample({.rate = 44'100}), {sound_spec(9, 44'101)});
            }).find("takes too large a filter"),
            std::string::npos);
  OpRunner op(sample_ops::resample({.rate = 4000}), {sound_spec(9)});
  EXPECT_EQ(op.specs[0].shape[0], 5);
}

}  // namespace
}  // namespace hearth
