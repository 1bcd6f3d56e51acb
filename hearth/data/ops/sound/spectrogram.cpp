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
      : options_(std::move(options)), frames_(sound_frames_options(options_)) {}

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
  static const auto schema = [] {
    Schema<O> fields;
    fields.field(&O::in, "in", "The key of the sound.", not_empty())
        .field(&O::out, "out", "The key of the spectrogram.", not_empty());
    add_frame_fields(fields,
                     "Samples of a frame, under a Hann window; half of them and one are the "
                     "frequencies.");
    add_frame_forms(fields, "frequencies");
    return fields;
  }();
  return schema;
}

Choice<SampleOp> spectrogram(SpectrogramOptions options) {
  return choose<SampleOp>("spectrogram", options);
}

void register_spectrogram(Registry<SampleOp>& registry) {
  registry.add<Spectrogram>("spectrogram", "Sound as how loud its frequencies are, by frames.");
}

}  // namespace hearth::sample_ops
