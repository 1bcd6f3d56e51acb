// The batches of one step, and how much each of them counts.
#include "hearth/network/accumulation.h"

#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>

namespace hearth {
namespace {

constexpr const char* kCounted = "counted";

// As a tensor, to be added to others.
at::Tensor counted_by(const BatchWeight& weight) {
  if (weight.counted.defined()) return weight.counted;
  return at::scalar_tensor(weight.samples * weight.share, at::kDouble);
}

at::Tensor divisor(const BatchWeight& weight) { return loss_divisor(weight.counted, weight.one); }

}  // namespace

BatchWeight BatchWeight::with(const BatchWeight& part) const {
  BatchWeight both = *this;
  both.share += part.share;
  both.is_sum = is_sum || part.is_sum;
  both.one = counted.defined() ? one : part.one;
  if (counted.defined() || part.counted.defined())
    both.counted = counted_by(*this).add(counted_by(part));
  return both;
}

// Alone, a batch weighs 1 whatever its size; what it counts matters only beside replicas.
BatchWeight Accumulation::weight_of(const StepContext& context) const {
  const bool is_alone = batches_ == 1;
  BatchWeight weight{is_alone ? 1 : context.weight, context.share, {}, context.input_count.is_sum};
  const at::Tensor& total = context.input_count.total;
  if (total.defined() && (!is_alone || context.crew != nullptr)) {
    weight.one = is_alone ? context.sample_weight / context.weight : context.sample_weight;
    weight.counted = total.detach().to(at::kDouble).mul(weight.one);
  }
  return weight;
}

bool Accumulation::add(const BatchWeight& weight) {
  if (weight.samples > 0) {
    BatchWeight whole = weight;
    whole.share = 1;
    const double samples = sum_.samples + whole.samples;
    sum_ = has_samples() ? sum_.with(whole) : whole;
    sum_.samples = samples;
    sum_.share = 1;
  }
  return ++done_ >= batches_;
}

at::Tensor Accumulation::weighted(const at::Tensor& gradient, const BatchWeight& weight) {
  if (weight.counted.defined() && !weight.is_sum) return gradient.mul(divisor(weight));
  return weight.is_sum || weight.samples == 1 ? gradient : gradient.mul(weight.samples);
}

at::Tensor Accumulation::mean_of(const at::Tensor& sum) const {
  if (sum_.is_sum) return sum;
  return sum_.counted.defined() ? sum.div(divisor(sum_)) : sum.div(sum_.samples);
}

at::Tensor Accumulation::scaled(const at::Tensor& loss, const BatchWeight& weight) const {
  const auto batches = static_cast<double>(batches_);
  if (weight.is_sum) return weight.share == 1 ? loss : loss.mul(weight.share);
  if (weight.counted.defined()) return loss.mul(divisor(weight).div(batches));
  const double share = weight.share * weight.samples;
  if (share != 1) return loss.mul(share / batches);
  return batches_ > 1 ? loss.div(batches_) : loss;
}

void Accumulation::correct(const std::vector<at::Tensor>& gradients) const {
  if (!needs_correction()) return;
  const c10::AutoGradMode no_grad(false);
  const auto batches = static_cast<double>(batches_);
  if (!sum_.counted.defined()) {
    for (const at::Tensor& gradient : gradients) gradient.mul_(batches / sum_.samples);
    return;
  }
  const at::Tensor factor = divisor(sum_).reciprocal().mul(batches);
  for (const at::Tensor& gradient : gradients) gradient.mul_(factor);
}

void Accumulation::write(State& state) const {
  state.values["batches"] = done_;
  if (done_ == 0) return;
  state.values["weights"] = sum_.samples;
  if (sum_.is_sum) state.values["is_sum"] = true;
  if (!sum_.counted.defined()) return;
  state.values["one"] = sum_.one;
  state.tensors.emplace_back(kCounted, sum_.counted);
}

void Accumulation::read(const State& state) {
  done_ = state.values.value("batches", int64_t{0});
  sum_ = {};
  sum_.samples = state.values.value("weights", static_cast<double>(done_));
  sum_.is_sum = state.values.value("is_sum", false);
  sum_.one = state.values.value("one", 1.0);
  for (const auto& [name, tensor] : state.tensors)
    if (name == kCounted) sum_.counted = tensor.detach().clone();
}

}  // namespace hearth
