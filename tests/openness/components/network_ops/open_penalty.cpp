// The mean of squares, times a weight.
#include "network_ops/open_penalty.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class OpenPenalty : public NetworkOp {
 public:
  using Options = OpenPenaltyOptions;
  explicit OpenPenalty(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  std::vector<std::string> writes() const override { return {options_.out}; }
  // Leave this line out when it reads or changes the parameters of a model.
  bool looks_at_parameters() const override { return false; }

  // What comes out, before any data is read.
  std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    if (inputs.at(0).dtype == DType::kFloat32) return {{.is_per_batch = true}};
    throw GraphError("key " + quote(options_.in) + " must be float32, but is " + inputs[0].text() +
                     ".");
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = inputs[0].square().mean().mul(options_.weight);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenPenaltyOptions>& OpenPenaltyOptions::schema() {
  using O = OpenPenaltyOptions;
  static const auto schema = Schema<O>()
                                 .field(&O::in, "in", "The key to read; float32.", not_empty())
                                 .field(&O::out, "out", "The key to write.", not_empty())
                                 .field(&O::weight, "weight", "How much it counts.");
  return schema;
}

Choice<NetworkOp> open_penalty(OpenPenaltyOptions options) {
  return choose<NetworkOp>("open_penalty", options);
}

void register_open_penalty(Registry<NetworkOp>& registry) {
  registry.add<OpenPenalty>("open_penalty", "The mean of squares of a key, as a loss.");
}

}  // namespace hearth::network_ops
