// Points nearer to the proxy of their class than to those of others.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/optim/optimizers/adamw.h"

namespace hearth::network_ops {

struct ProxyNcaOptions {
  std::string name = "proxies";
  std::vector<std::string> in = {"features", "label"};
  std::string out = "loss";
  double scale = 3;
  Choice<Optimizer> optimizer = optimizers::adamw({.lr = 0.01});
  std::string weight = {};
  std::string mask = {};
  std::string reduction = "mean";
  static const Schema<ProxyNcaOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> proxy_nca(ProxyNcaOptions options = {});

}  // namespace hearth::network_ops
