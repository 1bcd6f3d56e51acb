// Copies an image to a place up to some pixels away; what comes into view has one fill value.
#include "hearth/data/ops/image/random_shift.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/window_transform.h"

namespace hearth::sample_ops {

namespace {

class RandomShift : public SampleOp {
 public:
  using Options = RandomShiftOptions;
  explicit RandomShift(Options options)
      : options_(std::move(options)), keys_(moved_keys("random_shift", options_)) {}

  std::vector<std::string> reads() const override { return keys_.all(); }
  std::vector<std::string> writes() const override { return keys_.all(); }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& spec = inputs.at(0);
    if (spec.shape.size() != 3 || (spec.dtype != DType::kFloat32 && spec.dtype != DType::kUint8) ||
        (inputs.size() > 1 && !is_image(spec)))
      throw GraphError("random_shift: key " + quote(keys_.all()[0]) +
                       " must be an image, [B, height, width, channels], or numbers of shape [B, "
                       "channels, height, width], float32 or uint8, but is " +
                       spec.text() + ".");
    if (spec.dtype == DType::kUint8 && (options_.fill < 0 || options_.fill > 255))
      throw GraphError("random_shift: fill must lie between 0 and 255 for the uint8 key " +
                       quote(keys_.all()[0]) + ", but is " + shortest_number(options_.fill) + ".");
    keys_.check_fill(inputs, outside_fill(options_));
    return is_image(spec) ? keys_.specs(inputs, {spec.shape[0], spec.shape[1]}) : inputs;
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const int64_t dy = random.between(-options_.pixels, options_.pixels);
    const int64_t dx = random.between(-options_.pixels, options_.pixels);
    if (!is_image(*inputs[0].spec)) return shift_planes(inputs[0], outputs[0], dy, dx);
    const ImageSize size = keys_.size_of(inputs);
    keys_.move(WindowTransform({-dy, -dx, size}, outside_fill(options_)), inputs, outputs);
  }

 private:
  // Numbers whose channels come first: each channel is moved for itself.
  void shift_planes(const View& from, const Cell& to, int64_t dy, int64_t dx) const {
    const auto shape = from.shape.subspan(1);
    const WindowTransform window({-dy, -dx, {shape[0], shape[1]}}, outside_fill(options_));
    const int64_t plane = shape[0] * shape[1] * size_of(from.spec->dtype);
    std::byte* out = to.take(from.shape).data;
    for (int64_t channel = 0; channel < from.shape[0]; ++channel)
      window.move_pixels({from.data + channel * plane, from.spec, shape}, out + channel * plane);
  }

  Options options_;
  MovedKeys keys_;
};

}  // namespace

const Schema<RandomShiftOptions>& RandomShiftOptions::schema() {
  using O = RandomShiftOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_or_keys_fields(fields, "The image to move; bytes or floats.");
    fields.field(&O::pixels, "pixels", "How far it moves at most, in each direction.", at_least(0),
                 at_most(65'535));
    add_fill_fields(fields);
    add_box_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> random_shift(RandomShiftOptions options) {
  return choose<SampleOp>("random_shift", options);
}

void register_random_shift(Registry<SampleOp>& registry) {
  registry.add<RandomShift>("random_shift", "Moves an image by a few pixels at random.");
}

}  // namespace hearth::sample_ops
