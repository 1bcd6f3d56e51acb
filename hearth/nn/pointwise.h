// Layers that are one expression, value by value. Without options, the expression is all there is:
//   add_pointwise(layers, "relu", "Keeps positive values, makes the others zero.", at::relu);
// With options, a struct has a name, them and the expression:
//   struct Elu {
//     using Options = EluOptions;
//     static constexpr const char* name = "elu";
//     static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) { ... }
//   };
//   layers.add<Pointwise<Elu>>(Elu::name, "Keeps positive values; negative ones ...");
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
    return float_values_like(context, Function::name, input);
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

// One value for each value, by LibTorch's operator or by a kernel of two paths.
using Expression = at::Tensor (*)(const at::Tensor& input);
using KernelExpression = at::Tensor (*)(Kernels kernels, const at::Tensor& input);
void add_pointwise(Registry<Layer>& layers, const char* name, const char* help, Expression of);
void add_pointwise(Registry<Layer>& layers, const char* name, const char* help,
                   KernelExpression of);

}  // namespace hearth
