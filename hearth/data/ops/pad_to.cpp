// Values of any size filled up to one size: tokens to a length, images to a height and width.
#include "hearth/data/ops/pad_to.h"

#include <algorithm>
#include <array>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/window_transform.h"
#include "hearth/data/padding.h"

namespace hearth::sample_ops {

namespace {

class PadTo : public SampleOp {
 public:
  using Options = PadToOptions;
  explicit PadTo(Options options) : options_(std::move(options)), moved_("pad_to", options_.keys) {
    if (!options_.keys.empty() && options_.size.size() == 1)
      options_.size.push_back(options_.size[0]);
  }

  std::vector<std::string> reads() const override {
    return options_.keys.empty() ? std::vector{options_.key} : options_.keys;
  }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override {
    if (options_.mask.empty()) return reads();
    return {options_.key, options_.mask};
  }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (!options_.keys.empty()) return infer_image(inputs);
    Spec spec = inputs.at(0);
    if (spec.shape.size() < options_.size.size())
      throw GraphError("pad_to: size names " + std::to_string(options_.size.size()) +
                       " lengths, but key " + quote(options_.key) + " is " + spec.text() + ".");
    if (spec.role == Role::kEncodedImage || spec.role == Role::kText)
      throw GraphError("pad_to: key " + quote(options_.key) + " holds " +
                       std::string(name(spec.role)) + ", which cannot be filled up. " +
                       (spec.role == Role::kText ? "Turn it into tokens first, with byte_tokens."
                                                 : "Put decode before it."));
    if (const auto fault = length_fault(spec.shape))
      throw GraphError("pad_to: key " + quote(options_.key) + " " + *fault);
    check_fill("pad_to", options_.key, spec, options_.fill);
    std::copy(options_.size.begin(), options_.size.end(), spec.shape.begin());
    const Spec mask{.dtype = DType::kBool, .shape = {options_.size[0]}};
    return options_.mask.empty() ? std::vector{spec} : std::vector{spec, mask};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    if (!options_.keys.empty()) return pad_image(inputs, outputs);
    if (const auto fault = length_fault(in.shape)) throw DataError(*fault);
    const View out =
        outputs[0].spec().is_ragged() ? outputs[0].take(padded(in.shape)) : outputs[0].view();
    pad_into(in, out.shape, options_.fill, out.data);
    if (options_.mask.empty()) return;
    const auto mask = outputs[1].as<bool>();
    for (size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<int64_t>(i) < in.shape[0];
  }

 private:
  // The image stays in its corner, and with it boxes and points, unless they are cut off.
  [[nodiscard]] std::vector<Spec> infer_image(const std::vector<Spec>& inputs) const {
    const ImageSize size = moved_.size_of(inputs);
    if (const auto fault = length_fault(std::array{size.height, size.width}))
      throw GraphError("pad_to: key " + quote(options_.keys[0]) + " " + *fault);
    moved_.check_fill(inputs, outside_fill(options_));
    return moved_.specs(inputs, image_size(options_.size));
  }

  void pad_image(std::span<const View> inputs, std::span<const Cell> outputs) const {
    (void)moved_.size_of(inputs);
    if (const auto fault = length_fault(inputs[0].shape)) throw DataError(*fault);
    const WindowTransform window({0, 0, image_size(options_.size)}, outside_fill(options_));
    moved_.move(window, inputs, outputs);
  }

  // A length that differs from sample to sample, which is below 0, is known when there is one.
  [[nodiscard]] std::optional<std::string> length_fault(std::span<const int64_t> shape) const {
    if (options_.too_long != "error") return std::nullopt;
    for (size_t i = 0; i < options_.size.size(); ++i)
      if (shape[i] > options_.size[i])
        return "is " + std::to_string(shape[i]) + " long, more than the size of " +
               std::to_string(options_.size[i]) + ". Use a larger size, or too_long: cut.";
    return std::nullopt;
  }

  // Lengths that size does not name stay as they are.
  [[nodiscard]] std::vector<int64_t> padded(std::span<const int64_t> shape) const {
    std::vector<int64_t> lengths(shape.begin(), shape.end());
    std::copy(options_.size.begin(), options_.size.end(), lengths.begin());
    return lengths;
  }

  Options options_;
  MovedKeys moved_;
};

}  // namespace

const Schema<PadToOptions>& PadToOptions::schema() {
  using O = PadToOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key to fill up.", not_empty())
          .field(&O::size, "size",
                 "Its lengths afterwards, from the first one on: [64] for tokens, [32, 32] for "
                 "images.",
                 required(), not_empty(), at_least(1), at_most(1 << 26))
          .field(&O::fill, "fill", "The value of what is added at the end.")
          .field(&O::too_long, "too_long",
                 "A value that is longer: `error` stops, `cut` leaves out its end.",
                 one_of({"error", "cut"}))
          .field(&O::mask, "mask",
                 "A further key that says which places along the first length are real; left out: "
                 "none.")
          .field(&O::keys, "keys",
                 "In the place of key: an image, and its masks, which get its height and width, "
                 "boxes and points.")
          .field(&O::mask_fill, "mask_fill", "The value added to masks; left out: fill's.",
                 at_least(-1e9), at_most(1e9))
          .check("'keys' goes with a 'size' of height and width, and without 'mask'.",
                 [](const O& options) {
                   return options.keys.empty() ||
                          (options.size.size() <= 2 && options.mask.empty());
                 });
  return schema;
}

Choice<SampleOp> pad_to(PadToOptions options) { return choose<SampleOp>("pad_to", options); }

void register_pad_to(Registry<SampleOp>& registry) {
  registry.add<PadTo>("pad_to", "Fills values of any size up to one size.");
}

}  // namespace hearth::sample_ops
