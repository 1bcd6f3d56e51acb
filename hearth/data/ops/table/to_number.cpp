// Text as the number that it writes.
#include "hearth/data/ops/table/to_number.h"

#include <limits>
#include <string_view>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/table/table_builder.h"

namespace hearth::sample_ops {

namespace {

constexpr size_t kShownNumberText = 40;

class ToNumber : public SampleOp {
 public:
  using Options = ToNumberOptions;
  explicit ToNumber(Options options) : options_(std::move(options)), missing_(options_.missing) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.out}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (inputs.at(0).role != Role::kText)
      throw GraphError("to_number: key " + quote(options_.in) + " must hold text, but is " +
                       inputs[0].text() + ".");
    return {{.dtype = DType::kFloat32}};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const std::string_view text =
        trim({reinterpret_cast<const char*>(inputs[0].data), inputs[0].elements()});
    if (missing_.has(text)) return outputs[0].set(std::numeric_limits<float>::quiet_NaN());
    const auto number = read_table_number(text);
    if (!number)
      throw DataError("expected a number, but found " + quote(text.substr(0, kShownNumberText)) +
                      ". Mend it, or list it under `missing`.");
    outputs[0].set(static_cast<float>(*number));
  }

 private:
  Options options_;
  MissingTexts missing_;
};

}  // namespace

const Schema<ToNumberOptions>& ToNumberOptions::schema() {
  using O = ToNumberOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key that holds text.", not_empty())
          .field(&O::out, "out", "The key of the number, float32.", not_empty())
          .field(&O::missing, "missing",
                 "Texts that stand for nothing, besides an empty one: they become NaN.");
  return schema;
}

Choice<SampleOp> to_number(const ToNumberOptions& options) {
  return choose<SampleOp>("to_number", options);
}

void register_to_number(Registry<SampleOp>& registry) {
  registry.add<ToNumber>("to_number", "Text as the number that it writes.");
}

}  // namespace hearth::sample_ops
