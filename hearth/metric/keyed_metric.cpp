// Keys of metrics, with weights and masks.
#include "hearth/metric/keyed_metric.h"

#include "hearth/tensor/sample_weights.h"

namespace hearth {

at::Tensor MetricBatch::weights(const at::Tensor& like) const {
  at::Tensor weights;
  if (weight.defined()) weights = spread_over(weight, like).to(at::kDouble);
  if (mask.defined()) {
    const at::Tensor shown = spread_over(mask, like).to(at::kBool);
    weights =
        weights.defined() ? weights.masked_fill(shown.logical_not(), 0) : shown.to(at::kDouble);
  }
  return weights.defined() ? weights.expand(like.sizes()) : weights;
}

std::vector<std::string> KeyedMetric::reads() const {
  std::vector<std::string> keys = keys_.in;
  if (!keys_.weight.empty()) keys.push_back(keys_.weight);
  if (!keys_.mask.empty()) keys.push_back(keys_.mask);
  return keys;
}

std::vector<std::string> KeyedMetric::numbers() const {
  std::vector<std::string> names = own_numbers();
  if (is_drawn_anew()) names.insert(names.end(), {"low", "high"});
  return names;
}

void KeyedMetric::check(const std::vector<Spec>& inputs) {
  std::vector<KeySpec> keys;
  for (size_t i = 0; i < keys_.in.size(); ++i) keys.push_back({keys_.in[i], inputs[i]});
  Known found = check_keys(keys);
  size_t next = keys_.in.size();
  if (!keys_.weight.empty())
    check_weight({keys_.weight, inputs[next++]}, "weight", found.weighed, "value");
  if (!keys_.mask.empty()) check_mask({keys_.mask, inputs[next]}, found.weighed, "value");
  const bool is_other = found.names.size() != known_.names.size();
  known_ = std::move(found);
  if (is_other) reset();
}

void KeyedMetric::update(std::span<const at::Tensor> inputs, const Moment&) {
  MetricBatch batch{inputs.first(keys_.in.size())};
  size_t next = keys_.in.size();
  if (!keys_.weight.empty()) batch.weight = inputs[next++];
  if (!keys_.mask.empty()) batch.mask = inputs[next];
  gather(batch);
}

}  // namespace hearth
