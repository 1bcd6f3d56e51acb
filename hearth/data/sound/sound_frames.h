// What spectrogram and mel share: a sound's frames as an image or as a sequence.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "hearth/data/sound/mel_bands.h"
#include "hearth/data/sound/stft.h"
#include "hearth/data/value.h"

namespace hearth {

struct SoundFramesOptions {
  StftOptions frames = {};
  std::string log = "none";      // natural, decibel
  std::string layout = "image";  // sequence
};

// GraphError, which begins with `op`, for a key that holds no sound.
void check_sound(const std::string& op, const std::string& key, const Spec& spec);

class SoundFrames {
 public:
  explicit SoundFrames(const SoundFramesOptions& options)
      : options_(options), stft_(options.frames) {}
  // Sums bins by bands.
  void use(MelBands bands) { bands_ = std::move(bands); }
  [[nodiscard]] int64_t bins() const { return stft_.bins(); }
  // [rows, frames, 1] of an image, [frames, rows] of a sequence.
  [[nodiscard]] Spec spec(const Spec& sound) const;
  void run(const View& sound, const Cell& to) const;

 private:
  [[nodiscard]] int64_t rows() const { return bands_ ? bands_->bands() : bins(); }
  [[nodiscard]] float scaled(float value) const;

  SoundFramesOptions options_;
  Stft stft_;
  std::optional<MelBands> bands_;
};

}  // namespace hearth
