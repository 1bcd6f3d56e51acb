// Every value becomes a whole minus itself.
#include "sample_ops/open_invert.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {
namespace {

class OpenInvert : public SampleOp {
 public:
  using Options = OpenInvertOptions;
  explicit OpenInvert(Options options) : options_(std::move(options)) {}

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
  void run(Random&, std::span<const View>, std::span<const Cell> outputs) const override {
    for (float& value : outputs[0].as<float>()) value = static_cast<float>(options_.whole) - value;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenInvertOptions>& OpenInvertOptions::schema() {
  using O = OpenInvertOptions;
  static const auto schema = Schema<O>()
                                 .field(&O::key, "key", "The key to change; float32.", not_empty())
                                 .field(&O::whole, "whole", "What light and dark add up to.");
  return schema;
}

Choice<SampleOp> open_invert(OpenInvertOptions options) {
  return choose<SampleOp>("open_invert", options);
}

void register_open_invert(Registry<SampleOp>& registry) {
  registry.add<OpenInvert>("open_invert", "Turns light into dark.");
}

}  // namespace hearth::sample_ops
