// Values stretched to a range, each sample by its own least and greatest.
#include "hearth/data/ops/image/min_max.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class MinMax : public SampleOp {
 public:
  using Options = MinMaxOptions;
  explicit MinMax(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }  // floats

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec spec = inputs.at(0);
    const bool is_number = spec.dtype == DType::kUint8 || spec.dtype == DType::kFloat32;
    if (!is_number || spec.role == Role::kEncodedImage || spec.role == Role::kText)
      throw GraphError("min_max: key " + quote(options_.key) +
                       " must hold bytes or float32, but is " + spec.text() + " and " +
                       std::string(name(spec.role)) + "." +
                       (spec.role == Role::kEncodedImage ? " Put decode before it." : ""));
    if (spec.image_range) spec.image_range = {options_.low, options_.high};
    spec.background.clear();
    spec.dtype = DType::kFloat32;
    return {spec};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    const View out = in.spec->is_ragged() ? outputs[0].take(in.shape) : outputs[0].view();
    if (in.spec->dtype == DType::kUint8)
      stretch(in.as<uint8_t>(), out.as<float>());
    else
      stretch(in.as<float>(), out.as<float>());
  }

 private:
  template <class T>
  void stretch(std::span<const T> from, std::span<float> to) const {
    if (from.empty()) return;
    const auto [least, greatest] = std::ranges::minmax(from);
    const auto start = static_cast<float>(least);
    const auto span = static_cast<float>(greatest) - start;
    const auto low = static_cast<float>(options_.low);
    const float scale = span > 0 ? static_cast<float>(options_.high - options_.low) / span : 0.0F;
    for (size_t i = 0; i < from.size(); ++i)
      to[i] = (static_cast<float>(from[i]) - start) * scale + low;
  }
  template <class T>
  void stretch(std::span<T> from, std::span<float> to) const {
    stretch(std::span<const T>(from), to);
  }

  Options options_;
};

}  // namespace

const Schema<MinMaxOptions>& MinMaxOptions::schema() {
  using O = MinMaxOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key to stretch: bytes or float32; it becomes float32.",
                 not_empty())
          .field(&O::low, "low", "What each sample's least value becomes.")
          .field(&O::high, "high", "What each sample's greatest value becomes.")
          .check("'low' must be below 'high'.",
                 [](const O& options) { return options.low < options.high; });
  return schema;
}

Choice<SampleOp> min_max(MinMaxOptions options) { return choose<SampleOp>("min_max", options); }

void register_min_max(Registry<SampleOp>& registry) {
  registry.add<MinMax>("min_max",
                       "Stretches each sample's values to a range; where all are equal, to its low "
                       "end.");
}

}  // namespace hearth::sample_ops
