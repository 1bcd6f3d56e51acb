// A weight that two layers share.
#include "hearth/nn/tied_weight.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/nn/init.h"

namespace hearth {

at::Tensor tied_weight(const BuildContext& context, const std::string& layer,
                       const std::string& name, const Layer& table, at::IntArrayRef shape) {
  for (const auto& [own, tensor] : table.parameters())
    if (own == "weight" && tensor.sizes() == shape) return tensor;
  throw GraphError(context.path + " " + layer + ": its head uses the weight " + shape_text(shape) +
                   " of " + quote(name) + ", but " + table.choice().name() +
                   " there has none such. Keep that layer, or give the head a weight of its own.");
}

}  // namespace hearth
