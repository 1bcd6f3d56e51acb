// What parameters cost as a part of the loss, as layers say it: `regularize` of a layer, by
// patterns of the parameters below it.
#pragma once

#include <map>
#include <string>

#include "hearth/config/weight_prices.h"
#include "hearth/nn/layer.h"

namespace hearth {

// By the names of the model's parameters. Inner layers come after outer ones, and of one layer the
// last pattern counts. GraphError at a pattern that names nothing with a price.
[[nodiscard]] std::map<std::string, WeightPrices> layer_prices(const Layer& model);

// Whether these prices are for such a parameter: vectors only where they say so.
[[nodiscard]] bool is_priced(const WeightPrices& prices, const at::Tensor& parameter);
// GraphError, with the option's name before it, at a pattern that names no parameter of the layer
// with a price.
void require_priced(const Layer& layer, const std::string& option, const std::string& pattern,
                    const WeightPrices& prices);

}  // namespace hearth
