// Layers that are one expression, value by value: a struct with a name, options and the expression.
//   struct Relu {
//     using Options = ReluOptions;
//     static constexpr const char* name = "relu";
//     static at::Tensor of(const at::Tensor& input, const Options&, Kernels) { ... }
//   };
//   layers.add<Pointwise<Relu>>(Relu::name, "Keeps positive values, makes the others zero.");
#pragma once

#include <utility>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth {

template <class Function>
class Pointwise : public Layer {
 public:
  using Options = typename Function::Options;
  explicit Pointwise(Options options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_float32(context, Function::name, input);
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return Function::of(input, options_, kernels());
  }

 private:
  Options options_;
};

// The field list of options without fields.
template <class Options>
const Schema<Options>& no_fields() {
  static const Schema<Options> fields;
  return fields;
}

}  // namespace hearth
