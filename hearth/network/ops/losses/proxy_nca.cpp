// Movshovitz-Attias et al., No Fuss Distance Metric Learning using Proxies: points, and proxies
// that stand for the classes, on a sphere; what is near counts by exp(-distance squared).
#include "hearth/network/ops/losses/proxy_nca.h"

#include "hearth/network/losses/class_points_loss.h"
#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct ProxyNcaLoss {
  using Options = ProxyNcaOptions;
  static constexpr const char* kParameter = "proxies";
  static constexpr double kDeviation = 0;
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    constexpr double kNever = -1e30;  // finite, so that it has a slope
    const at::Tensor points = unit_points(inputs[0]).mul(options.scale);
    const at::Tensor proxies = unit_points(inputs[2]).mul(options.scale);
    const at::Tensor distances = squared_distances(points, proxies);
    if (inputs[1].is_floating_point()) {
      // Each class as the true one.
      const at::Tensor beside = distances.neg().unsqueeze(1).expand({-1, distances.size(1), -1});
      const at::Tensor rest = beside.masked_fill(is_one_class(beside), kNever).logsumexp(2);
      return {weighed_by_shares(distances.add(rest), inputs[1])};
    }
    const at::Tensor others =
        distances.neg().masked_fill(is_true_class(inputs[1], distances), kNever);
    const at::Tensor counts = counted_labels(inputs[1]);
    const at::Tensor losses = of_true_class(distances, inputs[1]).add(others.logsumexp(1));
    return {losses.masked_fill(counts.logical_not(), 0), counts};
  }
};

}  // namespace

const Schema<ProxyNcaOptions>& ProxyNcaOptions::schema() {
  using O = ProxyNcaOptions;
  static const auto fields =
      weighed(class_points_fields<O>("proxies")
                  .field(&O::scale, "scale",
                         "Radius of the sphere: the larger, the more the nearest matter.", above(0))
                  .field(&O::optimizer, "optimizer", "What moves the proxies."));
  return fields;
}

Choice<NetworkOp> proxy_nca(ProxyNcaOptions options) {
  return choose<NetworkOp>("proxy_nca", options);
}

void register_proxy_nca(Registry<NetworkOp>& ops) {
  ops.add<ClassPointsLossOp<ProxyNcaLoss>>(
      "proxy_nca",
      "Points nearer to the proxy of their class, which is learned, than to those of others.");
}

}  // namespace hearth::network_ops
