// Sound as how loud its frequencies are, frame by frame: torch.stft's powers or magnitudes.
#include "hearth/data/ops/sound/spectrogram.h"

#include "hearth/config/registry.h"
#include "hearth/data/sound/sound_frames.h"

namespace hearth::sample_ops {

namespace {

class Spectrogram : public SampleOp {
 public:
  using Options = SpectrogramOptions;
  explicit Spectrogram(Options options)
      : options_(std::move(options)),
        frames_({{options_.size, options_.hop, options_.power, options_.center},
                 options_.log,
                 options_.layout}) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.out}; }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    check_sound("spectrogram", options_.in, inputs.at(0));
    return {frames_.spec(inputs[0])};
  }
  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    frames_.run(inputs[0], outputs[0]);
  }

 private:
  Options options_;
  SoundFrames frames_;
};

}  // namespace

const Schema<SpectrogramOptions>& SpectrogramOptions::schema() {
  using O = SpectrogramOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key of the sound.", not_empty())
          .field(&O::out, "out", "The key of the spectrogram.", not_empty())
          .field(&O::size, "size",
                 "Samples of a frame, under a Hann window; half of them and one "
                 "are the frequencies.",
                 at_least(2), at_most(65'536))
          .field(&O::hop, "hop", "Samples from one frame to the next.", at_least(1))
          .field(&O::power, "power", "1 for magnitudes, 2 for powers.", above(0), at_most(8))
          .field(&O::center, "center",
                 "Whether frames lie around their samples, with the sound mirrored at its ends.")
          .field(&O::log, "log", "Logarithms of the values, or 10 log10 of them; or the values.",
                 one_of({"none", "natural", "decibel"}))
          .field(&O::layout, "layout",
                 "`image`: frequencies x frames x 1, for convolutions; `sequence`: frames x "
                 "frequencies.",
                 one_of({"image", "sequence"}))
          .check("'size' must be a product of 2, 3, 5, 7, 11 and 13, such as 400 or 1024.",
                 [](const O& options) { return is_fft_length(options.size); });
  return schema;
}

Choice<SampleOp> spectrogram(SpectrogramOptions options) {
  return choose<SampleOp>("spectrogram", options);
}

void register_spectrogram(Registry<SampleOp>& registry) {
  registry.add<Spectrogram>("spectrogram", "Sound as how loud its frequencies are, by frames.");
}

}  // namespace hearth::sample_ops
