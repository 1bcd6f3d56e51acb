// What parameters cost as a part of the loss, as layers say it.
#include "hearth/nn/layer_prices.h"

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"

namespace hearth {
namespace {

// A child without a name stands for its parent, whose names its parameters have.
std::string name_below(const std::string& prefix, const std::string& name) {
  return prefix.empty() || name.empty() ? prefix + name : prefix + "." + name;
}

void gather_prices(const Layer& layer, const std::string& prefix,
                   std::map<std::string, WeightPrices>& found) {
  const Node* asked = layer.choice().options().find("regularize");
  if (asked != nullptr && asked->is_map())
    for (const Node::Entry& entry : asked->entries()) {
      const WeightPrices prices = WeightPrices::schema().read(entry.value);
      at_place(entry.mark, [&] { require_priced(layer, "regularize", entry.key, prices); });
      for (const auto& [name, parameter] : layer.handles())
        if (matches_within(entry.key, name) && is_priced(prices, parameter))
          found[name_below(prefix, name)] = prices;
    }
  for (const auto& [name, child] : layer.children())
    gather_prices(*child, name_below(prefix, name), found);
}

}  // namespace

bool is_priced(const WeightPrices& prices, const at::Tensor& parameter) {
  return (prices.vectors || parameter.dim() > 1) && parameter.numel() > 0;
}

void require_priced(const Layer& layer, const std::string& option, const std::string& pattern,
                    const WeightPrices& prices) {
  std::vector<std::string> names;
  bool has_vector = false;
  for (const auto& [name, parameter] : layer.handles()) {
    names.push_back(name);
    if (!matches_within(pattern, name)) continue;
    if (prices.vectors || parameter.dim() > 1) return;
    has_vector = true;
  }
  if (has_vector)
    throw GraphError(option + ": " + quote(pattern) + " names vectors of " + quote(layer.path()) +
                     " alone, which have no price. Set vectors: true, or name weights.");
  throw GraphError(option + ": no parameter of " + quote(layer.path()) + " is called " +
                   quote(pattern) + "." + did_you_mean(pattern, names));
}

std::map<std::string, WeightPrices> layer_prices(const Layer& model) {
  std::map<std::string, WeightPrices> found;
  gather_prices(model, "", found);
  return found;
}

}  // namespace hearth
