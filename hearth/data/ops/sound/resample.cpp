// Sound at another rate, by a sinc with a window, as torchaudio's resample.
#include "hearth/data/ops/sound/resample.h"

#include <memory>
#include <mutex>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/sound/resampler.h"
#include "hearth/data/sound/sound_frames.h"

namespace hearth::sample_ops {

namespace {

class Resample : public SampleOp {
 public:
  using Options = ResampleOptions;
  explicit Resample(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec spec = inputs.at(0);
    check_sound("resample", options_.key, spec);
    const Resampler& resampler = resampler_of(spec.rate);
    if (spec.shape[0] != kAnyLength) spec.shape[0] = resampler.length(spec.shape[0]);
    spec.rate = options_.rate;
    return {spec};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View out = outputs[0].take({resampler_->length(inputs[0].shape[0])});
    resampler_->run(inputs[0].as<float>(), out.as<float>());
  }

 private:
  // Made once: workers read it.
  [[nodiscard]] const Resampler& resampler_of(int64_t rate) const {
    const std::lock_guard lock(mutex_);
    if (!Resampler::is_possible(rate, options_.rate))
      throw GraphError("resample: from " + std::to_string(rate) + " to " +
                       std::to_string(options_.rate) +
                       " samples a second takes too large a filter: they have no common factor to "
                       "speak of. Use a rate that has, such as " +
                       std::to_string(rate / 2) + ".");
    if (resampler_ == nullptr) resampler_ = std::make_unique<const Resampler>(rate, options_.rate);
    if (rate_ != 0 && rate_ != rate)
      throw GraphError("resample: the sounds of key " + quote(options_.key) + " have " +
                       std::to_string(rate_) + " and " + std::to_string(rate) +
                       " samples a second. Give each source files of one rate.");
    rate_ = rate;
    return *resampler_;
  }

  Options options_;
  mutable std::mutex mutex_;
  mutable int64_t rate_ = 0;
  mutable std::unique_ptr<const Resampler> resampler_;
};

}  // namespace

const Schema<ResampleOptions>& ResampleOptions::schema() {
  using O = ResampleOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key of the sound.", not_empty())
          .field(&O::rate, "rate", "Samples a second afterwards.", at_least(1), at_most(1'000'000));
  return schema;
}

Choice<SampleOp> resample(ResampleOptions options) { return choose<SampleOp>("resample", options); }

void register_resample(Registry<SampleOp>& registry) {
  registry.add<Resample>("resample", "Sound at another rate.");
}

}  // namespace hearth::sample_ops
