// For tests: gradients that travel between ranks, which are threads of this process.
#pragma once

#include <ATen/ops/empty_like.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hearth/cluster/join.h"
#include "hearth/config/registry.h"
#include "hearth/network/rank_exchange.h"

namespace hearth {

// One step: everybody's sums of these gradients, each of a parameter of its own.
inline std::vector<at::Tensor> exchanged(RankExchange& ranks,
                                         const std::vector<at::Tensor>& gradients) {
  Handles parameters;
  for (const at::Tensor& gradient : gradients) {
    const std::string name = "net/" + std::to_string(parameters.size());
    parameters.emplace_back(name, at::empty_like(gradient).set_requires_grad(true));
    parameters.back().second.mutable_grad() = gradient.clone();
  }
  ranks.begin_sum({parameters}, 0);
  ranks.finish_sum();
  (void)ranks.count_step();
  std::vector<at::Tensor> sums;
  for (const auto& [name, parameter] : parameters) sums.push_back(parameter.grad());
  return sums;
}

// Calls `body` on two ranks that exchange gradients in this way, with a shard each.
inline void with_two_ranks(const Choice<Exchange>& exchange,
                           const std::function<void(RankExchange&, Group&)>& body) {
  with_ranks(2, [&](Group& group) {
    RankExchange ranks(group, 2, registry<Exchange>().make(exchange));
    body(ranks, group);
  });
}

}  // namespace hearth
