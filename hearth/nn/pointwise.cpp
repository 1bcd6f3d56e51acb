// Layers without options that are one expression, value by value.
#include "hearth/nn/pointwise.h"

namespace hearth {
namespace {

template <class Function>
class PlainPointwise : public Layer {
 public:
  PlainPointwise(const char* name, Function of) : name_(name), of_(of) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    return float_values_like(context, name_, input);
  }

  at::Tensor forward(const at::Tensor& input) override {
    if constexpr (std::is_same_v<Function, Expression>)
      return of_(input);
    else
      return of_(kernels(), input);
  }

 private:
  const char* name_;
  Function of_;
};

}  // namespace

void add_pointwise(Registry<Layer>& layers, const char* name, const char* help, Expression of) {
  layers.add(name, help,
             [name, of] { return std::make_unique<PlainPointwise<Expression>>(name, of); });
}

void add_pointwise(Registry<Layer>& layers, const char* name, const char* help,
                   KernelExpression of) {
  layers.add(name, help,
             [name, of] { return std::make_unique<PlainPointwise<KernelExpression>>(name, of); });
}

}  // namespace hearth
