// Text as the numbers of its bytes; the numbers below `first` are free, 0 for padding.
#include "hearth/data/ops/text/byte_tokens.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class ByteTokens : public SampleOp {
 public:
  using Options = ByteTokensOptions;
  explicit ByteTokens(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.out}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& spec = inputs.at(0);
    if (spec.role != Role::kText)
      throw GraphError("byte_tokens: key " + quote(options_.in) + " must hold text, but is " +
                       spec.text() + " and " + std::string(name(spec.role)) + ".");
    Spec tokens{.dtype = DType::kInt64, .shape = spec.shape, .classes = 256 + options_.first};
    tokens.role = Role::kTokens;
    return {tokens};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const auto bytes = inputs[0].as<uint8_t>();
    const auto tokens = outputs[0].take(inputs[0].shape).as<int64_t>();
    for (size_t i = 0; i < bytes.size(); ++i) tokens[i] = bytes[i] + options_.first;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<ByteTokensOptions>& ByteTokensOptions::schema() {
  using O = ByteTokensOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key that holds text.", not_empty())
          .field(&O::out, "out", "The key of the tokens.", not_empty())
          .field(&O::first, "first", "The token of byte 0; those below it are free, for padding.",
                 at_least(0), at_most(65'536));
  return schema;
}

Choice<SampleOp> byte_tokens(ByteTokensOptions options) {
  return choose<SampleOp>("byte_tokens", options);
}

void register_byte_tokens(Registry<SampleOp>& registry) {
  registry.add<ByteTokens>("byte_tokens", "Text as the numbers of its bytes.");
}

}  // namespace hearth::sample_ops
