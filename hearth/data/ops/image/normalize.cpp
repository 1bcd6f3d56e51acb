// x -> (x - mean) / std, for all values or for each channel, as one multiplication and addition.
// Bytes become floats in the same pass.
#include "hearth/data/ops/image/normalize.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/bytes_to_floats.h"

namespace hearth::sample_ops {

namespace {

class Normalize : public SampleOp {
 public:
  using Options = NormalizeOptions;
  explicit Normalize(Options options) : options_(std::move(options)) {
    const size_t channels = std::max(options_.mean.size(), options_.std.size());
    for (size_t c = 0; c < channels; ++c) {
      scale_.push_back(static_cast<float>(1.0 / deviation(c)));
      shift_.push_back(static_cast<float>(-mean(c) / deviation(c)));
    }
  }

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec spec = inputs.at(0);
    const bool is_bytes = spec.dtype == DType::kUint8 && is_image(spec);
    if (spec.dtype != DType::kFloat32 && !is_bytes)
      throw GraphError("normalize: key " + quote(options_.key) +
                       " must be float32, or an image of bytes, but is " + spec.text() + "." +
                       (spec.role == Role::kEncodedImage ? " Put decode before it." : ""));
    const int64_t known = spec.shape.empty() ? 0 : channels_of(spec);
    if (scale_.size() > 1 && known != channels())
      throw GraphError("normalize: " + std::to_string(channels()) +
                       " values of mean or std need as many channels, but key " +
                       quote(options_.key) + " is " + spec.text() +
                       ". Give one value, or one for each channel.");
    spec.image_range = range_of(spec);
    spec.background.clear();
    spec.dtype = DType::kFloat32;
    return {spec};
  }

  // Floats are changed where they are; bytes become floats in the same pass.
  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    const auto out =
        (in.spec->is_ragged() ? outputs[0].take(in.shape) : outputs[0].view()).as<float>();
    if (in.spec->dtype == DType::kUint8) return from_bytes(in, out);
    if (!is_image(*in.spec) || scale_.size() == 1) return by_plane(in.as<float>(), out);
    by_point(in.as<float>(), out);
  }

 private:
  [[nodiscard]] double mean(size_t channel) const {
    return options_.mean.size() == 1 ? options_.mean[0] : options_.mean[channel];
  }
  [[nodiscard]] double deviation(size_t channel) const {
    return options_.std.size() == 1 ? options_.std[0] : options_.std[channel];
  }
  [[nodiscard]] int64_t channels() const { return static_cast<int64_t>(scale_.size()); }

  // Images have their channels last; other values their channels, if any, first.
  static int64_t channels_of(const Spec& spec) {
    return is_image(spec) ? spec.shape.back() : spec.shape.front();
  }

  void by_plane(std::span<const float> in, std::span<float> out) const {
    const size_t plane = in.size() / scale_.size();
    for (size_t c = 0; c < scale_.size(); ++c) {
      const float scale = scale_[c];
      const float shift = shift_[c];
      for (size_t i = c * plane; i < (c + 1) * plane; ++i) out[i] = in[i] * scale + shift;
    }
  }

  void by_point(std::span<const float> in, std::span<float> out) const {
    const size_t step = scale_.size();
    for (size_t i = 0; i < in.size(); i += step)
      for (size_t c = 0; c < step; ++c) out[i + c] = in[i + c] * scale_[c] + shift_[c];
  }

  // Black becomes 0 and white 1 before they are shifted and scaled, as if they had been floats.
  void from_bytes(const View& in, std::span<float> out) const {
    const auto [black, white] = in.spec->image_range.value_or(std::pair(0.0, 255.0));
    const BytesToFloats to_unit{static_cast<float>(black),
                                1.0F / static_cast<float>(white - black)};
    bytes_to_floats(in.as<uint8_t>(), to_unit, scale_, shift_, out);
  }

  // Channels that are treated differently have no black and white in common.
  [[nodiscard]] std::optional<std::pair<double, double>> range_of(const Spec& spec) const {
    if (!spec.image_range || scale_.size() > 1) return std::nullopt;
    if (spec.dtype == DType::kUint8)
      return std::pair{-mean(0) / deviation(0), (1 - mean(0)) / deviation(0)};
    return std::pair{(spec.image_range->first - mean(0)) / deviation(0),
                     (spec.image_range->second - mean(0)) / deviation(0)};
  }

  Options options_;
  std::vector<float> scale_;
  std::vector<float> shift_;
};

bool normalize_lengths_fit(const NormalizeOptions& options) {
  return options.mean.size() == 1 || options.std.size() == 1 ||
         options.mean.size() == options.std.size();
}

bool normalize_divides_by_more_than_zero(const NormalizeOptions& options) {
  return std::all_of(options.std.begin(), options.std.end(),
                     [](double value) { return value > 0; });
}

}  // namespace

const Schema<NormalizeOptions>& NormalizeOptions::schema() {
  using O = NormalizeOptions;
  static const auto schema =
      Schema<O>()
          .field(
              &O::key, "key",
              "The key to normalize: float32, or an image of bytes, which becomes float32 with 0 "
              "for black and 1 for white first.",
              not_empty())
          .field(&O::mean, "mean", "What is subtracted: one number, or one for each channel.",
                 not_empty())
          .field(&O::std, "std", "What it is divided by: one number, or one for each channel.",
                 not_empty())
          .check("'mean' and 'std' must hold one number each, or as many as the other.",
                 normalize_lengths_fit)
          .check("'std' must be above 0.", normalize_divides_by_more_than_zero);
  return schema;
}

Choice<SampleOp> normalize(NormalizeOptions options) {
  return choose<SampleOp>("normalize", options);
}

void register_normalize(Registry<SampleOp>& registry) {
  registry.add<Normalize>("normalize",
                          "Subtracts a mean and divides by a deviation; bytes become floats.");
}

}  // namespace hearth::sample_ops
