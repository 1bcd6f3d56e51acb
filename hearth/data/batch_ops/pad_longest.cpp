// Values of any size filled up to the longest of their batch.
#include "hearth/data/batch_ops/pad_longest.h"

#include <algorithm>
#include <array>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/padding.h"

namespace hearth::batch_ops {

namespace {

class PadLongest : public BatchOp {
 public:
  using Options = PadLongestOptions;
  explicit PadLongest(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  std::vector<std::string> writes() const override {
    std::vector<std::string> keys = {options_.key};
    if (!options_.mask.empty()) keys.push_back(options_.mask);
    if (!options_.length.empty()) keys.push_back(options_.length);
    return keys;
  }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& spec = inputs.at(0);
    if (spec.role == Role::kEncodedImage || spec.role == Role::kText)
      throw GraphError("pad_longest: key " + quote(options_.key) + " holds " +
                       std::string(name(spec.role)) + ", which cannot be filled up. " +
                       (spec.role == Role::kText ? "Turn it into tokens first, with byte_tokens."
                                                 : "Put decode into data.ops."));
    if (!spec.is_ragged())
      throw GraphError("pad_longest: key " + quote(options_.key) + " is " + spec.text() +
                       ", of one size already. Leave pad_longest out.");
    check_fill("pad_longest", options_.key, spec, options_.fill);
    std::vector<Spec> specs = {spec};
    if (!options_.mask.empty()) specs.push_back({.dtype = DType::kBool, .shape = {spec.shape[0]}});
    if (!options_.length.empty()) specs.push_back({.dtype = DType::kInt64});
    return specs;
  }

  void run(Random&, std::span<const BatchView> inputs,
           std::span<const BatchCell> outputs) const override {
    const BatchView& in = inputs[0];
    const size_t dimensions = in.spec().shape.size();
    std::array<int64_t, kMostDimensions> longest{};
    for (int64_t row = 0; row < in.rows(); ++row) {
      const auto shape = in.row(row).shape;
      for (size_t i = 0; i < dimensions; ++i) longest[i] = std::max(longest[i], shape[i]);
    }
    for (size_t i = 0; i < dimensions; ++i)
      if (in.spec().shape[i] == kAnyLength) longest[i] = rounded_up(longest[i]);
    const auto shape = std::span(longest).first(dimensions);
    const BatchView padded = outputs[0].take(shape);
    for (int64_t row = 0; row < in.rows(); ++row)
      pad_into(in.row(row), shape, options_.fill, padded.row(row).data);
    write_lengths(in, shape[0], outputs.subspan(1));
  }

 private:
  [[nodiscard]] int64_t rounded_up(int64_t length) const {
    const int64_t unit = options_.multiple_of;
    return std::max<int64_t>((length + unit - 1) / unit, 1) * unit;
  }

  void write_lengths(const BatchView& in, int64_t longest,
                     std::span<const BatchCell> outputs) const {
    if (!options_.mask.empty()) {
      const bool is_any = outputs[0].spec().is_ragged();
      const BatchView mask = is_any ? outputs[0].take(std::span(&longest, 1)) : outputs[0].view();
      for (int64_t row = 0; row < in.rows(); ++row) {
        const auto real = mask.row(row).as<bool>();
        for (size_t i = 0; i < real.size(); ++i)
          real[i] = static_cast<int64_t>(i) < in.row(row).shape[0];
      }
      outputs = outputs.subspan(1);
    }
    if (options_.length.empty()) return;
    const auto lengths = outputs[0].view().as<int64_t>();
    for (int64_t row = 0; row < in.rows(); ++row)
      lengths[static_cast<size_t>(row)] = in.row(row).shape[0];
  }

  Options options_;
};

}  // namespace

const Schema<PadLongestOptions>& PadLongestOptions::schema() {
  using O = PadLongestOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key to fill up.", not_empty())
          .field(&O::fill, "fill", "The value of what is added at the end.")
          .field(&O::multiple_of, "multiple_of",
                 "Lengths become multiples of this, so that fewer different ones occur.",
                 at_least(1), at_most(65'536))
          .field(&O::mask, "mask",
                 "A further key that says which places along the first length are real; left out: "
                 "none.")
          .field(&O::length, "length",
                 "A further key that holds each row's own first length; left out: none.");
  return schema;
}

Choice<BatchOp> pad_longest(PadLongestOptions options) {
  return choose<BatchOp>("pad_longest", options);
}

void register_pad_longest(Registry<BatchOp>& registry) {
  registry.add<PadLongest>("pad_longest",
                           "Fills values of any size up to the longest of their batch.");
}

}  // namespace hearth::batch_ops
