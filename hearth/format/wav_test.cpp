#include "hearth/format/wav.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

const std::string kTests = std::string(HEARTH_SOURCE_DIR) + "/tests/";

std::vector<float> samples_of(const std::string& bytes) {
  const WavSound sound = parse_wav(bytes, "x.wav");
  std::vector<float> samples(static_cast<size_t>(sound.samples()));
  read_wav(sound, samples);
  return samples;
}

std::string wav_fault(const std::string& bytes) {
  return message_of<DataError>([&] { (void)samples_of(bytes); });
}

TEST(Wav, ReadsEveryFormThatPythonWrote) {
  const auto stored = nlohmann::json::parse(read_file(kTests + "parity/sound.json"))["wav"];
  EXPECT_GE(stored.size(), 7U);
  for (const auto& [name, form] : stored.items()) {
    const auto samples = samples_of(read_file(kTests + "corpus/wav/" + name));
    const auto expected = form["samples"].get<std::vector<float>>();
    ASSERT_EQ(samples.size(), expected.size()) << name;
    for (size_t i = 0; i < samples.size(); ++i) EXPECT_NEAR(samples[i], expected[i], 1e-6) << name;
  }
}

TEST(Wav, ComesBackAsItWasWritten) {
  const std::string bytes = encode_wav(std::vector<float>{0, 0.5F, -1, 1, 7}, 8000);
  EXPECT_EQ(samples_of(bytes),
            (std::vector<float>{0, 0.5F, -1, 32767 / 32768.0F, 32767 / 32768.0F}));
  EXPECT_EQ(parse_wav(bytes, "x").rate, 8000);
}

TEST(Wav, SurvivesEveryCutAndFlippedBit) {
  const std::string whole = read_file(kTests + "corpus/wav/stereo_24.wav");
  for (size_t i = 0; i < whole.size(); ++i)
    for (int bit = 0; bit < 9; ++bit) {
      std::string changed = bit == 8 ? whole.substr(0, i) : whole;
      if (bit < 8) changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      (void)wav_fault(changed);
    }
}

TEST(Wav, RefusesSoundThatIsCutOffUnlessItsLengthWasNeverKnown) {
  std::string bytes = encode_wav(std::vector<float>{0, 0.5F, -1}, 8000);
  EXPECT_EQ(wav_fault(bytes.substr(0, bytes.size() - 2)),
            "x.wav: the WAV's sound has 6 bytes, but only 4 are left; it is truncated, get it "
            "again.");
  bytes.replace(40, 4, "\xff\xff\xff\x7f");
  EXPECT_EQ(samples_of(bytes), (std::vector<float>{0, 0.5F, -1}));
}

TEST(Wav, SaysWhatItCannotRead) {
  std::string bytes = encode_wav(std::vector<float>(4), 8000);
  EXPECT_EQ(wav_fault("RIFF"), "x.wav: is no WAV: it does not begin with RIFF and WAVE.");
  EXPECT_EQ(wav_fault(bytes.substr(0, 36)), "x.wav: the WAV ends before its sound.");
  bytes[20] = 85;
  EXPECT_EQ(wav_fault(bytes).substr(0, 70),
            "x.wav: the WAV holds format 85 of 16 bits, but only uncompressed sound");
  bytes[20] = 1;
  bytes[22] = 0;
  EXPECT_EQ(wav_fault(bytes), "x.wav: the WAV has 0 channels, but 1 to 64 can be read.");
}

}  // namespace
}  // namespace hearth
