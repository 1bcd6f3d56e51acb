// Multiplies all rows of a batch by one factor.
#include "batch_ops/open_fade.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::batch_ops {
namespace {

class OpenFade : public BatchOp {
 public:
  using Options = OpenFadeOptions;
  explicit OpenFade(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }

  // What comes out, before any data is read.
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (inputs.at(0).dtype == DType::kFloat32) return inputs;
    throw GraphError("key " + quote(options_.key) + " must be float32, but is " + inputs[0].text() +
                     ".");
  }

  // Input and output are the same memory. Chance comes from `random` only. Many threads call this.
  void run(Random&, std::span<const BatchView>, std::span<const BatchCell> outputs) const override {
    const BatchView rows = outputs[0].view();
    for (float& value : rows.as<float>()) value *= static_cast<float>(options_.factor);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenFadeOptions>& OpenFadeOptions::schema() {
  using O = OpenFadeOptions;
  static const auto schema = Schema<O>()
                                 .field(&O::key, "key", "The key to change; float32.", not_empty())
                                 .field(&O::factor, "factor", "What every value is multiplied by.");
  return schema;
}

Choice<BatchOp> open_fade(OpenFadeOptions options) { return choose<BatchOp>("open_fade", options); }

void register_open_fade(Registry<BatchOp>& registry) {
  registry.add<OpenFade>("open_fade", "Makes whole batches paler.");
}

}  // namespace hearth::batch_ops
