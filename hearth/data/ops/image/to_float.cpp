// Images of bytes to floats from 0 for black to 1 for white; other whole numbers to floats of the
// same value.
#include "hearth/data/ops/image/to_float.h"

#include <algorithm>
#include <array>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class ToFloat : public SampleOp {
 public:
  using Options = ToFloatOptions;
  explicit ToFloat(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }  // where there are floats already

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec spec = inputs.at(0);
    const bool is_number = spec.dtype == DType::kUint8 || spec.dtype == DType::kBool ||
                           spec.dtype == DType::kInt32 || spec.dtype == DType::kInt64 ||
                           spec.dtype == DType::kFloat32;
    if (!is_number || spec.role == Role::kEncodedImage || spec.role == Role::kText)
      throw GraphError("to_float: key " + quote(options_.key) +
                       " must hold bytes, whole numbers or float32, but is " + spec.text() +
                       " and " + std::string(name(spec.role)) + "." +
                       (spec.role == Role::kEncodedImage ? " Put decode before it." : ""));
    if (is_bytes_of_image(spec)) {
      const auto [black, white] = range_of(spec);
      for (double& level : spec.background) level = (level - black) / (white - black);
      spec.image_range = {0.0, 1.0};
    }
    spec.dtype = DType::kFloat32;
    return {spec};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    const View out = in.spec->is_ragged() ? outputs[0].take(in.shape) : outputs[0].view();
    if (is_bytes_of_image(*in.spec)) return from_image(in, out.as<float>());
    switch (in.spec->dtype) {
      case DType::kFloat32:
        return copy<float>(in, out);
      case DType::kInt32:
        return copy<int32_t>(in, out);
      case DType::kInt64:
        return copy<int64_t>(in, out);
      default:
        return copy<uint8_t>(in, out);
    }
  }

 private:
  static bool is_bytes_of_image(const Spec& spec) {
    return spec.dtype == DType::kUint8 && is_image(spec);
  }
  static std::pair<double, double> range_of(const Spec& spec) {
    return spec.image_range.value_or(std::pair(0.0, 255.0));
  }

  template <class T>
  static void copy(const View& in, const View& out) {
    if (in.data == out.data) return;
    std::ranges::transform(in.as<T>(), out.as<float>().begin(),
                           [](T value) { return static_cast<float>(value); });
  }

  // A division for each value that there is, not for each byte.
  static void from_image(const View& in, std::span<float> out) {
    const auto [black, white] = range_of(*in.spec);
    std::array<float, 256> table;
    for (size_t value = 0; value < table.size(); ++value)
      table[value] = (static_cast<float>(value) - static_cast<float>(black)) /
                     static_cast<float>(white - black);
    const auto bytes = in.as<uint8_t>();
    for (size_t i = 0; i < bytes.size(); ++i) out[i] = table[bytes[i]];
  }

  Options options_;
};

}  // namespace

const Schema<ToFloatOptions>& ToFloatOptions::schema() {
  using O = ToFloatOptions;
  static const auto schema = Schema<O>().field(
      &O::key, "key",
      "The key to turn into float32: an image of bytes, with 0 for black and 1 for white, or other "
      "whole numbers, which keep their value.",
      not_empty());
  return schema;
}

Choice<SampleOp> to_float(ToFloatOptions options) { return choose<SampleOp>("to_float", options); }

void register_to_float(Registry<SampleOp>& registry) {
  registry.add<ToFloat>(
      "to_float",
      "Turns images of bytes into floats from 0 to 1, as torchvision's; other numbers "
      "keep their value.");
}

}  // namespace hearth::sample_ops
