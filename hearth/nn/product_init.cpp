// First values of the layers that multiply.
#include "hearth/nn/product_init.h"

#include <c10/core/GradMode.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <cmath>

#include "hearth/nn/init.h"

namespace hearth {

DrawWeight normal_weights(double deviation) {
  return [deviation](const BuildContext& context, const std::string& name, at::IntArrayRef shape) {
    return normal(context, name, shape, deviation);
  };
}

DrawWeight fan_out_weights() {
  return [](const BuildContext& context, const std::string& name, at::IntArrayRef shape) {
    const auto fan_out = static_cast<double>(shape[0] * c10::multiply_integers(shape.slice(2)));
    return normal(context, name, shape, std::sqrt(2 / fan_out));
  };
}

DrawWeight xavier_weights() {
  return [](const BuildContext& context, const std::string& name, at::IntArrayRef shape) {
    const int64_t window = c10::multiply_integers(shape.slice(2));
    const auto fans = static_cast<double>((shape[0] + shape[1]) * window);
    return uniform(context, name, shape, std::sqrt(6 / fans));
  };
}

void draw_products(const Layer& layer, const BuildContext& context, const DrawWeight& draw,
                   const std::vector<std::string>& components) {
  const c10::AutoGradMode no_grad(false);
  const std::string& component = layer.choice().name();
  if (std::find(components.begin(), components.end(), component) != components.end()) {
    BuildContext own = context;
    own.path = layer.path();
    own.room_bytes = nullptr;  // the parameters have their room already
    for (const auto& [name, tensor] : layer.parameters()) {
      if (name == "weight") tensor.copy_(draw(own, name, tensor.sizes()));
      if (name == "bias") tensor.zero_();
    }
  }
  for (const auto& [name, child] : layer.children())
    draw_products(*child, context, draw, components);
}

}  // namespace hearth
