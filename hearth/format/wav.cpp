// WAV: a RIFF file of chunks, of which `fmt ` says what the bytes of `data` are.
#include "hearth/format/wav.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "hearth/base/error.h"

namespace hearth {

namespace {

constexpr size_t kRiffHeaderBytes = 12;
constexpr uint64_t kUnknownLength = 0x7f000000;  // or more, where it could not be written later
constexpr size_t kChunkHeaderBytes = 8;

uint64_t little_endian(std::string_view bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i)
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + i])) << 8 * i;
  return value;
}

[[noreturn]] void throw_wav_error(const std::string& what, const std::string& reason) {
  throw DataError(what + ": " + reason);
}

WavSound wav_format(std::string_view chunk, const std::string& what) {
  constexpr uint64_t kWhole = 1;
  constexpr uint64_t kFloat = 3;
  constexpr uint64_t kExtensible = 0xFFFE;
  if (chunk.size() < 16) throw_wav_error(what, "the WAV's format is cut off.");
  uint64_t code = little_endian(chunk, 0, 2);
  if (code == kExtensible && chunk.size() >= 26) code = little_endian(chunk, 24, 2);
  WavSound sound;
  sound.channels = static_cast<int64_t>(little_endian(chunk, 2, 2));
  sound.rate = static_cast<int64_t>(little_endian(chunk, 4, 4));
  sound.bits = static_cast<int64_t>(little_endian(chunk, 14, 2));
  sound.is_float = code == kFloat;
  const bool is_whole = code == kWhole && (sound.bits == 8 || sound.bits == 16 ||
                                           sound.bits == 24 || sound.bits == 32);
  if (!is_whole && !(sound.is_float && (sound.bits == 32 || sound.bits == 64)))
    throw_wav_error(what, "the WAV holds format " + std::to_string(code) + " of " +
                              std::to_string(sound.bits) +
                              " bits, but only uncompressed sound can be read: whole numbers of 8, "
                              "16, 24 or 32 bits, floats of 32 or 64. Convert it.");
  if (sound.channels < 1 || sound.channels > 64)
    throw_wav_error(what, "the WAV has " + std::to_string(sound.channels) +
                              " channels, but 1 to 64 can be read.");
  if (sound.rate < 1) throw_wav_error(what, "the WAV has no samples a second.");
  return sound;
}

double wav_value(const WavSound& sound, const char* at) {
  const size_t bytes = static_cast<size_t>(sound.bits) / 8;
  const uint64_t value = little_endian({at, bytes}, 0, bytes);
  if (sound.is_float)
    return bytes == 4 ? std::bit_cast<float>(static_cast<uint32_t>(value))
                      : std::bit_cast<double>(value);
  if (bytes == 1) return (static_cast<double>(value) - 128) / 128;
  const int64_t most = int64_t{1} << (sound.bits - 1);
  const auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole >= most ? whole - 2 * most : whole) / static_cast<double>(most);
}

void add_little_endian(std::string& bytes, uint64_t value, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes += static_cast<char>(value >> 8 * i);
}

}  // namespace

int64_t WavSound::samples() const {
  return static_cast<int64_t>(data.size()) / (channels * (bits / 8));
}

bool is_wav(std::string_view bytes) {
  return bytes.size() >= kRiffHeaderBytes && bytes.starts_with("RIFF") &&
         bytes.substr(8, 4) == "WAVE";
}

WavSound parse_wav(std::string_view bytes, const std::string& what) {
  if (!is_wav(bytes)) throw_wav_error(what, "is no WAV: it does not begin with RIFF and WAVE.");
  WavSound sound;
  for (size_t at = kRiffHeaderBytes; bytes.size() - at >= kChunkHeaderBytes;) {
    const std::string_view name = bytes.substr(at, 4);
    const uint64_t length = little_endian(bytes, at + 4, 4);
    const std::string_view rest = bytes.substr(at + kChunkHeaderBytes);
    const std::string_view chunk = rest.substr(0, std::min<uint64_t>(length, rest.size()));
    if (name == "fmt ") {
      sound = wav_format(chunk, what);
    } else if (name == "data") {
      if (sound.channels == 0) throw_wav_error(what, "the WAV's sound comes before its format.");
      if (chunk.size() < length && length < kUnknownLength)
        throw_wav_error(what, "the WAV's sound has " + std::to_string(length) +
                                  " bytes, but only " + std::to_string(chunk.size()) +
                                  " are left; it is truncated, get it again.");
      sound.data = chunk;
      return sound;
    }
    // Chunks of an odd length are followed by a byte that fills up.
    const uint64_t used = chunk.size() + length % 2;
    if (used >= rest.size()) break;
    at += kChunkHeaderBytes + static_cast<size_t>(used);
  }
  throw_wav_error(what, "the WAV ends before its sound.");
}

WavSound parse_wav_of_rate(std::string_view bytes, const std::string& what, int64_t rate,
                           const std::string& why) {
  const WavSound sound = parse_wav(bytes, what);
  if (sound.rate != rate)
    throw_wav_error(what, "has " + std::to_string(sound.rate) +
                              " samples a second, but must have " + std::to_string(rate) + ", " +
                              why + ". Convert it.");
  if (sound.samples() == 0) throw_wav_error(what, "holds no sound.");
  return sound;
}

void read_wav(const WavSound& sound, std::span<float> to) {
  const size_t width = static_cast<size_t>(sound.bits) / 8;
  const auto channels = static_cast<size_t>(sound.channels);
  const char* at = sound.data.data();
  for (float& sample : to) {
    double sum = 0;
    for (size_t channel = 0; channel < channels; ++channel, at += width)
      sum += wav_value(sound, at);
    sample = static_cast<float>(sum / static_cast<double>(channels));
  }
}

std::string encode_wav(std::span<const float> samples, int64_t rate) {
  std::string data;
  for (const float sample : samples) {
    const long value = std::lround(std::clamp(sample, -1.0F, 1.0F) * 32768.0F);
    add_little_endian(data, static_cast<uint64_t>(std::min(value, 32767L)), 2);
  }
  std::string bytes = "RIFF";
  add_little_endian(bytes, data.size() + 36, 4);
  bytes += "WAVEfmt ";
  add_little_endian(bytes, 16, 4);
  add_little_endian(bytes, 1, 2);
  add_little_endian(bytes, 1, 2);
  add_little_endian(bytes, static_cast<uint64_t>(rate), 4);
  add_little_endian(bytes, static_cast<uint64_t>(rate) * 2, 4);
  add_little_endian(bytes, 2, 2);
  add_little_endian(bytes, 16, 2);
  bytes += "data";
  add_little_endian(bytes, data.size(), 4);
  return bytes + data;
}

}  // namespace hearth
