// x -> (x - mean) / std, for all values or for each channel, as one multiplication and addition.
#include "hearth/data/ops/normalize.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth {

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
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec spec = inputs.at(0);
    if (spec.dtype != DType::kFloat32)
      throw GraphError("normalize: key " + quote(options_.key) + " must be float32, but is " +
                       spec.text() + ".");
    if (scale_.size() > 1 && (spec.shape.empty() || spec.shape[0] != channels()))
      throw GraphError("normalize: " + std::to_string(channels()) +
                       " values of mean or std need as many channels, but key " +
                       quote(options_.key) + " is " + spec.text() +
                       ". Give one value, or one a channel.");
    spec.image_range = range_of(spec);
    return {spec};
  }

  // Input and output are the same memory.
  void run(Random&, std::span<const View>, std::span<const View> outputs) const override {
    const auto values = outputs[0].as<float>();
    const size_t plane = values.size() / scale_.size();
    for (size_t c = 0; c < scale_.size(); ++c) {
      const float scale = scale_[c];
      const float shift = shift_[c];
      for (float& value : values.subspan(c * plane, plane)) value = value * scale + shift;
    }
  }

 private:
  [[nodiscard]] double mean(size_t channel) const {
    return options_.mean.size() == 1 ? options_.mean[0] : options_.mean[channel];
  }
  [[nodiscard]] double deviation(size_t channel) const {
    return options_.std.size() == 1 ? options_.std[0] : options_.std[channel];
  }
  [[nodiscard]] int64_t channels() const { return static_cast<int64_t>(scale_.size()); }

  // Channels that are treated differently have no black and white in common.
  [[nodiscard]] std::optional<std::pair<double, double>> range_of(const Spec& spec) const {
    if (!spec.image_range || scale_.size() > 1) return std::nullopt;
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
          .field(&O::key, "key", "The key to normalize; float32.", not_empty())
          .field(&O::mean, "mean", "What is subtracted: one number, or one a channel.", not_empty())
          .field(&O::std, "std", "What it is divided by: one number, or one a channel.",
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
  registry.add<Normalize>("normalize", "Subtracts a mean and divides by a deviation.");
}

}  // namespace hearth
