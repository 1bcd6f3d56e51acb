// Values cut to a length: their start, their end, or any part of them.
#include "hearth/data/ops/text/truncate.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class Truncate : public SampleOp {
 public:
  using Options = TruncateOptions;
  explicit Truncate(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return options_.keep == "random"; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec spec = inputs.at(0);
    if (spec.shape.empty() || spec.role == Role::kEncodedImage || spec.role == Role::kText)
      throw GraphError("truncate: key " + quote(options_.key) + " is " + spec.text() + " and " +
                       std::string(name(spec.role)) +
                       ", which cannot be cut. It takes tokens, sound and other rows of values.");
    if (spec.shape[0] != kAnyLength) spec.shape[0] = std::min(spec.shape[0], options_.length);
    return {spec};
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    const int64_t kept = std::min(in.shape[0], options_.length);
    std::array<int64_t, kMostDimensions> shape{};
    std::copy(in.shape.begin(), in.shape.end(), shape.begin());
    shape[0] = kept;
    const View out = outputs[0].take({shape.data(), in.shape.size()});
    const int64_t row = elements_of(in.shape.subspan(1)) * size_of(in.spec->dtype);
    const int64_t first = first_kept(random, in.shape[0] - kept);
    if (kept > 0) std::memcpy(out.data, in.data + first * row, static_cast<size_t>(kept * row));
  }

 private:
  [[nodiscard]] int64_t first_kept(Random& random, int64_t dropped) const {
    if (options_.keep == "start") return 0;
    return options_.keep == "end" ? dropped : random.between(0, dropped);
  }

  Options options_;
};

}  // namespace

const Schema<TruncateOptions>& TruncateOptions::schema() {
  using O = TruncateOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key to cut, along its first length.", not_empty())
          .field(&O::length, "length", "How much of it stays at most.", required(), at_least(1))
          .field(&O::keep, "keep", "What stays of a longer one.",
                 one_of({"start", "end", "random"}));
  return schema;
}

Choice<SampleOp> truncate(TruncateOptions options) { return choose<SampleOp>("truncate", options); }

void register_truncate(Registry<SampleOp>& registry) {
  registry.add<Truncate>("truncate", "Cuts tokens, sound and other rows of values to a length.");
}

}  // namespace hearth::sample_ops
