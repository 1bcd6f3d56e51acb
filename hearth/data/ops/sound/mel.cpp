// Sound as how loud bands of frequencies are, frame by frame, as wide as the ear hears them.
#include "hearth/data/ops/sound/mel.h"

#include <mutex>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/sound/sound_frames.h"

namespace hearth::sample_ops {

namespace {

class Mel : public SampleOp {
 public:
  using Options = MelOptions;
  explicit Mel(Options options)
      : options_(std::move(options)), frames_(sound_frames_options(options_)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.out}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& sound = inputs.at(0);
    check_sound("mel", options_.in, sound);
    const double half = static_cast<double>(sound.rate) / 2;
    if (options_.lowest >= half || options_.highest > half)
      throw GraphError("mel: key " + quote(options_.in) + " has " + std::to_string(sound.rate) +
                       " samples a second and so no frequencies above " + shortest_number(half) +
                       ", but lowest is " + shortest_number(options_.lowest) + " and highest " +
                       shortest_number(options_.highest) + ".");
    take_rate(sound.rate);
    return {frames_.spec(sound)};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    frames_.run(inputs[0], outputs[0]);
  }

 private:
  // The bands follow from the rate; they are made once: workers read them.
  void take_rate(int64_t rate) const {
    const std::lock_guard lock(mutex_);
    if (rate_ == 0)
      frames_.use(MelBands({.bands = options_.bands,
                            .bins = frames_.bins(),
                            .rate = rate,
                            .lowest = options_.lowest,
                            .highest = options_.highest,
                            .scale = options_.scale,
                            .is_normalized = options_.normalized}));
    if (rate_ != 0 && rate_ != rate)
      throw GraphError("mel: the sounds of key " + quote(options_.in) + " have " +
                       std::to_string(rate_) + " and " + std::to_string(rate) +
                       " samples a second. Put resample before it.");
    rate_ = rate;
  }

  Options options_;
  mutable std::mutex mutex_;
  mutable int64_t rate_ = 0;
  mutable SoundFrames frames_;
};

}  // namespace

const Schema<MelOptions>& MelOptions::schema() {
  using O = MelOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields.field(&O::in, "in", "The key of the sound.", not_empty())
        .field(&O::out, "out", "The key of the bands.", not_empty())
        .field(&O::bands, "bands", "How many bands.", at_least(1), at_most(1024));
    add_frame_fields(fields, "Samples of a frame, under a Hann window.");
    fields.field(&O::lowest, "lowest", "Where the first band begins, in hertz.", at_least(0))
        .field(&O::highest, "highest", "Where the last band ends; 0: half the rate.", at_least(0))
        .field(&O::scale, "scale", "The formula of the bands: HTK's or Slaney's.",
               one_of({"htk", "slaney"}))
        .field(&O::normalized, "normalized",
               "Whether every band covers the same area, as Slaney has them.");
    add_frame_forms(fields, "bands");
    fields.check("'highest' must be above 'lowest', or 0.", [](const O& options) {
      return options.highest == 0 || options.highest > options.lowest;
    });
    return fields;
  }();
  return schema;
}

Choice<SampleOp> mel(MelOptions options) { return choose<SampleOp>("mel", options); }

void register_mel(Registry<SampleOp>& registry) {
  registry.add<Mel>("mel", "Sound as how loud bands of frequencies are, by frames.");
}

}  // namespace hearth::sample_ops
