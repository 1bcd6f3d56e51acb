// Copies an image to a place up to some pixels away; what comes into view has one fill value.
#include "hearth/data/ops/image/random_shift.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

// to[y] = from[y - dy], where both lie inside; otherwise the fill value. Likewise for x.
template <class T>
void shift_plane(const T* from, T* to, int64_t height, int64_t width, int64_t dy, int64_t dx,
                 T fill) {
  const int64_t begin = std::clamp<int64_t>(dx, 0, width);
  const int64_t end = std::clamp<int64_t>(width + dx, 0, width);
  for (int64_t y = 0; y < height; ++y, to += width) {
    if (y - dy < 0 || y - dy >= height || begin >= end) {
      std::fill(to, to + width, fill);
      continue;
    }
    const T* line = from + (y - dy) * width;
    std::fill(to, to + begin, fill);
    std::copy(line + begin - dx, line + end - dx, to + begin);
    std::fill(to + end, to + width, fill);
  }
}

class RandomShift : public SampleOp {
 public:
  using Options = RandomShiftOptions;
  explicit RandomShift(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& spec = inputs.at(0);
    if (spec.shape.size() != 3 || (spec.dtype != DType::kFloat32 && spec.dtype != DType::kUint8))
      throw GraphError("random_shift: key " + quote(options_.key) +
                       " must be an image, [B, height, width, channels], or numbers of shape [B, "
                       "channels, height, width], float32 or uint8, but is " +
                       spec.text() + ".");
    if (spec.dtype == DType::kUint8 && (options_.fill < 0 || options_.fill > 255))
      throw GraphError("random_shift: fill must lie between 0 and 255 for the uint8 key " +
                       quote(options_.key) + ", but is " + shortest_number(options_.fill) + ".");
    return {spec};
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const int64_t dy = random.between(-options_.pixels, options_.pixels);
    const int64_t dx = random.between(-options_.pixels, options_.pixels);
    const View out =
        inputs[0].spec->is_ragged() ? outputs[0].take(inputs[0].shape) : outputs[0].view();
    if (inputs[0].spec->dtype == DType::kUint8)
      shift<uint8_t>(inputs[0], out, dy, dx);
    else
      shift<float>(inputs[0], out, dy, dx);
  }

 private:
  // The channels of an image's point lie together: it is one plane, wider by their number.
  template <class T>
  void shift(const View& input, const View& output, int64_t dy, int64_t dx) const {
    const auto shape = input.shape;
    const auto fill = static_cast<T>(options_.fill);
    const auto* from = reinterpret_cast<const T*>(input.data);
    auto* to = reinterpret_cast<T*>(output.data);
    if (is_image(*input.spec))
      return shift_plane<T>(from, to, shape[0], shape[1] * shape[2], dy, dx * shape[2], fill);
    const int64_t plane = shape[1] * shape[2];
    for (int64_t c = 0; c < shape[0]; ++c)
      shift_plane<T>(from + c * plane, to + c * plane, shape[1], shape[2], dy, dx, fill);
  }

  Options options_;
};

}  // namespace

const Schema<RandomShiftOptions>& RandomShiftOptions::schema() {
  using O = RandomShiftOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The image to move; bytes or floats.", not_empty())
          .field(&O::pixels, "pixels", "How far it moves at most, in each direction.", at_least(0),
                 at_most(65'535))
          .field(&O::fill, "fill", "The value of what comes into view.");
  return schema;
}

Choice<SampleOp> random_shift(RandomShiftOptions options) {
  return choose<SampleOp>("random_shift", options);
}

void register_random_shift(Registry<SampleOp>& registry) {
  registry.add<RandomShift>("random_shift", "Moves an image by a few pixels at random.");
}

}  // namespace hearth::sample_ops
