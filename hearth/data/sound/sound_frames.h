// What spectrogram and mel share: a sound's frames as an image or as a sequence.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "hearth/config/schema.h"
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

// Options of both, fields of the same names.
template <class O>
[[nodiscard]] SoundFramesOptions sound_frames_options(const O& options) {
  return {{options.size, options.hop, options.power, options.center}, options.log, options.layout};
}

template <class O>
void add_frame_fields(Schema<O>& schema, const std::string& size_help) {
  schema.field(&O::size, "size", size_help, at_least(2), at_most(65'536))
      .field(&O::hop, "hop", "Samples from one frame to the next.", at_least(1))
      .field(&O::power, "power", "1 for magnitudes, 2 for powers.", above(0), at_most(8))
      .field(&O::center, "center",
             "Whether frames lie around their samples, with the sound mirrored at its ends.")
      .check("'size' must be a product of 2, 3, 5, 7, 11 and 13, such as 400 or 1024.",
             [](const O& options) { return is_fft_length(options.size); });
}

// `rows` is what they are called: bands, frequencies.
template <class O>
void add_frame_forms(Schema<O>& schema, const std::string& rows) {
  schema
      .field(&O::log, "log", "Logarithms of the values, or 10 log10 of them; or the values.",
             one_of({"none", "natural", "decibel"}))
      .field(&O::layout, "layout",
             "`image`: " + rows + " x frames x 1, for convolutions; `sequence`: frames x " + rows +
                 ".",
             one_of({"image", "sequence"}));
}

}  // namespace hearth
