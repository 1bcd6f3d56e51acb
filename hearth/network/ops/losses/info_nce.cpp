// Van den Oord et al., Representation Learning with Contrastive Predictive Coding; both ways as
// CLIP has it, and NT-Xent as in Chen et al., A Simple Framework for Contrastive Learning.
#include "hearth/network/ops/losses/info_nce.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct InfoNceLoss {
  using Options = InfoNceOptions;
  static bool hides_by_itself(const Options&) { return true; }
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    check_points(inputs[0]);
    check_points(inputs[1]);
    check_alike(inputs, "Let one model make both, or give both models one size of output.");
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor left = unit_points(inputs[0]);
    const at::Tensor right = unit_points(inputs[1]);
    const double factor = 1 / options.temperature;
    const at::Tensor own = left.mul(right).sum(1).mul(factor);
    const at::Tensor across = shown_columns(at::mm(left, right.t()).mul(factor), inputs.mask);
    if (options.form == "one_way") return shown_rows(across.logsumexp(1).sub(own), inputs.mask);
    const at::Tensor back = shown_columns(at::mm(right, left.t()).mul(factor), inputs.mask);
    if (options.form == "both_ways")
      return shown_rows(across.logsumexp(1).add(back.logsumexp(1)).mul(0.5).sub(own), inputs.mask);
    const auto with_own_kind = [&](const at::Tensor& views, const at::Tensor& others) {
      const at::Tensor kind =
          at::mm(views, views.t()).mul(factor).masked_fill(is_itself(views), kNever);
      return at::cat({shown_columns(kind, inputs.mask), others}, 1).logsumexp(1);
    };
    const at::Tensor sums = with_own_kind(left, across).add(with_own_kind(right, back));
    return shown_rows(sums.mul(0.5).sub(own), inputs.mask);
  }

 private:
  // Finite, so that sums of nothing have slopes.
  static constexpr double kNever = -1e30;
  static at::Tensor shown_columns(const at::Tensor& scores, const at::Tensor& mask) {
    if (!mask.defined()) return scores;
    return scores.masked_fill(mask.flatten().logical_not(), kNever);
  }
  // Rows that do not count have scores of no use.
  static LossValues shown_rows(const at::Tensor& losses, const at::Tensor& mask) {
    if (!mask.defined()) return {losses};
    const at::Tensor shown = mask.reshape(losses.sizes());
    return {at::where(shown, losses, at::zeros_like(losses)), shown};
  }
};

}  // namespace

const Schema<InfoNceOptions>& InfoNceOptions::schema() {
  using O = InfoNceOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in", "Keys of the points of two views of each sample.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::form, "form",
                 "Among what a view must find its own: `one_way`, each first view among all second "
                 "ones; `both_ways`, also each second among all first ones; `nt_xent`, each view "
                 "among all others of the batch.",
                 one_of({"one_way", "both_ways", "nt_xent"}))
          .field(&O::temperature, "temperature",
                 "By which cosines are divided: low ones make the most alike matter.", above(0))
          .check("in must name two keys: the points of the first views and of the second.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> info_nce(InfoNceOptions options) {
  return choose<NetworkOp>("info_nce", options);
}

void register_info_nce(Registry<NetworkOp>& ops) {
  ops.add<LossOp<InfoNceLoss>>("info_nce",
                               "Two views of a sample more alike than those of different ones.");
}

}  // namespace hearth::network_ops
