// A sound's frames as an image or as a sequence.
#include "hearth/data/sound/sound_frames.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

void check_sound(const std::string& op, const std::string& key, const Spec& spec) {
  if (spec.role == Role::kSound && spec.dtype == DType::kFloat32 && spec.shape.size() == 1) return;
  throw GraphError(op + ": key " + quote(key) + " must hold a sound, but is " + spec.text() +
                   " and " + std::string(name(spec.role)) + ".");
}

Spec SoundFrames::spec(const Spec& sound) const {
  const int64_t frames = sound.shape[0] == kAnyLength ? kAnyLength : stft_.frames(sound.shape[0]);
  Spec spec{.dtype = DType::kFloat32, .shape = {frames, rows()}};
  if (options_.layout == "image") {
    spec.shape = {rows(), frames, 1};
    spec.role = Role::kImage;
  }
  return spec;
}

float SoundFrames::scaled(float value) const {
  constexpr float kLeast = 1e-10F;  // silence has no logarithm
  if (options_.log == "natural") return std::log(std::max(value, kLeast));
  return options_.log == "decibel" ? 10 * std::log10(std::max(value, kLeast)) : value;
}

void SoundFrames::run(const View& sound, const Cell& to) const {
  thread_local std::vector<float> spectrum;
  thread_local std::vector<float> summed;
  const auto frames = static_cast<size_t>(stft_.frames(sound.shape[0]));
  const auto width = static_cast<size_t>(bins());
  const auto height = static_cast<size_t>(rows());
  spectrum.resize(frames * width);
  summed.resize(height);
  stft_.run(sound.as<float>(), spectrum);
  const bool is_image = options_.layout == "image";
  const auto count = static_cast<int64_t>(frames);
  const auto out = (is_image ? to.take({rows(), count, 1}) : to.take({count, rows()})).as<float>();
  for (size_t frame = 0; frame < frames; ++frame) {
    std::span<const float> row(spectrum.data() + frame * width, width);
    if (bands_) {
      bands_->run(row, summed);
      row = summed;
    }
    for (size_t i = 0; i < height; ++i)
      out[is_image ? i * frames + frame : frame * height + i] = scaled(row[i]);
  }
}

}  // namespace hearth
