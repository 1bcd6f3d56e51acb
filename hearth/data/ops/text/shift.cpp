// Tokens without the last one, and those that come one later: what a language model predicts.
#include "hearth/data/ops/text/shift.h"

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class Shift : public SampleOp {
 public:
  using Options = ShiftOptions;
  explicit Shift(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key, options_.next}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    Spec tokens = inputs.at(0);
    if (tokens.role != Role::kTokens || tokens.shape.size() != 1 || tokens.shape[0] == 1)
      throw GraphError("shift: key " + quote(options_.key) +
                       " must hold two tokens and more, but is " + tokens.text() + " and " +
                       std::string(name(tokens.role)) + ".");
    if (tokens.shape[0] != kAnyLength) --tokens.shape[0];
    Spec next = tokens;
    next.role = Role::kClass;
    return {tokens, next};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    if (in.shape[0] < 2)
      throw DataError("has " + std::to_string(in.shape[0]) +
                      " tokens, but needs two for one to come after another. Leave it out, or join "
                      "it with others.");
    const int64_t width = size_of(in.spec->dtype);
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (!outputs[k].is_wanted()) continue;
      const View out = outputs[k].take({in.shape[0] - 1});
      std::memcpy(out.data, in.data + static_cast<int64_t>(k) * width,
                  static_cast<size_t>((in.shape[0] - 1) * width));
    }
  }

 private:
  Options options_;
};

}  // namespace

const Schema<ShiftOptions>& ShiftOptions::schema() {
  using O = ShiftOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key of the tokens; it loses its last one.", not_empty())
          .field(&O::next, "next", "The key of the tokens that come one later.", not_empty())
          .check("'key' and 'next' must differ.",
                 [](const O& options) { return options.key != options.next; });
  return schema;
}

Choice<SampleOp> shift(ShiftOptions options) { return choose<SampleOp>("shift", options); }

void register_shift(Registry<SampleOp>& registry) {
  registry.add<Shift>("shift", "Tokens, and those that come one later, to be predicted.");
}

}  // namespace hearth::sample_ops
