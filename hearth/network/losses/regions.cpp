// How much of predicted and true regions is shared.
#include "hearth/network/losses/regions.h"

#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/tensor/sample_weights.h"

namespace hearth {
namespace {

// [B, regions, places]; values of one dimension are places of one region.
at::Tensor by_region(const at::Tensor& values) {
  return values.dim() > 2 ? values.flatten(2) : values.unsqueeze(1).unsqueeze(-1).flatten(2);
}

// Masks have no dimension for the regions.
at::Tensor spread_mask(const at::Tensor& mask, const at::Tensor& scores) {
  return spread_over(scores.dim() > 2 ? mask.unsqueeze(1) : mask, scores);
}

}  // namespace

RegionSums region_sums(const std::string& form, const LossInputs& inputs) {
  const at::Tensor& scores = inputs[0];
  at::Tensor predicted;
  at::Tensor truth;
  at::Tensor shown = inputs.mask;
  if (form == "binary") {
    predicted = at::sigmoid(scores);
    truth = numbers_like(inputs[1], scores);
    if (shown.defined()) shown = spread_mask(shown, scores);
  } else {
    predicted = at::softmax(scores, 1);
    const bool is_soft = inputs[1].is_floating_point();
    truth = (is_soft ? inputs[1] : is_true_class(inputs[1], scores)).to(scores.scalar_type());
    if (shown.defined()) shown = spread_mask(shown, scores);
    if (!is_soft) {
      const at::Tensor counted = counted_labels(inputs[1]).unsqueeze(1);
      shown = shown.defined() ? shown.logical_and(counted) : counted;
    }
  }
  at::Tensor counts;
  if (shown.defined()) {
    predicted = predicted.masked_fill(shown.logical_not(), 0);
    truth = truth.masked_fill(shown.logical_not(), 0);
    counts = shown.dim() > 1 ? shown.flatten(1).any(1) : shown;
  }
  predicted = by_region(predicted);
  truth = by_region(truth);
  return {predicted.mul(truth).sum(2), predicted.sum(2), truth.sum(2), counts};
}

LossShape check_regions(const std::string& form, const KeySpec& scores, const KeySpec& labels) {
  if (form == "classes") return {{}, check_classes(scores, labels)};
  std::vector<int64_t> places = check_answers(scores, labels);
  if (places.size() > 1) places.erase(places.begin());
  return {{}, places};
}

LossValues missing_share(const RegionSums& sums, const at::Tensor& shares, bool skip_first) {
  const at::Tensor wanted = skip_first ? shares.narrow(1, 1, shares.size(1) - 1) : shares;
  const at::Tensor losses = wanted.mean(1).neg().add(1);
  if (!sums.counts.defined()) return {losses};
  return {losses.masked_fill(sums.counts.logical_not(), 0), sums.counts};
}

}  // namespace hearth
